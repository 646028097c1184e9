import test from 'ava';
import { adminCaller } from '../helpers/admin.js';
import {
  codeOf,
  events,
  login,
  on,
  PASSWORD,
  SAFE,
  safe,
  startSafes,
  storedOf,
  titleOf,
} from '../helpers/credential-plugin.js';
import { eventually } from '../helpers/eventually.js';
import { Browser, follow, signIn } from '../helpers/form-browser.js';
import { fetchAnswer, type TestHost } from '../helpers/host.js';
import { pluginSource } from '../helpers/plugins.js';
import { ALICE, DAVE } from '../helpers/realms.js';
import { flow, step } from '../helpers/stepping-realm.js';

const ISOLATIONS = ['none', 'worker'] as const;
const WRONG = /That is not it\./;

async function tries(host: TestHost, code: string) {
  const browser = new Browser();
  const asked = await signIn(browser, login(host));
  // While the plugin's worker is down, the page is not shown.
  return asked.status === 503 ? asked : browser.submit(asked, { code });
}

for (const isolation of ISOLATIONS) {
  test(`T705 · credentials of plugins: a type whose provider throws, hangs, lies or is killed lets nobody in, counts no attempt and loses nothing (${isolation})`, async (t) => {
    const host = await startSafes(t, isolation, [safe(['one', 'two'])], { hangs: true });
    const call = await adminCaller(host);
    const faults = ['throws', 'nonsense', 'swells', 'hangs', ...(isolation === 'worker' ? ['dies'] : [])];
    for (const code of [...faults, 'throws']) {
      const { status, location, text } = await tries(host, code);
      t.true(status === 503 || status === 504, `${code}: ${status}`);
      t.is(location, undefined);
      t.notRegex(text, /the safe is away|stack|at .*\.js/);
    }
    const { json } = await call('GET', `/realms/demo/attack-detection/brute-force/users/${ALICE}`);
    t.like(json, { numFailures: 0, disabled: false });
    t.like((await storedOf(host))[0], { secretData: '{"codes":["one","two"]}', credentialData: '{"left":2}' });
    const reasons = host.log.map(({ fields }) => (fields as { reason?: string }).reason);
    t.true(reasons.includes('credential/safe-code answered verify with data of more than 10000 characters'));
    // A worker restarts after a while.
    t.true(await eventually(async () => codeOf(await tries(host, 'one')) !== undefined));
  });

  test(`T706 · credentials of plugins: wrong values of a type are counted, and a known password resets no count (${isolation})`, async (t) => {
    const host = await startSafes(t, isolation, [safe(['one', 'two'])]);
    for (const code of ['no', 'nope', 'never']) t.regex((await tries(host, code)).text, WRONG, code);
    const locked = await signIn(new Browser(), login(host));
    t.is(codeOf(locked), undefined);
    t.not(titleOf(locked), 'Open the safe');
    t.true((await events(host)).includes('LOGIN_ERROR user_temporarily_disabled'));
  });

  test(`T707 · credentials of plugins: a code of a plugin that is sent many times at once is good once (${isolation})`, async (t) => {
    const host = await startSafes(t, isolation, [safe(['one', 'two'])], { changes: { bruteForceProtected: false } });
    const asked = await Promise.all(
      [1, 2, 3, 4].map(async () => {
        const browser = new Browser();
        return { browser, page: await signIn(browser, login(host)) };
      }),
    );
    const answers = await Promise.all(asked.map(({ browser, page }) => browser.submit(page, { code: 'one' })));
    t.is(answers.filter((answer) => codeOf(answer) !== undefined).length, 1);
    t.is((await storedOf(host))[0]?.secretData, '{"codes":["two"]}');
  });

  test(`T708 · credentials of plugins: a plugin that asks for credentials of another plugin, of the host, or outside of a login (${isolation})`, async (t) => {
    const changes = {
      providers: {
        credential: { 'safe-code': on, badge: on },
        'realm-restapi-extension': { thief: on, outside: on },
      },
      browserFlow: 'spied',
      authenticationFlows: [{ ...flow('spied', step('auth-username-password-form'), step('thief')), topLevel: true }],
    };
    const more = { thief: THIEF, outside: OUTSIDE };
    const host = await startSafes(t, isolation, [safe(['one'])], { changes, more });
    const ask = async (id: string) => (await fetchAnswer(`${host.realm('demo')}/${id}`)).json as unknown;
    t.deepEqual(await ask('thief'), ['credential_type_not_own']);
    t.deepEqual(await ask('outside'), ['credential_without_user']);
    t.truthy(codeOf(await signIn(new Browser(), login(host))));
    const found = host.log
      .filter(({ message }) => message === 'found')
      .map(({ fields }) => fields as { codes: string });
    t.deepEqual(
      found.map(({ codes }) => codes),
      ['credential_type_not_own'],
    );
    t.is((await storedOf(host)).length, 1);
  });

  test(`T709 · credentials of plugins: a credential for a name that was typed and no more (${isolation})`, async (t) => {
    const host = await startSafes(t, isolation, [safe(['one'])], { changes: { browserFlow: 'unproven' } });
    for (const code of ['make me one', 'empty it']) {
      const visitor = new Browser();
      const named = await visitor.submit(await visitor.open(login(host)), { username: 'alice' });
      t.is((await visitor.submit(named, { code })).status, 500, code);
    }
    t.deepEqual(
      (await storedOf(host)).map(({ id }) => id),
      [SAFE],
    );
    t.true(host.log.some(({ fields }) => JSON.stringify(fields).includes('has not proven yet')));
  });
}

