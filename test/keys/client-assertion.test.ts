import { generateKeyPairSync, type KeyObject, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import test, { type ExecutionContext } from 'ava';
import * as jose from 'jose';
import {
  type AssertionCheck,
  type AssertionClient,
  type ClientAssertionError,
  ClientAssertionVerifier,
} from '../../core/keys/client-assertion.js';
import { isPrivateAddress } from '../../core/keys/outbound/outbound-request.js';
import { ClientSigning } from '../../core/model/client-signing.js';
import { ANY_PRIVATE_NETWORK, NO_PRIVATE_NETWORK } from '../../core/model/private-networks.js';

const NOW = 1_700_000_000;
const ISSUER = 'https://host/realms/demo';
const audiences = [ISSUER, `${ISSUER}/protocol/openid-connect/token`];
const verifier = new ClientAssertionVerifier({
  clock: { now: () => NOW * 1000 },
  privateNetworks: ANY_PRIVATE_NETWORK,
});
const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const jwk = (key: KeyObject, kid?: string) => ({ ...key.export({ format: 'jwk' }), ...(kid && { kid }) }) as jose.JWK;
const jwksClient = (keys: jose.JWK[], settings: Record<string, string> = {}): AssertionClient => ({
  clientId: 'app',
  signing: new ClientSigning({ 'use.jwks.string': 'true', 'jwks.string': JSON.stringify({ keys }), ...settings }),
});
const client = jwksClient([jwk(pair.publicKey, 'k1')]);

interface Change {
  claims?: Record<string, unknown>;
  header?: { alg?: string; kid?: string };
  key?: KeyObject | Uint8Array;
}
function assertion({ claims = {}, header = {}, key = pair.privateKey }: Change = {}): Promise<string> {
  const payload = { iss: 'app', sub: 'app', aud: ISSUER, jti: 'j1', iat: NOW, exp: NOW + 30, ...claims };
  return new jose.SignJWT(payload).setProtectedHeader({ alg: 'ES256', kid: 'k1', ...header }).sign(key);
}

async function reason(
  token: string,
  of: AssertionClient = client,
  method: AssertionCheck['method'] = 'client-jwt',
  by = verifier,
): Promise<string> {
  try {
    await by.verify(token, of, { method, audiences });
    return 'accepted';
  } catch (error) {
    return (error as ClientAssertionError).message;
  }
}

async function serve(t: ExecutionContext, listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  t.teardown(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/jwks`;
}
const urlClient = (url: string): AssertionClient => ({
  clientId: 'app',
  signing: new ClientSigning({ 'use.jwks.url': 'true', 'jwks.url': url }),
});

test('client assertion: a private_key_jwt is accepted, with the time until which its jti must be stored', async (t) => {
  const check = { method: 'client-jwt', audiences } as const;
  t.deepEqual(await verifier.verify(await assertion(), client, check), { sub: 'app', jti: 'j1', exp: NOW + 30 });
  for (const aud of [...audiences, ...audiences.map((audience) => [audience])]) {
    const long = await assertion({ claims: { exp: NOW + 86_400, aud } });
    t.is((await verifier.verify(long, client, check)).exp, NOW + 61);
  }
});

test('client assertion: the key comes from a certificate, a public key or a set, with or without kid', async (t) => {
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const other = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const spki = rsa.publicKey.export({ format: 'der', type: 'spki' }).toString('base64');
  const withKey = { clientId: 'app', signing: new ClientSigning({ 'jwt.credential.public.key': spki }) };
  t.is(await reason(await assertion({ header: { alg: 'PS256' }, key: rsa.privateKey }), withKey), 'accepted');

  const fixture = JSON.parse(readFileSync('test/fixtures/keycloak-rsa-key.json', 'utf8'));
  const { privateKey, certificate } = fixture.components['org.keycloak.keys.KeyProvider'][0].config;
  const signing = await jose.importPKCS8(
    `-----BEGIN PRIVATE KEY-----\n${privateKey[0]}\n-----END PRIVATE KEY-----`,
    'RS256',
  );
  const withCertificate = {
    clientId: 'app',
    signing: new ClientSigning({ 'jwt.credential.certificate': certificate[0] }),
  };
  const signed = await new jose.SignJWT({ iss: 'app', sub: 'app', aud: ISSUER, jti: 'j', exp: NOW + 9 })
    .setProtectedHeader({ alg: 'RS256' })
    .sign(signing);
  t.is(await reason(signed, withCertificate), 'accepted');

  const two = jwksClient([jwk(other.publicKey), jwk(pair.publicKey)]);
  const bare = await new jose.SignJWT({ iss: 'app', sub: 'app', aud: ISSUER, jti: 'j', exp: NOW + 9 })
    .setProtectedHeader({ alg: 'ES256' })
    .sign(pair.privateKey);
  t.is(await reason(bare, two), 'accepted');
  t.is(
    await reason(bare, jwksClient([jwk(other.publicKey), jwk(other.publicKey)])),
    'Signature on JWT token failed validation',
  );
});

test('client assertion: every defect has its own reason', async (t) => {
  const stranger = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
  const cases: [Change, string][] = [
    [{ claims: { sub: undefined } }, 'Token sub claim is required'],
    [{ claims: { iss: 'other' } }, 'Issuer mismatch. The issuer should match the subject'],
    [{ claims: { iss: 'other', sub: 'other' } }, 'Issuer mismatch. The issuer should match the subject'],
    [{ key: stranger }, 'Signature on JWT token failed validation'],
    [{ header: { kid: 'k2' } }, 'Unable to load public key'],
    [{ header: { alg: 'HS256' }, key: new Uint8Array(32) }, 'Algorithm is not asymmetric'],
    [{ claims: { aud: 'https://other' } }, 'Invalid token audience'],
    [{ claims: { aud: undefined } }, 'Invalid token audience'],
    [{ claims: { aud: [] } }, 'Invalid token audience'],
    [{ claims: { aud: [ISSUER, 'https://other'] } }, 'Multiple audiences not allowed'],
    [{ claims: { aud: audiences } }, 'Multiple audiences not allowed'],
    [{ claims: { exp: undefined } }, 'Token exp claim is required'],
    [{ claims: { exp: String(NOW + 30) } }, 'Token exp claim is required'],
    [{ claims: { exp: NOW } }, 'Token is not active'],
    [{ claims: { nbf: NOW + 16 } }, 'Token is not active'],
    [{ claims: { iat: NOW + 16 } }, 'Token was issued in the future'],
    [{ claims: { iat: NOW - 61 } }, 'Token was issued too far in the past to be used now'],
    [
      { claims: { iat: undefined, exp: NOW + 61 } },
      'Token expiration is too far in the future and iat claim not present in token',
    ],
    [{ claims: { jti: undefined } }, 'Token jti claim is required'],
    [{ claims: { iat: NOW + 15, nbf: NOW + 15 } }, 'accepted'],
    [{ claims: { iat: NOW - 60 } }, 'accepted'],
    [{ claims: { iat: undefined, exp: NOW + 60 } }, 'accepted'],
  ];
  for (const [change, expected] of cases) t.is(await reason(await assertion(change)), expected, JSON.stringify(change));

  const [, payload] = (await assertion()).split('.');
  const unsigned = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${payload}.AAAA`;
  t.is(await reason(unsigned), 'Algorithm not supported');
  for (const token of ['', 'x', `${unsigned}.A.A`])
    t.is(await reason(token), 'The client assertion is not a signed JWT');
});

test('client assertion: the client decides the algorithm and the maximum age', async (t) => {
  const withSettings = (more: Record<string, string>) => jwksClient([jwk(pair.publicKey, 'k1')], more);
  const token = await assertion({ claims: { iat: NOW - 200 } });
  t.is(await reason(token, withSettings({ 'token.endpoint.auth.signing.max.exp': '300' })), 'accepted');
  t.is(
    await reason(await assertion(), withSettings({ 'token.endpoint.auth.signing.alg': 'RS256' })),
    'Invalid signature algorithm',
  );
  t.is(await reason(await assertion(), withSettings({ 'token.endpoint.auth.signing.alg': 'ES256' })), 'accepted');
});

test('client assertion: a client without a usable key is distinguished from an invalid assertion', async (t) => {
  const unusable: Record<string, string>[] = [
    {},
    { 'use.jwks.string': 'true', 'jwks.string': '{"keys":' },
    { 'use.jwks.string': 'true', 'jwks.string': '{"keys":[]}' },
    { 'use.jwks.url': 'true', 'jwks.url': 'file:///etc/passwd' },
    { 'use.jwks.url': 'true', 'jwks.url': 'no url' },
    { 'jwt.credential.certificate': 'AAAA' },
    { 'jwt.credential.public.key': 'AAAA' },
  ];
  for (const attributes of unusable) {
    await t.throwsAsync(
      verifier.verify(
        await assertion(),
        { clientId: 'app', signing: new ClientSigning(attributes) },
        { method: 'client-jwt', audiences },
      ),
      {
        code: 'client_key_unavailable',
        message: 'Unable to load public key',
      },
    );
  }
});

test('client assertion: a client_secret_jwt accepts HMAC with the secret and nothing else', async (t) => {
  const secret = randomUUID();
  const own = { ...client, secrets: [secret] };
  const hmac = await assertion({ header: { alg: 'HS256' }, key: Buffer.from(secret) });
  t.is(await reason(hmac, own, 'client-secret-jwt'), 'accepted');
  t.is(
    await reason(hmac, { ...own, secrets: ['another secret'] }, 'client-secret-jwt'),
    'Signature on JWT token failed validation',
  );
  t.is(await reason(hmac, { ...own, secrets: ['another secret', secret] }, 'client-secret-jwt'), 'accepted');
  t.is(await reason(hmac, client, 'client-secret-jwt'), 'Unable to load client secret');
  t.is(await reason(await assertion(), own, 'client-secret-jwt'), 'Algorithm is not symmetric');
});

test('client assertion: a remote key set is fetched once and cached', async (t) => {
  let fetched = 0;
  const url = await serve(t, (_request, response) => {
    fetched++;
    response.end(JSON.stringify({ keys: [jwk(pair.publicKey, 'k1')] }));
  });
  for (let i = 0; i < 3; i++) t.is(await reason(await assertion(), urlClient(url)), 'accepted');
  for (let i = 0; i < 3; i++)
    t.is(await reason(await assertion({ header: { kid: 'k2' } }), urlClient(url)), 'Unable to load public key');
  t.is(fetched, 1);
});

test('client assertion: a remote key set that redirects, is too long or invalid is refused', async (t) => {
  const good = await serve(t, (_request, response) =>
    response.end(JSON.stringify({ keys: [jwk(pair.publicKey, 'k1')] })),
  );
  const listeners: RequestListener[] = [
    (_request, response) => response.writeHead(302, { location: good }).end(),
    (_request, response) =>
      response.end(JSON.stringify({ keys: [jwk(pair.publicKey, 'k1')], pad: 'x'.repeat(300_000) })),
    (_request, response) => response.writeHead(500).end(JSON.stringify({ keys: [jwk(pair.publicKey, 'k1')] })),
    (_request, response) => response.end('<html>'),
    (request) => request.socket.destroy(),
    (_request, response) => response.writeHead(101, { connection: 'upgrade', upgrade: 'other' }).end(),
  ];
  for (const listener of listeners) {
    t.is(await reason(await assertion(), urlClient(await serve(t, listener))), 'Unable to load public key');
  }
  t.is(await reason(await assertion(), urlClient(good)), 'accepted');
});

test('client assertion: private addresses are not fetched, by name or by IP', async (t) => {
  let fetched = 0;
  const url = new URL(
    await serve(t, (_request, response) => {
      fetched++;
      response.end(JSON.stringify({ keys: [jwk(pair.publicKey, 'k1')] }));
    }),
  );
  const strict = new ClientAssertionVerifier({ clock: { now: () => NOW * 1000 }, privateNetworks: NO_PRIVATE_NETWORK });
  for (const host of ['127.0.0.1', 'localhost', '[::1]', '[::ffff:127.0.0.1]', '0x7f.1', '2130706433', '0']) {
    const address = `http://${host}:${url.port}/jwks`;
    t.is(await reason(await assertion(), urlClient(address), 'client-jwt', strict), 'Unable to load public key', host);
  }
  t.is(fetched, 0);
  for (const address of [
    '10.1.2.3',
    '169.254.169.254',
    '100.64.0.1',
    'fd00::1',
    'fe80::1',
    'fec0::1',
    'feff::1',
    '::',
    '::ffff:a9fe:a9fe',
    '64:ff9b::a9fe:a9fe',
  ]) {
    t.true(isPrivateAddress(address), address);
  }
  for (const address of ['93.184.216.34', '2606:2800:220:1:248:1893:25c8:1946'])
    t.false(isPrivateAddress(address), address);
});
