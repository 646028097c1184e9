import test from 'ava';
import { adminCaller, clientUuid, startDemo } from '../helpers/admin.js';
import { codeRealm } from '../helpers/code-realm.js';
import { redeem } from '../helpers/codes.js';
import { Browser, CALLBACK, codeRequest } from '../helpers/form-browser.js';
import { type Answer, claimsOf, startHost, type TestHost } from '../helpers/host.js';
import { introspect, logIn, post, userinfo, WEB, WEB2 } from '../helpers/login.js';
import { startLogoutReceiver } from '../helpers/logout-receiver.js';
import { ALICE } from '../helpers/realms.js';
import { startSector } from '../helpers/sector-identifier-server.js';

const PAIRWISE = 'oidc-sha256-pairwise-sub-mapper';
/** The subject that Keycloak 26.7 computed for these inputs. */
const KNOWN = {
  host: 'app.example.com',
  salt: 'salt',
  user: 'c854cc95-a7f8-43c3-9131-c6e7166e6881',
  sub: '582fcdeb-b1c1-3da7-98d2-5add1c48cbe5',
};

function pairwise(config: Record<string, string> = { pairwiseSubAlgorithmSalt: 'salt' }) {
  return { name: 'pairwise', protocol: 'openid-connect', protocolMapper: PAIRWISE, config };
}

/** `codeRealm` whose client `web` has subjects of its own. */
function realmOf(name: string) {
  const realm = codeRealm(name);
  const clients = realm.clients?.map((client) =>
    client.clientId === 'web' ? { ...client, redirectUris: [CALLBACK], protocolMappers: [pairwise()] } : client,
  );
  return { ...realm, clients: clients ?? [] };
}

/** The tokens of the client `web` after alice's login in the browser. */
async function tokensOf(host: TestHost, browser: Browser): Promise<Answer['json']> {
  const { url, verifier } = codeRequest(host);
  const back = await browser.submit(await browser.open(url), { username: 'alice', password: 'Alice-pass-1!' });
  const code = back.location?.searchParams.get('code') ?? '';
  return (await redeem(host, { code, verifier, session: '' })).json;
}

test('pairwise subjects: a subject is the one that Keycloak makes of sector, user and salt', async (t) => {
  const realm = codeRealm('demo');
  const password = 'Password-1!';
  const user = {
    id: KNOWN.user,
    username: 'moved',
    enabled: true,
    credentials: [{ type: 'password', value: password }],
  };
  const client = {
    clientId: 'moved-app',
    secret: 'app-secret',
    directAccessGrantsEnabled: true,
    redirectUris: [`https://${KNOWN.host}/cb`],
    protocolMappers: [pairwise({ pairwiseSubAlgorithmSalt: KNOWN.salt })],
  };
  const host = await startHost(t, {
    realms: [{ ...realm, clients: [...(realm.clients ?? []), client], users: [...(realm.users ?? []), user] }],
  });
  const form = { client_id: 'moved-app', client_secret: 'app-secret', username: 'moved', password };
  t.is(claimsOf((await logIn(host, form)).access_token).sub, KNOWN.sub);
});

test('pairwise subjects: the subject is in every token and response, and accepted back from each', async (t) => {
  const host = await startHost(t, { realms: [realmOf('demo')] });
  const browser = new Browser();
  const json = await tokensOf(host, browser);
  const [access, refresh, id] = [json.access_token, json.refresh_token, json.id_token].map(String) as [
    string,
    string,
    string,
  ];
  const sub = claimsOf(access).sub as unknown as string;
  t.not(sub, ALICE);
  t.deepEqual([claimsOf(refresh).sub, claimsOf(id).sub], [sub, sub]);
  t.is((await userinfo(host, access)).json.sub, sub);
  t.like((await introspect(host, access)).json, { active: true, sub, username: 'alice' });
  const told = (await introspect(host, refresh, { token_type_hint: 'refresh_token' })).json;
  t.like(told, { active: true, sub });
  const next = await host.token('demo', { ...WEB, grant_type: 'refresh_token', refresh_token: refresh });
  t.deepEqual([next.status, claimsOf(String(next.json.access_token)).sub], [200, sub]);
  const silent = async (parameters: Record<string, string>) => {
    const { location } = await browser.open(codeRequest(host, { prompt: 'none', ...parameters }).url);
    return location?.searchParams.get('error') ?? 'code';
  };
  const ask = (value: string) => silent({ claims: JSON.stringify({ id_token: { sub: { value } } }) });
  t.deepEqual(
    [await silent({ id_token_hint: id }), await ask(sub), await ask(ALICE)],
    ['code', 'code', 'login_required'],
  );
  const other = await logIn(host, { ...WEB2 });
  t.is(claimsOf(other.access_token).sub, ALICE, 'other clients know the user as before');
  t.is((await post(host, 'logout', { ...WEB, refresh_token: refresh })).status, 204);
  t.false((await introspect(host, access)).json.active);
});

