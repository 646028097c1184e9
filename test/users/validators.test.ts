import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import type { BootError } from '../../core/config/boot-error.js';
import { realmFilesOf } from '../../core/config/realm-file/realm-folder.js';
import { replacing } from '../../core/di/module.js';
import type { RealmRepresentation } from '../../core/model/representation.js';
import { readValidFiles } from '../../core/realm-files/checked-file.js';
import { FileChecks } from '../../core/realm-files/module.js';
import { CallTimeout } from '../../core/registry/module.js';
import { ShortCallTimeout } from '../../core/users/module.js';
import { accountUser, openAccount, PASSWORD, send, told } from '../helpers/account.js';
import { adminCaller, startAdministered } from '../helpers/admin.js';
import { codeRealm } from '../helpers/code-realm.js';
import { partnerRealm, startWithPartner, TwoRealmBrowser } from '../helpers/external-idp.js';
import { Browser, codeRequest, unescapeHtml, type Visit } from '../helpers/form-browser.js';
import { fetchAnswer, type TestHost } from '../helpers/host.js';
import { bearer, logIn } from '../helpers/login.js';
import { pluginSource } from '../helpers/plugins.js';
import { codeOf, complaints, heading } from '../helpers/read-page.js';
import { NEWCOMER, storedUser, userProfile } from '../helpers/registration.js';
import { ask, scriptedPlugin } from '../helpers/scripted-plugin.js';

/** A validator that reports its input, and fails for certain values. */
const PLUGIN = pluginSource(import.meta.url, 'plugins/validator-words.js');

const own = { permissions: { view: ['admin', 'user'], edit: ['admin', 'user'] } };
const noWord = { 'no-word': { word: 'acme', most: '3' } };
const PROFILE = userProfile([
  { name: 'firstName', ...own },
  { name: 'lastName', ...own },
  { name: 'nick', ...own, validations: { length: { max: 20 }, ...noWord } },
  { name: 'badge', permissions: { view: ['user'], edit: ['admin'] }, validations: noWord },
]);

const german = { internationalizationEnabled: true, supportedLocales: ['en', 'de'] };

async function start(t: ExecutionContext, isolation: string, changes: Partial<RealmRepresentation> = {}) {
  const realmRoles = ['default-roles-demo'];
  const erin = accountUser('erin', { realmRoles, attributes: { nick: ['Er'], badge: ['acme 7'] } });
  const asked = accountUser('asked', { realmRoles, attributes: { nick: ['As'] }, requiredActions: ['UPDATE_PROFILE'] });
  const { host } = await startWithPartner(t, {
    demo: { registrationAllowed: true, ...PROFILE, ...german, ...changes, users: [erin, asked] },
    plugins: [{ module: 'words', isolation }],
    packages: { words: PLUGIN },
  });
  return host;
}

const nickOf = async (host: TestHost, username: string) => (await storedUser(host, username))?.attributes?.nick?.[0];
const link = (page: Visit, id: string) =>
  new URL(unescapeHtml(new RegExp(`id="${id}"[^]*?href="([^"]*)"`).exec(page.text)?.[1] ?? ''), page.url).href;

