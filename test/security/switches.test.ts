import test from 'ava';
import { PROFILE_CONFIG, USER_PROFILES } from '../../core/model/user-profile.js';
import { adminCaller, administered, administrator, ownRealm } from '../helpers/admin.js';
import { codeRealm } from '../helpers/code-realm.js';
import { freshCode, redeem } from '../helpers/codes.js';
import { approve, beginDevice, deviceRealm, poll } from '../helpers/device.js';
import { Browser, codeRequest, formAction, signIn } from '../helpers/form-browser.js';
import { inRealm, type TestHost } from '../helpers/host.js';
import { ALICE_LOGIN, bearer, introspect, logIn, userinfo, WEB } from '../helpers/login.js';
import { idIn } from '../helpers/realms.js';
import { shareHost } from '../helpers/shared-host.js';

const REMEMBERED = { username: 'alice', password: 'Alice-pass-1!', rememberMe: 'on' };
const shared = shareHost(test, administered({ realms: [] }));

async function setting(host: TestHost) {
  const call = await adminCaller(host);
  const realm = `/realms/${host.defaultRealm}`;
  return {
    call,
    realm: async (changes: object) => {
      const { json } = await call('GET', realm);
      const { status, text } = await call('PUT', realm, { ...json, ...changes });
      if (status !== 204) throw new Error(`${status} ${text}`);
    },
    client: async (clientId: string, changes: object) => {
      const [one] = (await call('GET', `${realm}/clients?clientId=${clientId}`)).json as unknown as { id: string }[];
      const { status, text } = await call('PUT', `${realm}/clients/${one?.id}`, { ...one, ...changes });
      if (status !== 204) throw new Error(`${status} ${text}`);
    },
  };
}

const refreshing = (host: TestHost, refresh_token: string, client: Record<string, string> = WEB) =>
  host.token(host.defaultRealm, { ...client, grant_type: 'refresh_token', refresh_token });

test('T850 · switches: a realm that does not remember users any more has ended their sessions, at every door', async (t) => {
  const host = await inRealm(shared(), (name) => codeRealm(name, { rememberMe: true }));
  const set = await setting(host);
  const browser = new Browser();
  const other = new Browser();
  const begin = async (as: Browser, changes: Record<string, string>, fields: Record<string, string>) => {
    const { url, verifier } = codeRequest(host, changes);
    const back = await signIn(as, url, fields);
    const code = back.location?.searchParams.get('code') ?? '';
    return { code, verifier, session: '' };
  };
  const silently = async (as: Browser) =>
    (await as.open(codeRequest(host, { prompt: 'none' }).url)).location?.searchParams.get('error');
  const tokens = async (code: Awaited<ReturnType<typeof begin>>) =>
    (await redeem(host, code)).json as unknown as { access_token: string; refresh_token: string };
  const first = await tokens(await begin(browser, {}, REMEMBERED));
  const { username, password } = REMEMBERED;
  const plain = await tokens(await begin(other, {}, { username, password }));
  const offline = await tokens(await begin(new Browser(), { scope: 'openid offline_access' }, REMEMBERED));
  const late = await begin(new Browser(), {}, REMEMBERED);
  const page = new Browser();
  const pending = await page.open(codeRequest(host).url);
  await set.realm({ rememberMe: false });
  t.is(await silently(browser), 'login_required');
  t.is((await userinfo(host, first.access_token)).status, 401);
  t.is((await introspect(host, first.access_token)).json.active, false);
  const hint = { token_type_hint: 'refresh_token' };
  t.is((await introspect(host, first.refresh_token, hint)).json.active, false);
  const account = await fetch(`${host.realm(host.defaultRealm)}/account`, {
    headers: { ...bearer(first.access_token), accept: 'application/json' },
  });
  t.is(account.status, 401);
  t.is((await redeem(host, late)).json.error, 'invalid_grant');
  t.is((await refreshing(host, first.refresh_token)).json.error, 'invalid_grant');
  // Nothing else ends: neither other sessions nor, as in Keycloak, offline ones.
  t.is(await silently(other), null);
  t.is((await refreshing(host, plain.refresh_token)).status, 200);
  t.is((await refreshing(host, offline.refresh_token)).status, 200);
  // A page from before asks for “remember me”, which the realm no longer offers: the login succeeds, but is not
  // remembered.
  const back = await page.submit(pending, REMEMBERED);
  t.true(back.location?.searchParams.has('code'), back.text);
  t.is(await silently(page), null);
  t.false(page.cookies.has('KEYCLOAK_REMEMBER_ME'));
});