test('T710 · credentials of plugins: the ID of a credential of another user, verified and removed', async (t) => {
  const host = await startSafes(t, 'none', [safe(['one'])]);
  const call = await adminCaller(host);
  const theirs = { ...safe(['theirs']), id: undefined };
  t.is((await call('PUT', `/realms/demo/users/${DAVE}`, { credentials: [theirs] })).status, 204);
  const credentials = async () => (await host.store.users.byId('demo', DAVE))?.representation.credentials ?? [];
  const id = (await credentials()).find(({ type }) => type === 'safe-code')?.id;
  t.truthy(id);
  t.regex((await tries(host, `theirs@${id}`)).text, WRONG);
  t.regex((await tries(host, 'theirs')).text, WRONG);
  const browser = new Browser();
  const action = await browser.submit(await signIn(browser, login(host, { kc_action: 'safe-setup' })), { code: 'one' });
  t.truthy(codeOf(await browser.submit(action, { code: `take ${id}` })), 'what is not the user’s is not there');
  t.is((await credentials()).filter(({ type }) => type === 'safe-code').length, 1);
  t.is((await call('DELETE', `/realms/demo/users/${ALICE}/credentials/${id}`)).status, 404);
});

test('T711 · credentials of plugins: secrets of a plugin’s credentials in lists, events, the log and exports, and markup in their names', async (t) => {
  const host = await startSafes(t, 'none', [safe(['sesame-7'], { id: SAFE })]);
  const call = await adminCaller(host);
  const browser = new Browser();
  const asked = await follow(browser, await browser.open(`${host.realm('demo')}/account/account-security/signing-in`));
  const opens = await browser.submit(asked, { username: 'alice', password: PASSWORD });
  const page = await follow(browser, await browser.submit(await follow(browser, opens), { code: 'sesame-7' }));
  t.regex(page.text, /<h3>Safe<\/h3>\s*<p>Codes of a safe\.<\/p>/);
  t.regex(page.text, /<p class="item-title">Some &lt;b&gt;safe<\/p>/);
  t.regex(page.text, /href="[^"]*\/start\?action=safe-setup/);
  await call('PUT', `/realms/demo/users/${ALICE}`, { credentials: [safe(['sesame-8'])] });
  const shown = [
    page.text,
    (await call('GET', `/realms/demo/users/${ALICE}/credentials`)).text,
    (await call('GET', `/realms/demo/users/${ALICE}`)).text,
    (await call('POST', '/realms/demo/partial-export?exportClients=true')).text,
    JSON.stringify(await host.stored('demo')),
    JSON.stringify(host.log),
  ];
  for (const text of shown) t.notRegex(text, /sesame/);
});

test('T712 · credentials of plugins: a damaged credential is asked for like a valid one', async (t) => {
  for (const damage of [{ secretData: '[]' }, { secretData: 'one' }, { credentialData: '{' }]) {
    const host = await startSafes(t, 'none', [safe(['one'])], { changes: { bruteForceProtected: false } });
    await host.users.change(await host.loadedRealm('demo'), ALICE, (draft) => {
      draft.credentials = (draft.credentials ?? []).map((one) => (one.id === SAFE ? { ...one, ...damage } : one));
    });
    const browser = new Browser();
    const asked = await signIn(browser, login(host));
    t.is(codeOf(asked), undefined, 'the password alone is not enough');
    t.is(titleOf(asked), 'Open the safe');
    for (const code of ['one', '', '{}']) t.regex((await browser.submit(asked, { code })).text, WRONG);
    // An admin can see and delete it.
    const call = await adminCaller(host);
    t.is((await call('DELETE', `/realms/demo/users/${ALICE}/credentials/${SAFE}`)).status, 204);
    t.truthy(codeOf(await signIn(new Browser(), login(host))));
  }
});

/** A plugin that tries to read other plugins' credentials. */
const THIEF = pluginSource(import.meta.url, 'plugins/thief.js');

/** A plugin that accesses its own type outside of a login. */
const OUTSIDE = pluginSource(import.meta.url, 'plugins/outside.js');