for (const isolation of ['none', 'worker']) {
  test(`validators: one of a plugin runs where built-in ones do (isolation ${isolation})`, async (t) => {
    const host = await start(t, isolation, {
      authenticatorConfig: [{ alias: 'review profile config', config: { 'update.profile.on.first.login': 'on' } }],
    });
    const call = await adminCaller(host);
    const refusal = (context: string) => ({
      field: 'nick',
      errorMessage: 'wordIn',
      params: ['nick', 'acme', context],
      error_description: `No acme in nick, asked by ${context}.`,
    });
    const UNAVAILABLE = [503, 'temporarily_unavailable', undefined];

    // Admins.
    const create = (nick: string) =>
      call('POST', '/realms/demo/users', { username: 'made', firstName: 'Made', attributes: { nick: [nick] } });
    t.deepEqual((await create('acme')).json, refusal('USER_API nobody Made number'));
    for (const bad of ['throws', 'nonsense']) {
      const { status, json, headers } = await create(bad);
      t.deepEqual([status, json.error, json.field as unknown], UNAVAILABLE, bad);
      t.is(headers.get('retry-after'), '5');
    }
    t.is((await create('x'.repeat(21))).json.errorMessage, 'error-invalid-length-too-long');
    t.is(await storedUser(host, 'made'), undefined);
    t.is((await create('fine')).status, 201);
    const [erin] = (await call('GET', '/realms/demo/users?username=erin')).json as unknown as { id: string }[];
    const update = (attributes: object) => call('PUT', `/realms/demo/users/${erin?.id}`, { attributes });
    // An unchanged value is not reported.
    t.is((await update({ nick: ['Er'], badge: ['acme 7'] })).status, 204);
    t.deepEqual((await update({ nick: ['Er'], badge: ['acme 8'] })).json.field, 'badge');
    t.deepEqual((await update({ nick: ['my acme'], badge: ['acme 7'] })).json, refusal('USER_API erin Erin number'));
    t.is((await update({ nick: ['throws'], badge: ['acme 7'] })).status, 503);
    t.is(await nickOf(host, 'erin'), 'Er');

    // The account: its API, and its page.
    const token = (await logIn(host, { username: 'erin', password: PASSWORD })).access_token;
    const headers = { ...bearer(token), 'content-type': 'application/json' };
    const post = (nick: string) => {
      const person = {
        email: 'erin@example.test',
        firstName: 'Erin',
        lastName: 'Example',
        attributes: { nick: [nick] },
      };
      return fetchAnswer(`${host.realm('demo')}/account/`, { method: 'POST', headers, body: JSON.stringify(person) });
    };
    t.deepEqual((await post('acme')).json, { errors: [refusal('ACCOUNT erin Erin number')] });
    t.is((await post('throws')).status, 503);
    t.is((await post('Rin')).status, 204);
    t.is(await nickOf(host, 'erin'), 'Rin');
    const browser = new Browser();
    let page = await openAccount(browser, host);
    const fields = { email: 'erin@example.test', firstName: 'Erin', lastName: 'Example' };
    page = await send(browser, page, '/', { ...fields, nick: 'own words' }, { 'accept-language': 'de' });
    t.deepEqual([page.status, told(page).at(-1)], [400, 'Eigene Worte.']);
    page = await send(browser, page, '/', { ...fields, nick: 'acme' }, { 'accept-language': 'de' });
    t.is(told(page).at(-1), 'Kein acme in nick, sagt ACCOUNT erin Erin number.');
    page = await send(browser, page, '/', { ...fields, nick: 'it throws' });
    t.deepEqual([page.status, told(page).at(-1)], [503, 'This cannot be checked at the moment. Try again later.']);
    t.regex(page.text, /name="nick"[^>]* value="it throws"/, 'what was typed is still there');
    t.is(await nickOf(host, 'erin'), 'Rin');
    t.is((await send(browser, page, '/', { ...fields, nick: 'Good' })).status, 303);

    // Registration.
    const newcomer = new Browser();
    page = await newcomer.open(link(await newcomer.open(codeRequest(host).url), 'kc-registration'));
    page = await newcomer.submit(page, { ...NEWCOMER, nick: 'acme' });
    t.deepEqual(
      [heading(page), ...complaints(page)],
      ['Register', 'No acme in nick, asked by REGISTRATION nobody New number.'],
    );
    page = await newcomer.submit(page, { ...NEWCOMER, nick: 'nonsense' });
    t.deepEqual(complaints(page), ['This cannot be checked at the moment. Try again later.']);
    t.is(await storedUser(host, 'newcomer'), undefined);
    t.truthy(codeOf(await newcomer.submit(page, { ...NEWCOMER, nick: 'New' })));
    t.is(await nickOf(host, 'newcomer'), 'New');

    // A required action.
    const action = new Browser();
    page = await action.submit(await action.open(codeRequest(host).url), { username: 'asked', password: PASSWORD });
    const answers = { ...fields, email: 'asked@example.test' };
    page = await action.submit(page, { ...answers, nick: 'acme' });
    t.deepEqual(complaints(page), ['No acme in nick, asked by UPDATE_PROFILE asked Erin number.']);
    page = await action.submit(page, { ...answers, nick: 'throws' });
    t.deepEqual(complaints(page), ['This cannot be checked at the moment. Try again later.']);
    t.is(await nickOf(host, 'asked'), 'As');
    t.truthy(codeOf(await action.submit(page, { ...answers, nick: 'Ask' })));
    t.is(await nickOf(host, 'asked'), 'Ask');

    // The answers are general; the log has the plugin's error.
    const reasons = host.log.filter(({ message }) => message === 'a call of a provider failed');
    t.true(reasons.some(({ fields: known }) => JSON.stringify(known).includes('the list of words is away')));
    // A worker that dies is one that failed.
    if (isolation === 'worker') {
      t.is((await update({ nick: ['it dies'], badge: ['acme 7'] })).status, 503);
      t.is(await nickOf(host, 'erin'), 'Good');
    }
    // A validator whose plugin was removed rejects every value, and the log names it.
    await writeFile(join(host.dir, 'plugins.json'), JSON.stringify({ plugins: [] }));
    t.is((await host.plugins.reload()).outcome, 'replaced');
    t.is((await update({ nick: ['Fine'], badge: ['acme 7'] })).status, 503);
    const missing = host.log.find(({ message }) =>
      message.startsWith('a user profile names a validator that no plugin'),
    );
    t.like(missing?.fields, { realm: 'demo', attribute: 'nick', validator: 'no-word' });
  });
}