const BOTH = { view: ['admin', 'user'], edit: ['admin', 'user'] };
const HIDDEN = { view: ['user'], edit: ['user'] };
/**
 * `secret` is hidden because it has no permissions, `own` and the last name by their permissions; `loose` is not
 * declared.
 */
const profile = (unmanagedAttributePolicy?: string) => ({
  components: {
    [USER_PROFILES]: [
      {
        providerId: 'declarative-user-profile',
        config: {
          [PROFILE_CONFIG]: [
            JSON.stringify({
              attributes: [
                { name: 'username', permissions: BOTH },
                { name: 'email', permissions: BOTH },
                { name: 'firstName', permissions: BOTH },
                { name: 'lastName', permissions: HIDDEN },
                { name: 'secret' },
                { name: 'own', permissions: HIDDEN },
                { name: 'seen', permissions: { view: ['admin'], edit: [] } },
                { name: 'written', permissions: { view: [], edit: ['admin'] } },
              ],
              ...(unmanagedAttributePolicy && { unmanagedAttributePolicy }),
            }),
          ],
        },
      },
    ],
  },
});
const VALUES = { secret: ['s1'], own: ['o1'], loose: ['l1'], seen: ['v1'], written: ['w1'] };

const hiding = (unmanagedAttributePolicy?: string) =>
  ownRealm(shared(), (realm) => ({
    ...profile(unmanagedAttributePolicy),
    users: [
      ...(realm.users ?? []).map((user) =>
        user.username === 'alice' || user.serviceAccountClientId === 'nl'
          ? { ...user, lastName: 'Hidden', attributes: VALUES, realmRoles: ['reader'], groups: ['/team'] }
          : user,
      ),
      administrator('viewer', 'view-users', 'query-users', 'view-clients', 'view-realm', 'query-groups'),
    ],
  }));

test('T851 · switches: attributes that the user profile hides from admins are in no answer to them', async (t) => {
  for (const [policy, loose] of [
    [undefined, false],
    ['ADMIN_VIEW', true],
    ['ADMIN_EDIT', true],
    ['ENABLED', true],
  ] as const) {
    const { host } = await hiding(policy);
    const realm = `/realms/${host.defaultRealm}`;
    for (const who of [{}, { realm: host.defaultRealm, username: 'viewer', password: 'viewer' }]) {
      const call = await adminCaller(host, who);
      const [nl] = (await call('GET', `${realm}/clients?clientId=nl`)).json as unknown as { id: string }[];
      const [team] = (await call('GET', `${realm}/groups`)).json as unknown as { id: string }[];
      const alice = `${realm}/users/${idIn(host.defaultRealm)}`;
      const doors: [path: string, full: boolean][] = [
        [alice, true],
        [`${alice}?userProfileMetadata=true`, true],
        [`${alice}/unmanagedAttributes`, false],
        [`${realm}/users?username=alice`, true],
        [`${realm}/users?search=alice&briefRepresentation=true`, false],
        [`${realm}/users?search=id:${idIn(host.defaultRealm)}`, true],
        [`${realm}/ui-ext/brute-force-user?username=alice`, true],
        [`${realm}/groups/${team?.id}/members?briefRepresentation=false`, true],
        [`${realm}/groups/${team?.id}/members?briefRepresentation=true`, false],
        [`${realm}/roles/reader/users?briefRepresentation=false`, true],
        [`${realm}/clients/${nl?.id}/service-account-user`, true],
        ...('username' in who ? [] : [[`POST ${realm}/partial-export?exportClients=true`, true] as [string, boolean]]),
      ];
      for (const [path, full] of doors) {
        const [method = '', at = ''] = path.startsWith('POST ') ? path.split(' ') : ['GET', path];
        const { status, text, json } = await call(method, at);
        const users = ([(json as { users?: unknown }).users ?? json] as unknown[]).flat(2);
        const what = `${policy} ${path} ${status}`;
        t.is(status, 200, what);
        t.true(users.length > 0, what);
        const told = JSON.stringify(users);
        for (const value of ['Hidden', 's1', 'o1']) t.false(told.includes(`"${value}"`), `${what} ${value} ${text}`);
        if (full) for (const value of ['v1', 'w1']) t.true(told.includes(`"${value}"`), `${what} ${value}`);
        const showsLoose = full || path.includes('unmanaged');
        if (!loose || showsLoose) t.is(told.includes('"l1"'), loose, `${what} loose`);
      }
      // Searches do not reveal the value either.
      const found = async (query: string) => (await call('GET', `${realm}/users?${query}`)).json as unknown as object[];
      const counted = async (query: string) => (await call('GET', `${realm}/users/count?${query}`)).text;
      for (const query of ['q=secret:s1', 'q=own:o1', 'lastName=Hidden', 'q=lastName:Hidden']) {
        t.deepEqual([await found(query), await counted(query)], [[], '0'], query);
      }
      t.is((await found('q=seen:v1')).length, 2);
      t.is((await found('q=loose:l1')).length, loose ? 2 : 0);
    }
  }
});

