import test from 'ava';
import { adminClient, administered, administrator, ROOT } from '../helpers/admin.js';
import { Browser, codeRequest, signIn } from '../helpers/form-browser.js';
import { claimsOf, fetchAnswer, type TestHost } from '../helpers/host.js';
import { testRealm } from '../helpers/realms.js';
import { shareHost } from '../helpers/shared-host.js';

const demo = testRealm('demo');
demo.users?.push(administrator('cleo', 'manage-clients'));
const brisk = testRealm('brisk', { accessTokenLifespan: 60, revokeRefreshToken: false });
const closed = testRealm('closed');
closed.clients?.push({ clientId: 'keyhost-desk', enabled: false });
const host = shareHost(test, administered({ realms: [demo, brisk, closed] }));

const DAVE = { username: 'dave', password: 'Dave-pass-1!' };
const consoleOf = ({ url }: TestHost) => `${url}/admin/desk/`;

function request(realm: string, changes: Record<string, string | undefined> = {}) {
  return codeRequest(host(), { client_id: 'keyhost-desk', redirect_uri: consoleOf(host()), ...changes }, realm);
}

interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly expires_in: number;
}

async function tokensOf(realm: string, who: Record<string, string> = DAVE): Promise<Tokens> {
  return (await tokens(realm, who)).json as unknown as Tokens;
}

/** Through the login page to tokens. */
async function tokens(realm: string, who: Record<string, string> = DAVE) {
  const { url, verifier } = request(realm);
  const { location } = await signIn(new Browser(), url, who);
  const code = location?.searchParams.get('code') ?? '';
  return host().token(realm, {
    grant_type: 'authorization_code',
    client_id: 'keyhost-desk',
    redirect_uri: consoleOf(host()),
    code,
    code_verifier: verifier,
  });
}

const refreshed = (realm: string, token: string) =>
  host().token(realm, { grant_type: 'refresh_token', client_id: 'keyhost-desk', refresh_token: token });

test('client of the admin console: every realm has it, and no realm stores it: neither its clients nor its export name it', async (t) => {
  const admin = await adminClient(host());
  for (const realm of ['demo', 'master']) {
    t.is((await tokens(realm, realm === 'master' ? ROOT : DAVE)).status, 200, realm);
    admin.setConfig({ realmName: realm });
    t.deepEqual(await admin.clients.find({ clientId: 'keyhost-desk' }), []);
    const exported = await admin.realms.export({ realm, exportClients: true, exportGroupsAndRoles: true });
    t.false(JSON.stringify(exported).includes('keyhost-desk'));
  }
});

test('client of the admin console: it has one redirect URI, uses a code with PKCE, and has no other way to tokens', async (t) => {
  const browser = new Browser();
  for (const redirect_uri of [
    `${consoleOf(host())}x`,
    `${consoleOf(host())}?x=1`,
    `${host().url}/admin/`,
    'https://elsewhere.test/',
  ])
    t.is((await browser.open(request('demo', { redirect_uri }).url)).status, 400, redirect_uri);
  for (const changes of [
    { code_challenge: undefined, code_challenge_method: undefined },
    { code_challenge_method: 'plain' },
  ]) {
    const { location } = await browser.open(request('demo', changes).url);
    t.is(location?.searchParams.get('error'), 'invalid_request');
  }
  const password = await host().token('demo', { grant_type: 'password', client_id: 'keyhost-desk', ...DAVE });
  t.deepEqual([password.status, password.json.error], [400, 'unauthorized_client']);
  const service = await host().token('demo', { grant_type: 'client_credentials', client_id: 'keyhost-desk' });
  t.true(service.status >= 400);
});

test('client of the admin console: pages of other origins cannot read responses to its tokens', async (t) => {
  const json = await tokensOf('demo');
  const { headers } = await fetchAnswer(`${host().url}/admin/realms/demo`, {
    headers: { authorization: `Bearer ${json.access_token}`, origin: 'https://elsewhere.test' },
  });
  t.is(headers.get('access-control-allow-origin'), null);
});

test('client of the admin console: its access tokens last five minutes at most, and contain admin roles and nothing else of the user', async (t) => {
  const json = await tokensOf('demo');
  t.is(json.expires_in, 300);
  t.is((await tokensOf('brisk')).expires_in, 60);
  const claims = claimsOf(json.access_token) as Record<string, Record<string, unknown>>;
  t.deepEqual(Object.keys(claims.resource_access ?? {}), ['realm-management']);
  t.is(claims.realm_access, undefined);
  const root = claimsOf((await tokensOf('master', ROOT)).access_token) as Record<string, { roles: string[] }>;
  t.true(root.realm_access?.roles.includes('admin'));
  t.false(root.realm_access?.roles.some((role) => role.startsWith('default-roles')));
});

test('client of the admin console: its refresh tokens are valid once, whatever the realm sets for others', async (t) => {
  const first = (await tokensOf('brisk')).refresh_token;
  const second = await refreshed('brisk', first);
  t.is(second.status, 200);
  const next = String(second.json.refresh_token);
  t.not(next, first);
  t.is((await refreshed('brisk', next)).status, 200);
  t.like(await refreshed('brisk', first), { status: 400, json: { error: 'invalid_grant' } });
});

test('client of the admin console: a realm that declares the client itself overrides it, and can disable it', async (t) => {
  const { status, text } = await new Browser().open(request('closed').url);
  t.is(status, 400);
  t.regex(text, /disabled/i);
});

test('client of the admin console: manage-clients alone cannot create a client of its name, which users would trust', async (t) => {
  const own = await adminClient(host(), { realm: 'demo', username: 'cleo', password: 'cleo' });
  const failure = await t.throwsAsync(
    own.clients.create({ clientId: 'keyhost-desk', redirectUris: ['https://elsewhere.test/'] }),
  );
  t.is((failure as unknown as { response: Response }).response.status, 403);
});