test('validators: values from an identity provider are checked, too, and an address that the user changes', async (t) => {
  const ruled = userProfile([
    { name: 'firstName', ...own },
    { name: 'lastName', ...own, validations: noWord },
  ]);
  const host = await start(t, 'none', {
    ...ruled,
    authenticatorConfig: [{ alias: 'review profile config', config: { 'update.profile.on.first.login': 'on' } }],
  });
  const browser = new TwoRealmBrowser();
  let page = await browser.signInByPartner(host);
  const person = { username: 'paula', email: 'paula@partner.test', firstName: 'Paula' };
  page = await browser.submit(page, { ...person, lastName: 'acme' });
  t.deepEqual(complaints(page), ['No acme in lastName, asked by IDP_REVIEW nobody Paula number.']);
  page = await browser.submit(page, { ...person, lastName: 'throws' });
  t.deepEqual(complaints(page), ['This cannot be checked at the moment. Try again later.']);
  t.truthy(codeOf(await browser.submit(page, { ...person, lastName: 'Partner' })));
});

test('validators: a plugin’s write to an attribute without permissions is checked', async (t) => {
  const needs = { 'manage-users': 'changes users', 'view-users': 'reads users' };
  const host = await startAdministered(t, {
    realms: [
      codeRealm('demo', {
        ...userProfile([{ name: 'mark', validations: noWord }]),
        providers: { 'realm-restapi-extension': { steward: { enabled: true } } },
      }),
    ],
    plugins: [{ module: 'words' }, { module: 'steward', grants: { '*': Object.keys(needs) } }],
    packages: { words: PLUGIN, steward: scriptedPlugin('steward', needs) },
  });
  const id = (await storedUser(host, 'alice'))?.id;
  const write = (mark: string) => ask(host, 'demo', 'steward', 'users', 'update', id, { attributes: { mark: [mark] } });
  t.is((await write('acme')).error?.status, 400);
  t.is((await write('fine')).error, undefined);
  t.deepEqual((await storedUser(host, 'alice'))?.attributes?.mark, ['fine']);
});

test('validators: a first login shows a profile that a plugin rejects, unless the flow never shows it', async (t) => {
  const ruled = userProfile([
    { name: 'firstName', ...own },
    { name: 'lastName', ...own, validations: noWord },
  ]);
  for (const [when, isShown] of [
    ['missing', true],
    ['off', false],
  ] as const) {
    const { host } = await startWithPartner(t, {
      demo: {
        ...ruled,
        authenticatorConfig: [{ alias: 'review profile config', config: { 'update.profile.on.first.login': when } }],
      },
      partner: { users: partnerRealm().users?.map((user) => ({ ...user, lastName: 'of acme' })) ?? [] },
      plugins: [{ module: 'words' }],
      packages: { words: PLUGIN },
    });
    const browser = new TwoRealmBrowser();
    const page = await browser.signInByPartner(host);
    t.is(codeOf(page) === undefined, isShown, when);
    if (!isShown) continue;
    const person = { username: 'paula', email: 'paula@partner.test', firstName: 'Paula', lastName: 'Partner' };
    t.truthy(codeOf(await browser.submit(page, person)));
    t.is((await storedUser(host, 'paula'))?.lastName, 'Partner');
  }
});

