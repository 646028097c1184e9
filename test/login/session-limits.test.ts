import test, { type ExecutionContext } from 'ava';
import type { RealmRepresentation } from '../../core/model/representation.js';
import { codeRealm, TWO } from '../helpers/code-realm.js';
import { Browser, codeRequest, signIn, type Visit } from '../helpers/form-browser.js';
import { inRealm, TestClock, type TestHost } from '../helpers/host.js';
import { ALICE_LOGIN, WEB, WEB2 } from '../helpers/login.js';
import { shareHost } from '../helpers/shared-host.js';
import { flow, inner, step } from '../helpers/weak-flows.js';

/** Each login moves it, so that sessions differ in their age. */
const clock = new TestClock();
const shared = shareHost(test, { realms: [], clock });

const LIMITS = step('user-session-limits', 'REQUIRED', { authenticatorConfig: 'limits' });
const PASSWORD = step('auth-username-password-form');

function realmOf(name: string, config: Record<string, string>): RealmRepresentation {
  return codeRealm(name, {
    providers: {},
    browserFlow: 'own',
    directGrantFlow: 'own grant',
    authenticationFlows: [
      flow('own', step('auth-cookie', 'ALTERNATIVE'), inner('forms', 'ALTERNATIVE')),
      flow('forms', PASSWORD, LIMITS),
      flow('own grant', step('direct-grant-validate-username'), step('direct-grant-validate-password'), LIMITS),
    ],
    authenticatorConfig: [{ alias: 'limits', config }],
  });
}

const started = (config: Record<string, string>) => inRealm(shared(), (name) => realmOf(name, config));

const AT_TWO = { client_id: 'web2', redirect_uri: TWO };
const isIn = ({ location }: Visit) => location?.searchParams.has('code') === true;

async function login(host: TestHost, changes: Record<string, string> = {}, browser = new Browser()) {
  clock.forward(1);
  return { browser, page: await signIn(browser, codeRequest(host, changes).url) };
}

/** The results of consecutive logins, at `web` or at `web2`. */
const outcomes = async (host: TestHost, ...logins: Record<string, string>[]) => {
  const all: boolean[] = [];
  for (const changes of logins) all.push(isIn((await login(host, changes)).page));
  return all;
};

const grant = async (host: TestHost) => host.token(host.defaultRealm, { ...WEB, ...ALICE_LOGIN });
const sessionsOf = async (host: TestHost) => (await host.store.sessions.list(host.defaultRealm, {})).length;

/** As Keycloak 26.7.3 answers consecutive logins, with their clients. */
const DENIED: readonly [config: Record<string, string>, logins: Record<string, string>[], outcomes: boolean[]][] = [
  [{}, [{}, {}, {}, {}], [true, true, true, true]],
  [{ userRealmLimit: '2' }, [{}, {}, {}], [true, true, false]],
  [{ userRealmLimit: '2' }, [{}, AT_TWO, {}], [true, true, false]],
  [{ userRealmLimit: '-1', userClientLimit: '-5' }, [{}, {}], [true, true]],
  [{ userRealmLimit: '', userClientLimit: '0' }, [{}, {}], [true, true]],
  [{ userRealmLimit: '3', userClientLimit: '1' }, [{}, {}, AT_TWO, AT_TWO], [true, false, true, false]],
];

test.serial('session limits: one session too many is denied, in the realm and at a client', async (t) => {
  for (const [config, logins, expected] of DENIED) {
    const host = await started({ behavior: 'Deny new session', ...config });
    t.deepEqual(await outcomes(host, ...logins), expected, JSON.stringify(config));
  }
});

async function refused(t: ExecutionContext, config: Record<string, string>): Promise<[page: string, grant: string]> {
  const host = await started({ userRealmLimit: '1', ...config });
  await login(host);
  const { page } = await login(host);
  const { status, json } = await grant(host);
  t.deepEqual([status, json.error], [400, 'invalid_grant']);
  const events = (await host.stored(host.defaultRealm)).filter(({ error }) => error !== undefined);
  t.deepEqual(
    events.map(({ type, error }) => [type, error]),
    [
      ['LOGIN_ERROR', 'generic_authentication_error'],
      ['LOGIN_ERROR', 'generic_authentication_error'],
    ],
  );
  return [page.text, json.error_description ?? ''];
}

test.serial('session limits: a denied user reads why, also in a password grant', async (t) => {
  const [page, program] = await refused(t, {});
  t.regex(page, /You are signed in too many times at once\. Sign out elsewhere and try again\./);
  t.is(program, 'There are too many sessions');
  const [ownPage, ownProgram] = await refused(t, { errorMessage: 'One is enough!' });
  t.regex(ownPage, /One is enough!/);
  t.is(ownProgram, 'One is enough!');
  const [ofKey] = await refused(t, { errorMessage: 'accountDisabledMessage' });
  t.regex(ofKey, /account is disabled/);
});

