import { createHash, createPrivateKey, generateKeyPairSync, randomUUID, sign, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import Koa from 'koa';

/**
 * An upper bound of throughput: Koa with only the essential work of a client_credentials request. That is the form, a
 * constant-time comparison of the secret, scope, claims of the same size, one real signature and headers. Not a
 * product.
 */
const hash = (text: string) => createHash('sha256').update(text).digest();
const secret = hash('cc-secret-0123456789');
const pairs = {
  RS256: generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey,
  ES256: generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey,
};
const keys = Object.fromEntries(
  Object.entries(pairs).map(([alg, key]) => [
    alg,
    {
      head: `${Buffer.from(JSON.stringify({ alg, typ: 'JWT', kid: randomUUID() })).toString('base64url')}.`,
      key: {
        key: createPrivateKey(key.export({ format: 'pem', type: 'pkcs8' })),
        ...(alg === 'ES256' ? { dsaEncoding: 'ieee-p1363' as const } : {}),
      },
    },
  ]),
);

function read(request: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => resolve(Buffer.concat(chunks).toString('latin1')));
    request.on('error', reject);
  });
}

async function token(alg: string, form: URLSearchParams, issuer: string): Promise<string> {
  if (!timingSafeEqual(hash(form.get('client_secret') ?? ''), secret)) throw new Error('wrong secret');
  const key = keys[alg];
  if (key === undefined) throw new Error('unknown algorithm');
  const now = Math.floor(Date.now() / 1000);
  const claims = {
    exp: now + 300,
    iat: now,
    jti: `trrtcc:${randomUUID()}`,
    iss: issuer,
    sub: '3f2b8f0e-0000-4000-8000-000000000000',
    typ: 'Bearer',
    azp: 'cc',
    acr: '1',
    email_verified: false,
    preferred_username: 'service-account-cc',
    scope: 'profile email',
  };
  const input = key.head + Buffer.from(JSON.stringify(claims)).toString('base64url');
  const data = Buffer.from(input, 'latin1');
  if (alg === 'ES256') return `${input}.${sign('sha256', data, key.key).toString('base64url')}`;
  return new Promise((resolve, reject) =>
    sign('sha256', data, key.key, (error, signature) =>
      error ? reject(error) : resolve(`${input}.${signature.toString('base64url')}`),
    ),
  );
}

const app = new Koa();
app.use(async (ctx) => {
  const form = new URLSearchParams(await read(ctx.req));
  const access = await token(ctx.path.slice(1), form, 'http://127.0.0.1/realms/bench');
  ctx.set('Cache-Control', 'no-store');
  ctx.set('Pragma', 'no-cache');
  ctx.type = 'application/json';
  ctx.body = JSON.stringify({
    access_token: access,
    expires_in: 300,
    refresh_expires_in: 0,
    token_type: 'Bearer',
    'not-before-policy': 0,
    scope: 'profile email',
  });
});
const server = app.listen(0, '127.0.0.1', () => {
  process.stdout.write(`ready http=http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});
