import { status } from '@grpc/grpc-js';
import test, { type ExecutionContext } from 'ava';
import { edited, resigned } from '../helpers/forge.js';
import { claimsOf, fetchAnswer, type TestHost } from '../helpers/host.js';
import { shareHost } from '../helpers/shared-host.js';
import { addressOf, BEARER, booksHost, booksRealm, readerToken, SERVICE } from './clients/books-hosts.js';
import { type Answered, clientFor, getAuthor, health } from './node-client.js';

const OFF = { providers: { 'grpc-service': { books: { enabled: false } } } };
const INVALID = { code: status.UNAUTHENTICATED, details: 'The access token is not valid', message: undefined };

const shared = shareHost(test, {
  realms: [booksRealm('demo'), booksRealm('other'), booksRealm('without', OFF)],
  plugins: [BEARER],
});

const clientOf = (t: ExecutionContext, host: TestHost) => clientFor(t, addressOf(host));

/** The tokens of a user's login to the client `reader`. */
async function logIn(host: TestHost): Promise<Record<string, string>> {
  const {
    status: code,
    json,
    text,
  } = await host.token('demo', {
    grant_type: 'password',
    client_id: 'reader',
    client_secret: 'reader-secret',
    username: 'alice',
    password: 'Alice-pass-1!',
    scope: 'openid books',
  });
  if (code !== 200) throw new Error(text);
  return json;
}

/** People and other programs read the text, so it does not reveal the fault of the token. */
const refused = (t: ExecutionContext, answered: Answered, name: string) => t.deepEqual(answered, INVALID, name);

test('gRPC access: a valid access token of a client or a user is accepted, whatever the case of its scheme', async (t) => {
  const host = shared();
  const client = await clientOf(t, host);
  const token = await readerToken(host, 'books');
  const { access_token: ofAlice } = await logIn(host);
  for (const authorization of [`Bearer ${token}`, `bearer ${token}`, `BEARER  ${token}`, `Bearer ${ofAlice}`]) {
    const { code, message } = await getAuthor(client, authorization);
    t.deepEqual([code, message?.last_name], [status.OK, 'Dickens'], authorization.slice(0, 8));
  }
});

test('gRPC access: the token of each name of the machine is accepted, and of no other', async (t) => {
  const host = shared();
  const client = await clientOf(t, host);
  const { port } = new URL(host.url);
  const form = {
    grant_type: 'client_credentials',
    client_id: 'reader',
    client_secret: 'reader-secret',
    scope: 'books',
  };
  const body = new URLSearchParams(form);
  const url = `http://localhost:${port}/realms/demo/protocol/openid-connect/token`;
  const { json } = await fetchAnswer(url, { method: 'POST', body });
  t.is(claimsOf(String(json.access_token)).iss, `http://localhost:${port}/realms/demo`);
  t.is((await getAuthor(client, `Bearer ${json.access_token}`)).code, status.OK);
  const [header, , signature] = String(json.access_token).split('.');
  for (const iss of [
    `http://evil.test:${port}/realms/demo`,
    `http://localhost:1/realms/demo`,
    '/realms/demo',
    'demo',
  ]) {
    const payload = { ...claimsOf(String(json.access_token)), iss };
    const forged = [header, Buffer.from(JSON.stringify(payload)).toString('base64url'), signature].join('.');
    refused(t, await getAuthor(client, `Bearer ${forged}`), iss);
  }
});

test('gRPC access: a call without an access token is UNAUTHENTICATED', async (t) => {
  const client = await clientOf(t, shared());
  for (const authorization of [undefined, 'Basic cmVhZGVyOnNlY3JldA==', 'Bearer', 'Bearer a b']) {
    t.deepEqual(
      await getAuthor(client, authorization),
      { ...INVALID, details: 'An access token is required' },
      String(authorization),
    );
  }
});

test('gRPC access: an invalid access token is refused, always with the same message', async (t) => {
  const host = shared();
  const client = await clientOf(t, host);
  const { access_token: access = '', id_token, refresh_token } = await logIn(host);
  const now = Math.floor(Date.now() / 1000);
  const bad: Record<string, string | undefined> = {
    garbage: 'garbage',
    'three parts of garbage': 'e30.e30.e30',
    'an id token': id_token,
    'a refresh token': refresh_token,
    expired: await resigned(host, access, { exp: now - 60 }),
    'not yet valid': await resigned(host, access, { nbf: now + 3600 }),
    'signed by another realm': await resigned(host, access, {}, 'other'),
    'of a realm that is not there': await resigned(host, access, { iss: `${host.publicUrl}/realms/nowhere` }),
    'of another issuer with the same path': await resigned(host, access, { iss: 'https://evil.test/realms/demo' }),
    'cut off': access.slice(0, -4),
  };
  for (const [name, token] of Object.entries(bad)) {
    t.truthy(token, name);
    refused(t, await getAuthor(client, `Bearer ${token}`), name);
  }
  t.is((await getAuthor(client, `Bearer ${access}`)).code, status.OK);
});

