import { join } from 'node:path';
import { spi } from '@keyhost/spi';
import test from 'ava';
import type { BootError } from '../../core/config/boot-error.js';
import { adminCaller } from '../helpers/admin.js';
import { keyhost } from '../helpers/command.js';
import { channelPackage, contractWith, noticesPackage } from '../helpers/plugin-spis.js';
import { testRealm } from '../helpers/realms.js';
import { reloadScene } from '../helpers/reload.js';

const Channel = spi({ id: 'acme-channel', name: 'Channel', methods: {} });
const ENABLED = { enabled: true };
const SEND_BODY = 'return { id: [sender, session.realm.name, to, text].join() };';

const realmWithChannels = (channels: object, name = 'demo') =>
  testRealm(name, {
    providers: { 'realm-restapi-extension': { notices: ENABLED }, 'acme-channel': channels as never },
  });

for (const [consumer, provider] of [
  ['none', 'none'],
  ['worker', 'worker'],
  ['none', 'worker'],
  ['worker', 'none'],
] as const) {
  test(`SPIs of plugins: a plugin looks up implementations of its SPI (it: ${consumer}, they: ${provider})`, async (t) => {
    const { host, get } = await reloadScene(
      t,
      () => ({
        'acme-sms': channelPackage('sms', SEND_BODY, { provider: 'price: async () => 7,' }),
        'acme-notices': noticesPackage(),
        'acme-post': channelPackage('post', SEND_BODY),
        'acme-off': channelPackage('off', SEND_BODY),
        'acme-far': channelPackage('far', SEND_BODY, { declaration: "countries: ['NZ']," }),
      }),
      {
        plugins: ['acme-sms', 'acme-notices', 'acme-post', 'acme-off', 'acme-far'].map((module) => ({
          module,
          isolation: module === 'acme-notices' ? consumer : provider,
        })),
        realms: [
          realmWithChannels({
            sms: { ...ENABLED, config: { sender: 'Shop' } },
            post: ENABLED,
            off: { enabled: false },
            far: ENABLED,
          }),
          realmWithChannels({ off: ENABLED }, 'other'),
        ],
      },
    );
    t.deepEqual(JSON.parse((await get('notices/AT')).text), {
      sms: ['Shop,demo,you,hello', 7],
      post: ['ACME,demo,you,hello', null],
    });
    t.deepEqual(JSON.parse((await get('notices/NZ?text=moin')).text), { far: ['ACME,demo,you,moin', null] });
    const other = await fetch(`${host.realm('other')}/notices/AT`);
    t.deepEqual(await other.json(), { off: ['ACME,other,you,hello', null] });
  });
}