test('validators: a first login does not wait for a validator that hangs: it shows the profile', async (t) => {
  const { host } = await startWithPartner(t, {
    demo: userProfile([
      { name: 'firstName', ...own },
      { name: 'lastName', ...own, validations: noWord },
    ]),
    partner: { users: partnerRealm().users?.map((user) => ({ ...user, lastName: 'hangs' })) ?? [] },
    plugins: [{ module: 'words' }],
    packages: { words: PLUGIN },
    replace: [replacing(ShortCallTimeout, 100)],
  });
  const page = await new TwoRealmBrowser().signInByPartner(host);
  t.is(codeOf(page), undefined);
  t.is(heading(page), 'Update account information');
  const reasons = host.log.map(({ fields }) => (fields as { reason?: string }).reason);
  t.is(reasons.filter((reason) => /^not done within \d+ ms$/.test(reason ?? '')).length, 1);
});

for (const [nick, isolation, limit] of [
  ['hangs', 'none', replacing(ShortCallTimeout, 100)],
  ['hangs', 'worker', replacing(ShortCallTimeout, 100)],
  // Each of the two answers in time, and both together do not.
  ['is slow', 'none', replacing(CallTimeout, 1300)],
  // The first answers in time, and the second gets the remaining time.
  ['is slow and has little time', 'none', replacing(ShortCallTimeout, 1000)],
] as const) {
  test(`validators: one that ${nick} locks out no user whose profile is verified (isolation ${isolation})`, async (t) => {
    const requiredActions = [{ alias: 'VERIFY_PROFILE', providerId: 'VERIFY_PROFILE', name: 'Verify', enabled: true }];
    const names = ['nick', 'other'];
    const attributes = Object.fromEntries(names.map((name) => [name, [nick]]));
    const late = accountUser('late', { realmRoles: ['default-roles-demo'], attributes });
    const profile = userProfile(names.map((name) => ({ name, ...own, validations: noWord })));
    const host = await startAdministered(t, {
      realms: [codeRealm('demo', { ...profile, requiredActions, providers: {}, users: [late] })],
      plugins: [{ module: 'words', isolation }],
      packages: { words: PLUGIN },
      replace: [limit],
    });
    const browser = new Browser();
    const page = await browser.open(codeRequest(host).url);
    t.truthy(codeOf(await browser.submit(page, { username: 'late', password: PASSWORD })));
    const reasons = host.log.map(({ fields }) => (fields as { reason?: string }).reason);
    t.is(
      reasons.some((reason) => /^not done within \d+ ms$/.test(reason ?? '')),
      nick !== 'is slow',
    );
    // The remaining time differs for each call, but the failure is logged only once until the next success.
    if (nick !== 'hangs') return;
    const failures = () => host.log.filter(({ message }) => message === 'a call of a provider failed').length;
    const told = failures();
    const another = new Browser();
    const again = await another.open(codeRequest(host).url);
    t.truthy(codeOf(await another.submit(again, { username: 'late', password: PASSWORD })));
    t.is(failures(), told);
  });
}

