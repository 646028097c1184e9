import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import test, { type ExecutionContext } from 'ava';
import * as jose from 'jose';
import { RemoteChanges } from '../../core/realms/remote-changes.js';
import { adminCaller, administered, administrator } from '../helpers/admin.js';
import type { TestHost } from '../helpers/host.js';
import { startNodes } from '../helpers/nodes.js';
import { testRealm } from '../helpers/realms.js';

/** A key set at a URL. Its key changes but the kid does not, so a host with the cached set does not notice. */
async function keySet(t: Pick<ExecutionContext, 'teardown'>) {
  let key = await jose.generateKeyPair('ES256');
  const server = createServer(async (_, response) => {
    const jwk = { ...(await jose.exportJWK(key.publicKey)), kid: 'k', alg: 'ES256', use: 'sig' };
    response.end(JSON.stringify({ keys: [jwk] }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    async change() {
      key = await jose.generateKeyPair('ES256');
    },
    sign: (claims: jose.JWTPayload, typ = 'JWT') =>
      new jose.SignJWT({ jti: randomUUID(), ...claims })
        .setProtectedHeader({ alg: 'ES256', kid: 'k', typ })
        .setIssuedAt()
        .setExpirationTime('60s')
        .sign(key.privateKey),
  };
}

async function scene(t: ExecutionContext) {
  const keys = await keySet(t);
  const realm = (name: string) => {
    const one = testRealm(name);
    const signing = {
      clientId: 'signing',
      clientAuthenticatorType: 'client-jwt',
      serviceAccountsEnabled: true,
      attributes: { 'use.jwks.url': 'true', 'jwks.url': `${keys.url}/client` },
    };
    const config = { clientId: 'keyhost', clientSecret: 's', issuer: keys.url, tokenUrl: `${keys.url}/token` };
    const urls = { authorizationUrl: `${keys.url}/auth`, useJwksUrl: 'true', jwksUrl: `${keys.url}/provider` };
    const partner = {
      alias: 'partner',
      providerId: 'oidc',
      enabled: true,
      config: { ...config, ...urls, validateSignature: 'true' },
    };
    const plain = {
      ...partner,
      alias: 'plain',
      config: { ...config, authorizationUrl: `${keys.url}/auth`, issuer: `${keys.url}/plain` },
    };
    return {
      ...one,
      clients: [...(one.clients ?? []), signing],
      identityProviders: [partner, plain],
      users: [...(one.users ?? []), administrator('viewer', 'view-realm', 'view-identity-providers')],
    };
  };
  const { nodes } = await startNodes(t, administered({ realms: [realm('demo'), realm('other')] }));
  const [host, node] = nodes as [TestHost, TestHost];
  const byClient = async (at: TestHost, name = 'demo') => {
    const assertion = await keys.sign({
      iss: 'signing',
      sub: 'signing',
      aud: at.realm(name).replace(at.url, await addressOf(at, name)),
    });
    const type = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
    const form = { grant_type: 'client_credentials', client_assertion_type: type, client_assertion: assertion };
    return (await at.token(name, form)).status === 200;
  };
  const byProvider = async (at: TestHost, name = 'demo') => {
    const events = { 'http://schemas.openid.net/event/backchannel-logout': {} };
    const token = await keys.sign({ iss: keys.url, aud: 'keyhost', sub: 'somebody', events }, 'logout+jwt');
    const body = new URLSearchParams({ logout_token: token });
    return (await fetch(`${at.oidc(name)}/logout/backchannel-logout`, { method: 'POST', body })).status === 200;
  };
  return { keys, host, node, byClient, byProvider, call: await adminCaller(host) };
}

/** The host's issuer, independent of the address of the request. */
async function addressOf(host: TestHost, realm: string): Promise<string> {
  const response = await fetch(`${host.realm(realm)}/.well-known/openid-configuration`);
  const { issuer } = (await response.json()) as { issuer: string };
  return new URL(issuer).origin;
}

test('T877 · fetched keys: an admin has keys fetched again, at all nodes and in that realm alone', async (t) => {
  const { keys, host, node, byClient, byProvider, call } = await scene(t);
  const all = async () =>
    Promise.all([byClient(host), byClient(node), byClient(host, 'other'), byProvider(host), byProvider(node)]);
  t.deepEqual(await all(), [true, true, true, true, true]);
  await keys.change();
  t.deepEqual(await all(), [false, false, false, false, false]);
  const viewer = await adminCaller(host, { realm: 'demo', username: 'viewer', password: 'viewer' });
  t.is((await viewer('POST', '/realms/demo/clear-keys-cache')).status, 403);
  t.is((await viewer('POST', '/realms/demo/identity-provider/instances/partner/reload-keys')).status, 403);
  t.deepEqual(await all(), [false, false, false, false, false]);
  t.is((await call('POST', '/realms/demo/clear-keys-cache')).status, 204);
  // A node also handles its own change messages.
  for (const each of [host, node]) await each.use(RemoteChanges).poll();
  t.deepEqual(await all(), [true, true, false, true, true]);
});

test('T878 · fetched keys: an identity provider that is saved, or asked to reload its keys, has the current ones', async (t) => {
  const { keys, host, node, byProvider, call } = await scene(t);
  const path = '/realms/demo/identity-provider/instances';
  const both = async () => [await byProvider(host), await byProvider(node)];
  t.deepEqual(await both(), [true, true]);
  const saved = (await call('GET', `${path}/partner`)).json;
  const ways: [string, string, unknown, number, string | undefined][] = [
    ['PUT', `${path}/partner`, saved, 204, ''],
    [
      'POST',
      '/realms/demo/partialImport',
      { ifResourceExists: 'OVERWRITE', identityProviders: [saved] },
      200,
      undefined,
    ],
    ['GET', `${path}/partner/reload-keys`, undefined, 200, 'true'],
    ['POST', `${path}/partner/reload-keys`, undefined, 200, 'true'],
  ];
  for (const [method, way, body, status, text] of ways) {
    await keys.change();
    t.deepEqual(await both(), [false, false]);
    const answer = await call(method, way, body);
    t.is(answer.status, status, answer.text);
    t.is(answer.text, text ?? answer.text, `${method} ${way}`);
    // A node also handles its own change messages.
    for (const each of [host, node]) await each.use(RemoteChanges).poll();
    t.deepEqual(await both(), [true, true], `${method} ${way}`);
  }
  t.deepEqual((await call('GET', `${path}/plain/reload-keys`)).text, 'false');
  t.is((await call('GET', `${path}/nobody/reload-keys`)).status, 404);
});
