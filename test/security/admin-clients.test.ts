import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import test from 'ava';
import * as jose from 'jose';
import { adminCaller, administrator, clientUuid, startAdministered } from '../helpers/admin.js';
import type { TestHost } from '../helpers/host.js';
import { guardedRealm } from '../helpers/realms.js';

const realm = (name: string) => {
  const { users = [], ...rest } = guardedRealm(name);
  return {
    ...rest,
    users: [
      ...users,
      administrator('manager', 'manage-clients', 'view-realm'),
      administrator('viewer', 'view-clients', 'view-realm'),
      administrator('usermanager', 'manage-users'),
    ],
  };
};
const start = (t: Parameters<typeof startAdministered>[0]) =>
  startAdministered(t, { realms: [realm('demo'), realm('other')] });
const as = (host: TestHost, username: string) => adminCaller(host, { realm: 'demo', username, password: username });

test('T181 · Admin API, clients: an object of another realm is not found by its ID', async (t) => {
  const host = await start(t);
  const other = (await host.realms.get('other'))?.representation;
  const client = await clientUuid(host, 'web', 'other');
  const scope = other?.clientScopes?.[0]?.id ?? '';
  const role = other?.roles?.realm?.[0]?.id ?? '';
  const own = await clientUuid(host, 'web');
  const foreign: [string, string, unknown?][] = [
    ['GET', `clients/${client}`],
    ['PUT', `clients/${client}`, { enabled: false }],
    ['DELETE', `clients/${client}`],
    ['GET', `clients/${client}/client-secret`],
    ['POST', `clients/${client}/client-secret`],
    ['POST', `clients/${client}/registration-access-token`],
    ['GET', `clients/${client}/roles`],
    ['GET', `client-scopes/${scope}`],
    ['DELETE', `client-scopes/${scope}`],
    ['PUT', `clients/${own}/default-client-scopes/${scope}`],
    ['GET', `roles-by-id/${role}`],
    ['DELETE', `roles-by-id/${role}`],
    ['POST', 'roles/reader/composites', [{ id: role }]],
    ['POST', `clients/${own}/scope-mappings/realm`, [{ id: role }]],
    ['GET', `clients/${own}/scope-mappings/clients/${client}`],
  ];
  for (const call of [
    await adminCaller(host),
    await adminCaller(host, { realm: 'demo', username: 'dave', password: 'Dave-pass-1!' }),
  ]) {
    for (const [method, path, body] of foreign) {
      const answer = await call(method, `/realms/demo/${path}`, body);
      t.is(answer.status, 404, `${method} ${path} ${answer.text}`);
    }
    t.is(
      (await call('GET', `/realms/demo/clients/${encodeURIComponent(`../../other/clients/${client}`)}`)).status,
      404,
    );
  }
  t.is((await host.realms.get('other'))?.version, 1);
});

test('T183 · Admin API, clients: view-clients sees no secret of a client', async (t) => {
  const host = await start(t);
  const viewer = await as(host, 'viewer');
  const web = await clientUuid(host, 'web');
  const secrets = (await host.realms.get('demo'))?.representation.clients?.flatMap(({ secret }) => secret ?? []) ?? [];
  t.true(secrets.length > 3);
  const paths = [
    'clients',
    'clients?clientId=web',
    `clients/${web}`,
    `clients/${web}/installation/providers/keycloak-oidc-keycloak-json`,
    `clients/${web}/certificates/jwt.credential`,
    `clients/${await clientUuid(host, 'nl')}/service-account-user`,
    'client-scopes',
    'clients-initial-access',
  ];
  for (const path of paths) {
    const { status, text } = await viewer('GET', `/realms/demo/${path}`);
    t.is(status, 200, path);
    for (const secret of secrets) t.false(text.includes(JSON.stringify(secret)), path);
  }
  for (const path of ['client-secret', 'client-secret/rotated']) {
    t.is((await viewer('GET', `/realms/demo/clients/${web}/${path}`)).status, 403);
  }
});