test('T852 · switches: settings that an admin cannot see survive their edits, and cannot be set by them', async (t) => {
  const { host } = await hiding();
  const call = await adminCaller(host);
  const alice = `/realms/${host.defaultRealm}/users/${idIn(host.defaultRealm)}`;
  const stored = async () => {
    const realm = await host.realms.get(host.defaultRealm);
    const user = realm && (await host.users.byId(realm, idIn(host.defaultRealm)));
    return { ...user?.view.attributes, lastName: user?.view.lastName };
  };
  const kept = { secret: ['s1'], own: ['o1'], loose: ['l1'], lastName: 'Hidden' };
  const shown = (await call('GET', alice)).json;
  t.is((await call('PUT', alice, { ...(shown as object), firstName: 'New' })).status, 204);
  t.like(await stored(), { ...kept, seen: ['v1'], written: ['w1'] });
  t.is((await call('PUT', alice, { attributes: { written: ['w2'] } })).status, 204);
  t.like(await stored(), { ...kept, seen: ['v1'], written: ['w2'] });
  t.is((await call('PUT', alice, { attributes: {} })).status, 204);
  t.like(await stored(), { ...kept, seen: ['v1'] });
  for (const body of [
    { attributes: { secret: ['mine'] } },
    { attributes: { own: ['mine'] } },
    { lastName: 'Mine' },
    { lastName: '' },
  ]) {
    const { status, json } = await call('PUT', alice, body);
    t.deepEqual([status, json.errorMessage], [400, 'error-user-attribute-read-only'], JSON.stringify(body));
  }
  t.like(await stored(), kept);
});

test('T853 · switches: a flow that is switched off gives no tokens for codes and tokens from before', async (t) => {
  const host = await inRealm(shared(), (name) => {
    const realm = deviceRealm(name);
    return {
      ...realm,
      clients: (realm.clients ?? []).map((client) => ({ ...client, redirectUris: ['http://127.0.0.1:9999/cb'] })),
    };
  });
  const set = await setting(host);
  const refused = (answer: { json: Record<string, unknown>; text: string }, what: string) =>
    t.true(
      ['invalid_grant', 'unauthorized_client', 'invalid_scope', 'invalid_client'].includes(String(answer.json.error)),
      `${what} ${answer.text}`,
    );
  const byCode = await redeem(host, await freshCode(host));
  const byPassword = await logIn(host);
  const pending = await freshCode(host);
  const tv = { client_id: 'tv' };
  const device = await beginDevice(host, tv);
  await approve(host, device.user_code);
  await set.client('web', { standardFlowEnabled: false });
  refused(await redeem(host, pending), 'code');
  refused(await refreshing(host, String(byCode.json.refresh_token)), 'refresh of a code');
  const next = await refreshing(host, byPassword.refresh_token);
  t.is(next.status, 200, next.text);
  await set.client('web', { standardFlowEnabled: true, directAccessGrantsEnabled: false });
  refused(await refreshing(host, String(next.json.refresh_token)), 'refresh of a password');
  await set.client('web', { directAccessGrantsEnabled: true, consentRequired: true });
  refused(await host.token(host.defaultRealm, { ...WEB, ...ALICE_LOGIN }), 'password with consent');
  await set.client('tv', { attributes: { 'oauth2.device.authorization.grant.enabled': 'false' } });
  refused(await poll(host, device.device_code), 'device');
});