for (const isolation of ['none', 'worker']) {
  test(`SPIs of plugins: a wrong provider affects only itself: the others are called, and the plugin gets the reason (${isolation})`, async (t) => {
    const channels = {
      bad: channelPackage('bad', "throw new HostError('no_credit', 'top up', { status: 402 });"),
      odd: channelPackage('odd', 'return { id: 7 };'),
      live: channelPackage('live', "return { id: '1', cancel() {} };"),
      late: channelPackage('late', 'return new Promise(() => {});'),
      good: channelPackage('good', SEND_BODY),
    };
    const { get, host } = await reloadScene(t, () => ({ ...channels, notices: noticesPackage() }), {
      plugins: [
        ...Object.keys(channels).map((module) => ({
          module,
          isolation,
          limits: { callTimeout: module === 'late' ? 1 : 30 },
        })),
        { module: 'notices', isolation },
      ],
      realms: [realmWithChannels({ bad: ENABLED, odd: ENABLED, live: ENABLED, late: ENABLED, good: ENABLED })],
    });
    const { bad, odd, live, late, good } = JSON.parse((await get('notices/AT')).text);
    t.deepEqual(bad, { code: 'no_credit', status: 402, message: 'top up' });
    t.is(odd.code, 'provider_shape');
    t.is(
      odd.message,
      'acme-odd: acme-channel/odd answered send with what its SPI does not allow: answer.id must be a string',
    );
    t.is(live.code, 'not_cloneable');
    t.regex(live.message, /acme-live: acme-channel\/live answered send with cancel, a function/);
    t.like(late, { code: 'provider_timeout', status: 504 });
    t.deepEqual(good, ['ACME,demo,you,hello', null], 'also after one that was late');
    const ends = Object.fromEntries(
      [...host.sessions.calls.counts()].map(({ provider, ends }) => [provider, [...ends.keys()]]),
    );
    t.like(ends, {
      'acme-channel/bad': ['refused'],
      'acme-channel/odd': ['failed'],
      'acme-channel/late': ['timeout'],
      'acme-channel/good': ['ok'],
    });
  });

  test(`SPIs of plugins: only values reach a provider, as copies, and only declared SPIs are found (${isolation})`, async (t) => {
    const tried = `
      const { Theme } = await import('@keyhost/spi');
      const failure = (of) => of.then(() => null, ({ code }) => code);
      const text = { of: 'hello' };
      told.given = await failure(provider.send('you', () => {}));
      told.changed = [(await provider.send('you', text)).id, text.of];
      told.host = await failure(session.providers(Theme));
      told.other = await failure(session.providers({ id: 'acme-other' }));`;
    const { get } = await reloadScene(
      t,
      () => ({
        sms: channelPackage('sms', "const { of } = text; text.of = 'mine'; return { id: String(of) };"),
        notices: noticesPackage({ more: tried }),
      }),
      {
        plugins: ['sms', 'notices'].map((module) => ({ module, isolation })),
        realms: [realmWithChannels({ sms: ENABLED })],
      },
    );
    t.like(JSON.parse((await get('notices/AT')).text), {
      given: 'not_cloneable',
      changed: ['hello', 'hello'],
      host: 'spi_not_declared',
      other: 'spi_not_declared',
    });
  });

  test(`SPIs of plugins: either side is replaced while the host serves, and a contract that does not fit is refused (${isolation})`, async (t) => {
    const scene = await reloadScene(
      t,
      () => ({ sms: channelPackage('sms', "return { id: 'one' };"), notices: noticesPackage() }),
      {
        plugins: ['sms', 'notices'].map((module) => ({ module, isolation })),
        realms: [realmWithChannels({ sms: ENABLED })],
      },
    );
    const { host, write, get, list } = scene;
    const sent = async () => JSON.parse((await get('notices/AT')).text);
    t.deepEqual(await sent(), { sms: ['one', null] });
    await write('sms', channelPackage('sms', "return { id: 'two' };", { provider: 'price: async () => 2,' }));
    await host.plugins.reload();
    t.deepEqual(await sent(), { sms: ['two', 2] });
    await write('notices', noticesPackage({ more: "told.version = 'next';" }));
    await host.plugins.reload();
    t.deepEqual(await sent(), { version: 'next', sms: ['two', 2] });
    // The same version of the contract with a stricter answer: open providers are checked against it from now on.
    const stricter = contractWith("required: ['id'] }", "required: ['id', 'at'] }");
    await write('notices', noticesPackage({ contract: stricter }));
    await host.plugins.reload();
    t.is((await sent()).sms.code, 'provider_shape');
    const second = contractWith("name: 'Channel',", "name: 'Channel', version: 2,");
    await write('notices', noticesPackage({ contract: second, more: 'told.contract = 2;' }));
    const refused = (await t.throwsAsync(host.plugins.reload())) as BootError;
    t.is(refused.code, 'plugin_api');
    t.is(refused.message, 'sms: acme-channel/sms was written for version 1 of Channel, this host offers version 2');
    t.is((await sent()).sms.code, 'provider_shape', 'what was refused changed nothing');
    await write('notices', noticesPackage({ more: "told.version = 'last';" }));
    const without = (await t.throwsAsync(list('sms').then(() => host.plugins.reload()))) as BootError;
    t.is(without.code, 'plugin_spi');
    await list(...['sms', 'notices'].map((module) => ({ module, isolation })));
    await host.plugins.reload();
    t.deepEqual(await sent(), { version: 'last', sms: ['two', 2] });
  });

  test(`SPIs of plugins: if an SPI is no longer declared, its implementers are left out if the host can do without (${isolation})`, async (t) => {
    const entry = { module: 'sms', isolation, required: false };
    const { host, list } = await reloadScene(
      t,
      () => ({ sms: channelPackage('sms', SEND_BODY), notices: noticesPackage() }),
      { plugins: [entry, { module: 'notices', isolation }], realms: [testRealm('demo', { providers: {} })] },
    );
    t.truthy(host.registry.find(Channel, 'sms'));
    await list(entry);
    t.is((await host.plugins.reload()).failures.length, 1);
    t.is(host.plugins.leftOut()[0]?.error.code, 'plugin_spi');
    t.is(host.registry.find(Channel, 'sms'), undefined);
    await list({ module: 'notices', isolation }, entry);
    await host.plugins.reload();
    t.truthy(host.registry.find(Channel, 'sms'), 'it comes back with who declares it');
  });

  test(`SPIs of plugins: an SPI has one contract in a host, and implementers wait for its declaration (${isolation})`, async (t) => {
    const start = (packages: Readonly<Record<string, ReturnType<typeof noticesPackage>>>, more: object = {}) =>
      reloadScene(t, () => packages, {
        plugins: Object.keys(packages).map((module) => ({ module, isolation, ...more })),
        realms: [testRealm('demo', { providers: {} })],
      });
    const refusal = async (packages: Parameters<typeof start>[0]) =>
      (await t.throwsAsync(start(packages))) as BootError;
    const sms = channelPackage('sms', SEND_BODY);
    const another = noticesPackage({ contract: contractWith("['price']", "['price', 'cancel']") });
    another['index.js'] = another['index.js']?.replaceAll('notices', 'letters') ?? '';
    const same = { ...noticesPackage() };
    same['index.js'] = same['index.js']?.replaceAll('notices', 'letters') ?? '';

    const differs = await refusal({ sms, notices: noticesPackage(), letters: another });
    t.is(differs.code, 'plugin_spi');
    t.is(differs.message, 'acme-letters and acme-notices declare the SPI acme-channel differently');
    await start({ sms, notices: noticesPackage(), letters: same });

    const nobody = await refusal({ sms });
    t.is(nobody.code, 'plugin_spi');
    t.is(nobody.message, 'acme-sms implements the SPI acme-channel, which no plugin declares');
    const near = await refusal({
      notices: noticesPackage({ contract: contractWith('acme-channel', 'acme-chanel') }),
      sms,
    });
    t.is(near.hint, 'did you mean acme-chanel?');
    const { host } = await start({ sms }, { required: false });
    t.is(host.plugins.leftOut()[0]?.error.code, 'plugin_spi');
  });

  test(`SPIs of plugins: an invalid contract, and a provider that violates it, are reported at the start (${isolation})`, async (t) => {
    const refusal = async (part: string, other: string, channel: Parameters<typeof channelPackage>[2] = {}) => {
      const contract = contractWith(part, other);
      const packages = {
        notices: noticesPackage({ contract }),
        sms: channelPackage('sms', SEND_BODY, { contract, ...channel }),
      };
      const plugins = Object.keys(packages).map((module) => ({ module, isolation }));
      const error = await t.throwsAsync(reloadScene(t, () => packages, { plugins, realms: [testRealm('demo')] }));
      return (error as BootError).message;
    };
    const name = "name: 'Channel',";
    t.regex(await refusal("'acme-channel'", "'theme'"), /invalid SPI ID theme/);
    t.regex(await refusal(name, `${name} crosses: [{ live: ['x'] }],`), /"crosses" is for Keyhost's own SPIs/);
    t.regex(await refusal(name, `${name} check() {},`), /check, a function/);
    t.regex(await refusal("['send']", "['send', 'then']"), /names of methods, not then/);
    t.regex(await refusal('answers: { send', 'answers: { sent'), /answers.sent is of no method/);
    t.regex(await refusal("required: ['id']", "requires: ['id']"), /not a valid JSON Schema/);
    t.regex(await refusal('', '', { declaration: '' }), /acme-sms: acme-channel\/sms: .*countries/);
    t.regex(await refusal('', '', { declaration: 'countries: [1],' }), /countries\[0\] must be a string/);
    t.regex(await refusal('', '', { declaration: "contries: ['AT']," }), /unknown member "contries" of/);
  });
}

test('SPIs of plugins: a provider that was looked up is good for its session alone', async (t) => {
  const kept = `
      const { keyhostKept: before } = globalThis;
      told.before = before === undefined ? null : await before.send('you', 'x').then(() => 'sent', ({ code }) => code);
      globalThis.keyhostKept = provider;`;
  const { get } = await reloadScene(
    t,
    () => ({ sms: channelPackage('sms', SEND_BODY), notices: noticesPackage({ more: kept }) }),
    { realms: [realmWithChannels({ sms: ENABLED })] },
  );
  t.teardown(() => Reflect.deleteProperty(globalThis, 'keyhostKept'));
  const before = async () => JSON.parse((await get('notices/AT')).text).before;
  t.deepEqual([await before(), await before()], [null, 'session_closed']);
});

test('SPIs of plugins: SPIs of plugins are listed where the host’s SPIs are', async (t) => {
  const packages = { sms: channelPackage('sms', SEND_BODY), notices: noticesPackage() };
  const scene = await reloadScene(t, () => packages, {
    realms: [realmWithChannels({ sms: ENABLED })],
    argv: ['--bootstrap-admin-username', 'root', '--bootstrap-admin-password', 'root-password'],
  });
  const call = await adminCaller(scene.host);
  const { providers } = JSON.parse((await call('GET', '/serverinfo')).text);
  t.deepEqual(Object.keys(providers['acme-channel'].providers), ['sms']);
  const shown = JSON.parse((await call('GET', '/realms/demo/providers/acme-channel/sms')).text);
  t.like(shown, { spi: 'acme-channel', enabled: true, enabledBy: 'providers', health: { status: 'up' } });
  t.is((await call('PUT', '/realms/demo/providers/acme-channel/sms', { enabled: false })).status, 204);
  t.is((await scene.get('notices/AT')).text, '{}');
  const wrong = await call('PUT', '/realms/demo/providers/acme-channel/sms', { config: { sendr: 'x' } });
  t.deepEqual([wrong.status, /sendr/.test(wrong.text)], [400, true]);

  const words = ['--providers-dir', scene.providersDir, '--plugins-file', join(scene.host.dir, 'plugins.json')];
  const listed = await keyhost(['plugin', 'list', ...words], { cwd: scene.host.dir });
  t.regex(listed.stdout, /├─ declares the SPI acme-channel\n└─ realm-restapi-extension\/notices/);
  t.regex(listed.stdout, /└─ acme-channel\/sms {2}in /);
  const schema = JSON.parse((await keyhost(['schema', 'realm', ...words], { cwd: scene.host.dir })).stdout);
  t.like(schema.properties.providers.properties['acme-channel'].properties.sms.properties.config.properties, {
    sender: { type: 'string' },
  });
  const verified = await keyhost(['plugin', 'verify', join(scene.providersDir, 'sms')], { cwd: scene.host.dir });
  t.is(verified.code, 0, verified.stdout);
  const misspelt = testRealm('demo', { providers: { 'acme-channel': { smss: ENABLED } } });
  const refused = await t.throwsAsync(reloadScene(t, () => packages, { realms: [misspelt] }));
  t.regex(String((refused as BootError).report()), /acme-channel "smss" not found.*sms/);
});