test('gRPC access: a revoked token is refused', async (t) => {
  const host = shared();
  const client = await clientOf(t, host);
  const { access_token: access = '' } = await logIn(host);
  t.is((await getAuthor(client, `Bearer ${access}`)).code, status.OK);
  const form = { client_id: 'reader', client_secret: 'reader-secret', token: access };
  await fetchAnswer(`${host.oidc('demo')}/revoke`, { method: 'POST', body: new URLSearchParams(form) });
  refused(t, await getAuthor(client, `Bearer ${access}`), 'revoked');
});

test('gRPC access: a token without the scope books, or with a similar scope, is refused', async (t) => {
  const host = shared();
  const client = await clientOf(t, host);
  const token = await readerToken(host, '');
  for (const scope of ['profile', '', 'book', 'books2 notbooks', 'BOOKS']) {
    t.deepEqual(
      await getAuthor(client, `Bearer ${await resigned(host, token, { scope })}`),
      { code: status.PERMISSION_DENIED, details: 'The scope books is required', message: undefined },
      scope,
    );
  }
});

test('gRPC access: each realm that enables the service has its tokens accepted, and no other realm', async (t) => {
  const host = shared();
  const client = await clientOf(t, host);
  for (const realm of ['demo', 'other']) {
    t.is((await getAuthor(client, `Bearer ${await readerToken(host, 'books', realm)}`)).code, status.OK, realm);
  }
  const token = await readerToken(host, 'books', 'without');
  t.is((await getAuthor(client, `Bearer ${token}`)).code, status.UNIMPLEMENTED);
  // A caller without a token of the realm does not learn which services it has enabled.
  refused(t, await getAuthor(client, `Bearer ${edited(token, { jti: 'mine' })}`), 'forged');
});

test('gRPC access: a service that no realm enables is UNIMPLEMENTED, and its health says so', async (t) => {
  const host = await booksHost(t, [], undefined, [booksRealm('demo', OFF)]);
  const client = await clientOf(t, host);
  const details = `The server does not implement the method /${SERVICE}/getAuthor`;
  t.deepEqual(await getAuthor(client), { code: status.UNIMPLEMENTED, details, message: undefined });
  t.is(await health(client, SERVICE), 'NOT_SERVING');
  t.is(await health(client, ''), 'SERVING');
  t.is(await health(client, 'com.devProblems.Unknown'), 'NOT_FOUND');
});

test('gRPC access: a disabled realm enables nothing', async (t) => {
  const client = await clientOf(t, await booksHost(t, [], undefined, [booksRealm('demo', { enabled: false })]));
  t.is((await getAuthor(client)).code, status.UNIMPLEMENTED);
  t.is(await health(client, SERVICE), 'NOT_SERVING');
});

test('gRPC access: calls are counted by method and code at the management port', async (t) => {
  const host = await booksHost(t, [], BEARER);
  const client = await clientOf(t, host);
  const token = `Bearer ${await readerToken(host, 'books')}`;
  for (const authorization of [token, token, undefined]) await getAuthor(client, authorization);
  await health(client, SERVICE);
  const { text } = await fetchAnswer(`${host.managementUrl}/metrics`);
  const counted = text.split('\n').filter((line) => line.startsWith('keyhost_grpc_calls_total'));
  const of = (code: status, count: number) =>
    `keyhost_grpc_calls_total{method="/${SERVICE}/getAuthor",code="${status[code]}"} ${count}`;
  t.deepEqual(counted, [of(status.OK, 2), of(status.UNAUTHENTICATED, 1)]);
  t.regex(text, /^keyhost_grpc_call_seconds_total\{.*getAuthor",code="OK"\} 0\.\d+$/m);
});

test('gRPC access: a host with a gRPC service has its own address in tokens', async (t) => {
  const host = await booksHost(t);
  const { json } = await fetchAnswer(`${host.realm('demo')}/.well-known/openid-configuration`);
  t.is(String(json.issuer), host.realm('demo'));
});

test('gRPC access: the access log has a line for every call, without its token; by default it is off', async (t) => {
  const host = await booksHost(t, ['--grpc-access-log-enabled'], BEARER);
  const client = await clientOf(t, host);
  const token = await readerToken(host, 'books');
  await getAuthor(client, `Bearer ${token}`);
  await getAuthor(client);
  const lines = host.log.filter(({ message }) => message === 'grpc');
  const common = { method: `/${SERVICE}/getAuthor`, remoteAddress: '127.0.0.1' };
  t.is(lines.length, 2);
  t.like(lines[0], {
    level: 'info',
    fields: { ...common, code: 'OK', realm: 'demo', clientId: 'reader', received: 1, sent: 1 },
  });
  t.like(lines[1], { level: 'info', fields: { ...common, code: 'UNAUTHENTICATED', sent: 0 } });
  t.false(JSON.stringify(host.log).includes(token));
  const quiet = await booksHost(t);
  await getAuthor(await clientOf(t, quiet));
  t.is(quiet.log.filter(({ message }) => message === 'grpc').length, 0);
});