test('T854 · switches: a client that is disabled, or requires consent now, cannot use what it got before', async (t) => {
  const host = await inRealm(shared(), (name) => codeRealm(name));
  const set = await setting(host);
  const fresh = await redeem(host, await freshCode(host));
  const pending = await freshCode(host);
  const { access_token, refresh_token } = fresh.json as { access_token?: string; refresh_token?: string };
  await set.client('web', { consentRequired: true });
  t.is((await redeem(host, pending)).json.error, 'invalid_scope');
  t.is((await refreshing(host, refresh_token ?? '')).json.error, 'invalid_grant');
  await set.client('web', { consentRequired: false, enabled: false });
  t.is((await userinfo(host, access_token ?? '')).status, 401);
  const asked = await introspect(host, access_token ?? '', { client_id: 'web2', client_secret: 'web2-secret' });
  t.is(asked.json.active, false);
  t.is((await refreshing(host, refresh_token ?? '')).status, 401);
});

test('T855 · switches: registration, reset of passwords and names of the login are off at pages from before, too', async (t) => {
  const open = {
    registrationAllowed: true,
    resetPasswordAllowed: true,
    loginWithEmailAllowed: true,
    smtpServer: { host: '127.0.0.1', port: '1', from: 'a@x.test' },
  };
  const host = await inRealm(shared(), (name) => codeRealm(name, open));
  const set = await setting(host);
  const link = (text: string, words: string) =>
    [...text.matchAll(/href="([^"]+)"/g)]
      .map(([, href = '']) => href.replaceAll('&amp;', '&'))
      .find((href) => href.includes(words));
  const to = async (browser: Browser, words: string) => {
    const page = await browser.open(codeRequest(host).url);
    return browser.open(new URL(link(page.text, words) ?? '', page.url).href);
  };
  const registering = new Browser();
  const resetting = new Browser();
  const naming = new Browser();
  const form = await to(registering, 'registration');
  const reset = await to(resetting, 'reset-credentials');
  const login = await naming.open(codeRequest(host).url);
  t.true(formAction(form).includes('registration') && formAction(reset).includes('reset-credentials'));
  await set.realm({ registrationAllowed: false, resetPasswordAllowed: false, loginWithEmailAllowed: false });
  const person = { username: 'nina', email: 'nina@x.test', firstName: 'N', lastName: 'N' };
  await registering.submit(form, { ...person, password: 'Nina-pass-1!', 'password-confirm': 'Nina-pass-1!' });
  const realm = await host.realms.get(host.defaultRealm);
  t.is(realm && (await host.users.byUsername(realm, 'nina')), undefined);
  await resetting.submit(reset, { username: 'alice' });
  const events = await host.stored(host.defaultRealm);
  t.false(events.some(({ type, error }) => type === 'SEND_RESET_PASSWORD' && error === undefined));
  t.false(events.some(({ type, error }) => type === 'SEND_RESET_PASSWORD_ERROR' && error === 'email_send_failed'));
  const byAddress = await naming.submit(login, { username: 'alice@example.test', password: 'Alice-pass-1!' });
  t.is(byAddress.location, undefined);
  const grant = await host.token(host.defaultRealm, { ...WEB, ...ALICE_LOGIN, username: 'alice@example.test' });
  t.is(grant.json.error, 'invalid_grant');
});