test('T185 · Admin API, clients: bad addresses of a client are refused with a word about which', async (t) => {
  const host = await start(t);
  const manager = await as(host, 'manager');
  const web = `/realms/demo/clients/${await clientUuid(host, 'web')}`;
  const many = Array.from({ length: 10_000 }, (_, index) => `https://a${index}.example.test/callback`);
  const bad: [object, RegExp][] = [
    [{ redirectUris: ['javascript:alert(1)'] }, /redirectUris.*scheme/],
    [{ redirectUris: ['https://a.test/', 'JAVASCRIPT:alert(1)'] }, /redirectUris.*scheme/],
    [{ redirectUris: ['data:text/html,x'] }, /redirectUris.*scheme/],
    [{ redirectUris: ['https://a.test/#x'] }, /redirectUris.*fragment/],
    [{ attributes: { 'post.logout.redirect.uris': '+##https://a.test/#' } }, /post.logout.redirect.uris.*fragment/],
    [{ redirectUris: ['https://a.test/\r\nLocation: https://evil.test'] }, /redirectUris.*control characters/],
    [{ redirectUris: many }, /redirectUris/],
    [{ redirectUris: { 0: 'https://a.test/' } }, /redirectUris: must be an array/],
    [{ rootUrl: 'javascript:alert(1)' }, /Root URL is not a valid URL|rootUrl/],
    [{ baseUrl: ' JavaScript:alert(1)' }, /Base URL is not a valid URL|baseUrl/],
    [{ attributes: { 'post.logout.redirect.uris': 'https://a.test/##javascript:x' } }, /post.logout.redirect.uris/],
    [{ clientId: '' }, /clientId/],
  ];
  for (const [body, text] of bad) {
    for (const [method, path, sent] of [
      ['PUT', web, body],
      ['POST', '/realms/demo/clients', { clientId: 'bad', ...body }],
    ] as const) {
      const answer = await manager(method, path, sent);
      t.is(answer.status, 400, `${method} ${JSON.stringify(body).slice(0, 100)} ${answer.text}`);
      t.regex(answer.text, text);
      t.true(answer.text.length < 4000);
    }
  }
  t.is((await host.realms.get('demo'))?.version, 1, 'nothing was written');
  t.is((await manager('PUT', web, { redirectUris: ['https://a.test/*', '/below'] })).status, 204);
});

test('T186 · Admin API, clients: manage-users changes no client, scope, mapper, role or plugin', async (t) => {
  const host = await start(t);
  const call = await as(host, 'usermanager');
  const representation = (await host.realms.get('demo'))?.representation;
  const web = `clients/${await clientUuid(host, 'web')}`;
  const scope = representation?.clientScopes?.[0]?.id ?? '';
  const role = representation?.roles?.realm?.find(({ name }) => name === 'reader')?.id ?? '';
  const mapper = { name: 'm', protocolMapper: 'oidc-hardcoded-role-mapper', config: { role: 'reader' } };
  const attempts: [string, string, unknown?][] = [
    ['POST', 'clients', { clientId: 'mine' }],
    ['PUT', web, { publicClient: true }],
    ['DELETE', web],
    ['POST', `${web}/client-secret`],
    ['POST', `${web}/registration-access-token`],
    ['POST', `${web}/protocol-mappers/models`, mapper],
    ['POST', `${web}/roles`, { name: 'boss' }],
    ['PUT', `${web}/default-client-scopes/${scope}`],
    ['POST', `${web}/scope-mappings/realm`, [{ id: role }]],
    ['POST', 'client-scopes', { name: 'mine' }],
    ['PUT', `client-scopes/${scope}`, { name: 'renamed' }],
    ['DELETE', `client-scopes/${scope}`],
    ['POST', `client-scopes/${scope}/protocol-mappers/add-models`, [mapper]],
    ['POST', `client-scopes/${scope}/scope-mappings/realm`, [{ id: role }]],
    ['PUT', `default-default-client-scopes/${scope}`],
    ['POST', 'roles', { name: 'boss' }],
    ['PUT', 'roles/reader', { name: 'boss' }],
    ['POST', 'roles/reader/composites', [{ id: role }]],
    ['DELETE', `roles-by-id/${role}`],
    ['POST', 'clients-initial-access', { count: 1 }],
    ['PUT', '', { providers: { 'realm-restapi-extension': { newsletter: { enabled: false } } } }],
  ];
  for (const [method, path, body] of attempts) {
    const answer = await call(method, `/realms/demo/${path}`.replace(/\/$/, ''), body);
    t.is(answer.status, 403, `${method} ${path} ${answer.text}`);
  }
  t.is((await host.realms.get('demo'))?.version, 1);
});