test('validators: a profile with an unknown one, or with invalid settings, is refused at its place', async (t) => {
  const host = await start(t, 'none');
  const call = await adminCaller(host);
  const profile = (validations: object) => ({
    attributes: ['username', 'email', 'nick'].map((name) => ({
      name,
      ...own,
      ...(name === 'nick' ? { validations } : {}),
    })),
  });
  /**
   * Keycloak 26.7.3's answers to its own validators: the beginning of the message, and whether it accepts the settings.
   */
  const cases: readonly [validations: object, message: RegExp | undefined][] = [
    [{ nosuch: {} }, /Validator 'nosuch' defined for attribute 'nick' doesn't exist/],
    [{ 'no-wort': {} }, /'no-wort' defined for attribute 'nick' doesn't exist; did you mean 'no-word'/],
    [{ length: { min: 'x' } }, /'length' defined for attribute 'nick' has incorrect configuration: min: /],
    [{ length: {} }, /'length' defined for attribute 'nick' has incorrect configuration/],
    [{ pattern: {} }, /'pattern' defined for attribute 'nick'/],
    [{ pattern: { pattern: '[' } }, /'pattern' defined for attribute 'nick'/],
    [{ options: {} }, /'options' defined for attribute 'nick' has incorrect configuration/],
    [{ options: { options: 'a' } }, /'options' defined for attribute 'nick' has incorrect configuration: options: /],
    [{ integer: { min: 'x' } }, /'integer' defined for attribute 'nick' has incorrect configuration: min: /],
    [{ email: { 'max-local-length': 'x' } }, /'email' defined for attribute 'nick' has incorrect configuration/],
    [{ 'not-blank': {}, 'not-empty': {} }, undefined],
    [{ options: { options: [] } }, undefined],
    [{ length: { min: 1, extra: 2 } }, undefined],
    [{ length: { min: '1' } }, undefined],
    [{ 'no-word': {} }, /'no-word' defined for attribute 'nick' has incorrect configuration: .*word/],
    [{ 'no-word': { word: 'ab' } }, /'no-word' .* has incorrect configuration: word: /],
    [{ 'no-word': { word: 'abc', most: 'many' } }, /'no-word' .* has incorrect configuration: most: /],
    [{ 'no-word': { word: 'abc', wrod: 'x' } }, /'no-word' .* has incorrect configuration: .*wrod/],
    [{ 'no-word': { word: 'abc', most: '7' } }, undefined],
  ];
  for (const [validations, message] of cases) {
    const { status, text } = await call('PUT', '/realms/demo/users/profile', profile(validations));
    t.is(status, message === undefined ? 200 : 400, JSON.stringify(validations));
    if (message !== undefined) t.regex(text, message, JSON.stringify(validations));
  }

  const dir = await mkdtemp(join(tmpdir(), 'keyhost-validators-'));
  t.teardown(() => rm(dir, { recursive: true, force: true }));
  const config = { 'kc.user.profile.config': [JSON.stringify(profile({ 'no-word': { word: 'ab' } }))] };
  const components = { 'org.keycloak.userprofile.UserProfileProvider': [{ config }] };
  await writeFile(join(dir, 'x.json'), JSON.stringify({ realm: 'x', components }, undefined, 2));
  const error = (await t.throwsAsync(async () =>
    readValidFiles(await realmFilesOf(join(dir, 'x.json')), host.use(FileChecks)),
  )) as BootError;
  t.regex(error.report(), /x\.json:\d+:\d+ .*Validator 'no-word' defined for attribute 'nick' has incorrect/);

  // Consoles choose from the same list.
  const { componentTypes, providers } = (await call('GET', '/serverinfo')).json as unknown as {
    componentTypes: Record<string, { id: string; helpText: string; properties: { name: string; type: string }[] }[]>;
    providers: Record<string, { providers: Record<string, unknown> }>;
  };
  const types = componentTypes['org.keycloak.validate.Validator'] ?? [];
  t.deepEqual(
    types.map(({ id }) => id),
    [
      'double',
      'email',
      'integer',
      'iso-date',
      'length',
      'local-date',
      'multivalued',
      // Realms of Keycloak may contain these, too, though its console does not offer them.
      'not-blank',
      'not-empty',
      'options',
      'pattern',
      'person-name-prohibited-characters',
      'up-username-not-idn-homograph',
      'uri',
      'username-prohibited-characters',
      'no-word',
    ],
  );
  t.deepEqual(
    Object.keys(providers.validator?.providers ?? {}),
    types.map(({ id }) => id),
  );
  const named = (id: string) => types.find((one) => one.id === id)?.properties.map(({ name, type }) => [name, type]);
  t.deepEqual(named('length'), [
    ['min', 'String'],
    ['max', 'String'],
    ['trim-disabled', 'boolean'],
  ]);
  t.deepEqual(named('options'), [['options', 'MultivaluedString']]);
  t.deepEqual(named('no-word'), [
    ['word', 'String'],
    ['most', 'String'],
  ]);
});