test('pairwise subjects: a logout token names the user by the subject of the client’s own', async (t) => {
  const receiver = await startLogoutReceiver();
  t.teardown(() => receiver.close());
  const realm = realmOf('demo');
  const attributes = { 'backchannel.logout.url': `${receiver.url}/web` };
  const clients = realm.clients.map((client) => (client.clientId === 'web' ? { ...client, attributes } : client));
  const host = await startHost(t, { realms: [{ ...realm, clients }] });
  const { access_token: access, refresh_token: refresh } = await logIn(host);
  t.is((await post(host, 'logout', { ...WEB, refresh_token: refresh })).status, 204);
  t.deepEqual(
    receiver.tokens('/web').map((token) => claimsOf(token).sub),
    [claimsOf(access).sub],
  );
});

test('pairwise subjects: an id_token_hint with a subject of the client’s own logs out without a question', async (t) => {
  const host = await startHost(t, { realms: [realmOf('demo')] });
  const browser = new Browser();
  const json = await tokensOf(host, browser);
  const query = new URLSearchParams({ id_token_hint: String(json.id_token), post_logout_redirect_uri: CALLBACK });
  const left = await browser.open(`${host.oidc('demo')}/logout?${query}`);
  t.deepEqual([left.status, left.location?.href], [302, CALLBACK]);
});

test('pairwise subjects: a mapper without a salt gets one that stays, and addresses of several hosts need a sector identifier that lists them', async (t) => {
  const listed = ['https://a.example/cb', 'https://b.example/cb'];
  const { url: at } = await startSector(t, listed);
  const { host } = await startDemo(t);
  const call = await adminCaller(host);
  const create = (clientId: string, redirectUris: string[], config: Record<string, string> = {}) =>
    call('POST', '/realms/demo/clients', { clientId, redirectUris, protocolMappers: [pairwise(config)] });
  const refused = await create('two', listed);
  t.is(refused.status, 400);
  t.regex(refused.text, /must not contain multiple host components/);
  t.regex((await create('none', [])).text, /must contain a valid host component/);
  t.regex((await create('other', ['https://c.example/'], { sectorIdentifierUri: at })).text, /does not match/);
  for (const uri of ['ftp://x.example/', `${at.replace(/\d+\/$/, '1/')}`]) {
    t.regex((await create('bad', listed, { sectorIdentifierUri: uri })).text, /Failed to get redirect URIs/);
  }
  t.regex((await create('bad', listed, { sectorIdentifierUri: 'not a uri' })).text, /Malformed Sector/);
  t.is((await create('sector', listed, { sectorIdentifierUri: at })).status, 201);
  const models = `/realms/demo/clients/${await clientUuid(host, 'sector')}/protocol-mappers/models`;
  const [model] = (await call('GET', models)).json as unknown as [{ id: string; config: Record<string, string> }];
  const salt = model.config.pairwiseSubAlgorithmSalt;
  t.regex(salt ?? '', /^[0-9a-f-]{36}$/);
  await call('PUT', `${models}/${model.id}`, pairwise({ sectorIdentifierUri: at }));
  const after = (await call('GET', `${models}/${model.id}`)).json as unknown as { config: Record<string, string> };
  t.is(after.config.pairwiseSubAlgorithmSalt, salt);
  const added = await call('PUT', `/realms/demo/clients/${await clientUuid(host, 'sector')}`, {
    redirectUris: [...listed, 'https://evil.example/cb'],
  });
  t.is(added.status, 400, 'an address is added to the sector before it is added to the client');
});
