import test, { type ExecutionContext } from 'ava';
import * as client from 'openid-client';
import { fetchAnswer, startHost, type TestHost } from '../helpers/host.js';
import { testRealm } from '../helpers/realms.js';

const NAMES = ['openid-configuration', 'oauth-authorization-server'];
const start = (t: ExecutionContext, ...argv: string[]) =>
  startHost(t, { realms: [testRealm('demo'), { ...testRealm('off'), enabled: false }], argv });

/** The documents at `{origin}{before}/.well-known/{name}{after}` equal those of the realm byte for byte. */
async function answersAt(t: ExecutionContext, host: TestHost, before: string, after: string): Promise<void> {
  for (const name of NAMES) {
    const usual = await fetchAnswer(`${host.realm('demo')}/.well-known/${name}`);
    const url = `${new URL(host.url).origin}${before}/.well-known/${name}${after}`;
    const found = await fetchAnswer(url, { headers: { origin: 'https://elsewhere.test' } });
    t.deepEqual([found.status, found.text], [200, usual.text], url);
    const names = ['etag', 'cache-control', 'content-type', 'access-control-allow-origin', 'x-content-type-options'];
    for (const header of names) t.is(found.headers.get(header), usual.headers.get(header), header);
    t.is(found.headers.get('access-control-allow-origin'), '*');
    const etag = found.headers.get('etag') ?? '';
    t.is((await fetchAnswer(url, { headers: { 'if-none-match': etag } })).status, 304);
    t.deepEqual([(await fetchAnswer(url, { method: 'HEAD' })).status, found.json.issuer], [200, usual.json.issuer]);
    const preflight = await fetchAnswer(url, { method: 'OPTIONS', headers: { origin: 'https://elsewhere.test' } });
    t.deepEqual([preflight.status, preflight.headers.get('access-control-allow-origin')], [204, '*']);
    t.is((await fetchAnswer(url, { method: 'POST' })).status, 405);
  }
}

/**
 * With these options, the host serves the documents at these places, before and after their name, and nothing at these
 * paths.
 */
async function isServed(
  t: ExecutionContext,
  argv: readonly string[],
  places: readonly (readonly [before: string, after: string])[],
  nowhere: readonly string[] = [],
): Promise<void> {
  const host = await start(t, ...argv);
  for (const [before, after] of places) await answersAt(t, host, before, after);
  await isNowhere(t, host, nowhere);
}

const isNowhere = async (t: ExecutionContext, host: TestHost, paths: readonly string[]) => {
  for (const path of paths) t.is((await fetchAnswer(`${new URL(host.url).origin}${path}`)).status, 404, path);
};

test('well-known: metadata is found where RFC 8414 puts it, between the host and the path of the issuer', async (t) => {
  const host = await start(t);
  await answersAt(t, host, '', '/realms/demo');
  const server = new URL(host.realm('demo'));
  const options: client.DiscoveryRequestOptions = { algorithm: 'oauth2', execute: [client.allowInsecureRequests] };
  const found = await client.discovery(server, 'web', undefined, client.None(), options);
  t.is(found.serverMetadata().issuer, host.realm('demo'));
  t.is((await fetchAnswer(`${host.url}/.well-known/openid-configuration/realms/off`)).status, 200);
  await isNowhere(t, host, [
    ...['', '/', '/realms', '/realms/', '/realms/nobody', '/realms/demo/', '/realms/demo/account', '/demo'].map(
      (path) => `/.well-known/openid-configuration${path}`,
    ),
    '/.well-known/nothing/realms/demo',
    '/.well-known//realms/demo',
    '/.well-known/realms/demo',
    '/.well-known',
    '/.well-known/openid-configuration/auth/realms/demo',
    '/auth/.well-known/openid-configuration/realms/demo',
  ]);
});

test('well-known: the path of the issuer comes after the name, and the document is outside of it and below', (t) =>
  isServed(
    t,
    ['--http-relative-path', '/auth'],
    [
      ['', '/auth/realms/demo'],
      ['/auth', '/realms/demo'],
    ],
    [
      '/.well-known/openid-configuration/realms/demo',
      '/auth/.well-known/openid-configuration/auth/realms/demo',
      '/.well-known/openid-configuration/authx/realms/demo',
      '/.well-known/openid-configuration/auth',
      '/realms/demo/.well-known/openid-configuration',
    ],
  ));

test('well-known: a proxy may hand on the path of the public address', (t) =>
  isServed(
    t,
    ['--hostname', 'https://id.example.test/sso'],
    [
      ['', '/sso/realms/demo'],
      ['', '/realms/demo'],
    ],
  ));

test('well-known: a disabled realm still serves metadata and keys, as in Keycloak 26.7.3, and issues nothing', async (t) => {
  const host = await start(t);
  const off = host.realm('off');
  for (const name of NAMES) {
    const answer = await fetchAnswer(`${off}/.well-known/${name}`);
    t.like(answer.json, { issuer: off });
  }
  const { keys } = (await fetchAnswer(`${off}/protocol/openid-connect/certs`)).json as unknown as { keys: object[] };
  t.true(keys.length > 0);
  const form = { grant_type: 'client_credentials', client_id: 'svc', client_secret: 'svc-secret' };
  const token = await fetchAnswer(`${off}/protocol/openid-connect/token`, {
    method: 'POST',
    body: new URLSearchParams(form),
  });
  t.is(token.status, 403);
  t.regex(token.text, /"Realm not enabled"/);
});