test.serial('session limits: the session of the browser that signs in again is not one too many', async (t) => {
  const host = await started({ userRealmLimit: '1', behavior: 'Deny new session' });
  const { browser } = await login(host);
  t.true(isIn(await browser.open(codeRequest(host).url)), 'by single sign-on');
  const again = await login(host, { prompt: 'login' }, browser);
  t.true(isIn(again.page));
  t.is(await sessionsOf(host), 1);
  t.false(isIn((await login(host, { prompt: 'login' })).page), 'in another browser it is');
});

test.serial('session limits: the least recently used session ends, and the event says so', async (t) => {
  const host = await started({ userRealmLimit: '2', behavior: 'Terminate oldest session' });
  const first = await login(host);
  const second = await login(host, AT_TWO);
  clock.forward(1);
  t.true(isIn(await first.browser.open(codeRequest(host).url)), 'the first is used again');
  t.true(isIn((await login(host)).page));
  t.is(await sessionsOf(host), 2);
  const silently = async ({ browser }: typeof first) =>
    isIn(await browser.open(codeRequest(host, { prompt: 'none' }).url));
  t.deepEqual([await silently(first), await silently(second)], [true, false]);
  const [logout] = (await host.stored(host.defaultRealm)).filter(({ type }) => type === 'LOGOUT');
  t.like(logout, { clientId: 'web' });
  t.truthy(logout?.userId);
  t.is((await grant(host)).status, 200);
  t.is(await sessionsOf(host), 2);
});

test.serial('session limits: as many end as it takes, and of a client those that it has', async (t) => {
  const host = await started({ userClientLimit: '1', behavior: 'Terminate oldest session' });
  t.deepEqual(await outcomes(host, {}, AT_TWO, {}), [true, true, true]);
  t.is(await sessionsOf(host), 2);
});

test.serial('session limits: a session that has ended by its age takes no place', async (t) => {
  const host = await started({ userRealmLimit: '1', behavior: 'Deny new session' });
  await login(host);
  clock.forward(1801);
  t.true(isIn((await login(host)).page));
});

/** Consecutive logins by client, and the remaining sessions after each, as in Keycloak 26.7.3. */
const ENDED: readonly [limits: [realm: string, client: string], logins: string, left: string[]][] = [
  [['3', '2'], '1 2 2 2 2 1', ['1a', '1a 2b', '1a 2b 2c', '1a 2c 2d', '1a 2d 2e', '1f 2d 2e']],
  [['3', '1'], '1 2 2 1', ['1a', '1a 2b', '1a 2c', '1d 2c']],
  [['0', '2'], '1 2 2 2 1', ['1a', '1a 2b', '1a 2b 2c', '1a 2c 2d', '1a 1e 2c 2d']],
  [['2', '2'], '1 2 2 2', ['1a', '1a 2b', '2b 2c', '2c 2d']],
  [['2', '3'], '1 2 2 2', ['1a', '1a 2b', '2b 2c', '2c 2d']],
];

test.serial(
  'session limits: the session that ends is the client’s where its limit is reached, and the realm’s oldest otherwise',
  async (t) => {
    for (const [[userRealmLimit, userClientLimit], logins, expected] of ENDED) {
      const host = await started({ userRealmLimit, userClientLimit, behavior: 'Terminate oldest session' });
      const names = new Map<string, string>();
      const left: string[] = [];
      for (const client of logins.split(' ')) {
        clock.forward(1);
        const { json } = await host.token(host.defaultRealm, { ...(client === '1' ? WEB : WEB2), ...ALICE_LOGIN });
        const { session_state: id = '' } = json as { session_state?: string };
        names.set(id, `${client}${String.fromCharCode(97 + names.size)}`);
        const sessions = await host.store.sessions.list(host.defaultRealm, {});
        left.push(
          sessions
            .map((one) => names.get(one.id) ?? '?')
            .sort()
            .join(' '),
        );
      }
      t.deepEqual(left, expected, `${userRealmLimit} ${userClientLimit}`);
    }
  },
);

test.serial(
  'session limits: a login ends as many sessions as are too many, at the client and in the realm',
  async (t) => {
    const limits = { userRealmLimit: '3', userClientLimit: '2', behavior: 'Terminate oldest session' };
    // Its browser flow has no limits.
    const host = await inRealm(shared(), (name) => ({ ...realmOf(name, limits), browserFlow: 'browser' }));
    for (const changes of [{}, {}, AT_TWO, AT_TWO, AT_TWO]) t.true(isIn((await login(host, changes)).page));
    clock.forward(1);
    t.is((await host.token(host.defaultRealm, { ...WEB2, ...ALICE_LOGIN })).status, 200);
    const clientUuid = (await host.realms.get(host.defaultRealm))?.clients.get('web2')?.id ?? '';
    t.is((await host.store.sessions.list(host.defaultRealm, { clientUuid })).length, 2);
    t.is(await sessionsOf(host), 3);
  },
);