const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });

/** Authenticates the client `signed` by a key that its `jwks.url` should have. */
async function present(host: TestHost) {
  const aud = (await host.realms.get('demo'))?.issuer;
  const now = Math.floor(Date.now() / 1000);
  const claims = { iss: 'signed', sub: 'signed', aud, jti: randomUUID(), iat: now, exp: now + 30 };
  return host.token('demo', {
    grant_type: 'client_credentials',
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    client_assertion: await new jose.SignJWT(claims)
      .setProtectedHeader({ alg: 'ES256', kid: 'k' })
      .sign(pair.privateKey),
  });
}

test('T187 · Admin API, clients: addresses that admins set lead to the web alone: refused when saved, or not called, and never followed', async (t) => {
  const asked: string[] = [];
  const keys = JSON.stringify({
    keys: [{ ...pair.publicKey.export({ format: 'jwk' }), kid: 'k', alg: 'ES256', use: 'sig' }],
  });
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    if (request.url === '/moved') response.writeHead(302, { location: '/keys' }).end();
    else response.writeHead(200, { 'content-type': 'application/json' }).end(keys);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => server.close());
  const local = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const signed = { clientId: 'signed', clientAuthenticatorType: 'client-jwt', serviceAccountsEnabled: true };
  for (const mode of ['start-dev', 'start'] as const) {
    const host = await startAdministered(t, {
      mode,
      realms: [realm('demo')],
      argv: mode === 'start' ? ['--hostname', 'https://id.example.test', '--http-enabled'] : [],
    });
    const manager = await as(host, 'manager');
    const save = async (attributes: Record<string, string>) =>
      (await manager('PUT', `/realms/demo/clients/${await clientUuid(host, 'signed')}`, { attributes })).status;
    t.is((await manager('POST', '/realms/demo/clients', signed)).status, 201);
    for (const name of ['jwks.url', 'backchannel.logout.url', 'frontchannel.logout.url', 'logoUri']) {
      for (const address of ['file:///etc/passwd', 'javascript:alert(1)', 'gopher://127.0.0.1/', 'http://a b/'])
        t.is(await save({ [name]: address }), 400, `${name} ${address}`);
    }
    asked.length = 0;
    t.is(await save({ 'use.jwks.url': 'true', 'jwks.url': `${local}/moved` }), 204);
    t.is((await present(host)).json.error, 'invalid_client');
    t.is(await save({ 'jwks.url': `${local}/keys` }), 204);
    const answer = await present(host);
    if (mode === 'start-dev') {
      t.is(answer.status, 200);
      t.deepEqual(asked, ['/moved', '/keys'], 'the redirection was not followed');
    } else {
      t.is(answer.json.error_description, 'Unable to load public key');
      t.deepEqual(asked, [], 'in production nobody asks a private address');
      t.is(await save({ 'jwks.url': 'http://169.254.169.254/latest' }), 204);
      t.is((await present(host)).json.error_description, 'Unable to load public key');
    }
  }
});
