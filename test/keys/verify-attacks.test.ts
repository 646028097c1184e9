import { createHmac, createPublicKey, generateKeyPairSync, sign } from 'node:crypto';
import { deflateRawSync } from 'node:zlib';
import test from 'ava';
import { KeyRing } from '../../core/keys/key-ring.js';
import type { RealmKeys } from '../../core/keys/realm-keys.js';
import { signJwt } from '../../core/keys/sign.js';
import type { TokenErrorCode } from '../../core/keys/token-error.js';
import { verifyJwt } from '../../core/keys/verify.js';
import { openMemoryStore } from '../../core/store/sqlite/open-store.js';

const { keys: store } = await openMemoryStore();
const ring = new KeyRing({ store, clock: { now: () => 1_700_000_000_000 } });
const claims = { sub: 'alice', exp: 1_700_000_300, iat: 1_700_000_000 };

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

function refusal(token: string, keys: RealmKeys, algorithms?: string[]): TokenErrorCode | 'accepted' {
  try {
    verifyJwt(token, keys, algorithms === undefined ? {} : { algorithms });
    return 'accepted';
  } catch (error) {
    return (error as { code: TokenErrorCode }).code;
  }
}

/** A token with any header and payload under the realm's own HS512 key: only the form can be refused. */
async function sealed(header: object, payload: string): Promise<string> {
  const { kid, key } = await (await ring.realm('demo')).active('HS512');
  const input = `${encode({ alg: 'HS512', kid, ...header })}.${Buffer.from(payload).toString('base64url')}`;
  return `${input}.${createHmac('sha512', key).update(input).digest('base64url')}`;
}

test('JWT verification: an unsigned token is refused however it spells none', async (t) => {
  const keys = await ring.realm('demo');
  const { kid } = await keys.active('RS256');
  for (const alg of ['none', 'None', 'nOnE', '', null, 1, ['RS256']]) {
    const unsigned = `${encode({ alg, kid })}.${encode(claims)}`;
    for (const token of [unsigned, `${unsigned}.`, `${unsigned}.AAAA`]) t.not(refusal(token, keys), 'accepted');
  }
});

test('JWT verification: a public key is never used as an HMAC secret', async (t) => {
  const keys = await ring.realm('demo');
  const { kid, key } = await keys.active('RS256');
  const publicKey = createPublicKey(key);
  const pem = publicKey.export({ format: 'pem', type: 'spki' }).toString();
  const secrets = [
    pem,
    pem.replaceAll('\n', '\r\n'),
    pem.trim(),
    `${pem} `,
    publicKey.export({ format: 'der', type: 'spki' }),
    JSON.stringify(publicKey.export({ format: 'jwk' })),
    await keys.jwks(['RS256']),
  ];
  const hmacKid = (await keys.active('HS256')).kid;
  for (const secret of secrets) {
    for (const named of [kid, hmacKid]) {
      const input = `${encode({ alg: 'HS256', kid: named })}.${encode(claims)}`;
      const token = `${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`;
      t.is(refusal(token, keys), named === kid ? 'key' : 'signature');
    }
  }
});

test('JWT verification: a key serves its own algorithm only, and only an allowed one', async (t) => {
  const keys = await ring.realm('demo');
  const { kid, key } = await keys.active('RS256');
  const input = `${encode({ alg: 'RS512', kid })}.${encode(claims)}`;
  t.is(refusal(`${input}.${sign('sha512', Buffer.from(input), key).toString('base64url')}`, keys), 'key');
  const token = await signJwt(await keys.active('HS512'), claims);
  t.is(refusal(token, keys, ['RS256', 'ES256']), 'algorithm');
  t.is(refusal(token, keys, ['HS512']), 'accepted');
});

test('JWT verification: a changed payload and a borrowed signature are refused, also among a thousand valid ones', async (t) => {
  const keys = await ring.realm('demo');
  for (const algorithm of ['RS256', 'ES256', 'EdDSA', 'HS512']) {
    const key = await keys.active(algorithm);
    const good = await signJwt(key, claims);
    const other = await signJwt(key, { ...claims, sub: 'alicf' });
    const [header, , signature] = good.split('.');
    const tampered = [
      `${header}.${other.split('.')[1]}.${signature}`,
      `${header}.${encode({ ...claims, sub: 'root' })}.${signature}`,
    ];
    let refused = 0;
    for (let i = 0; i < 250; i++) {
      if (refusal(good, keys) !== 'accepted') t.fail('a good token was refused');
      for (const token of tampered) if (refusal(token, keys) === 'signature') refused++;
    }
    t.is(refused, 500);
  }
});

test('JWT verification: kid is looked up exactly, in this realm, and as a string', async (t) => {
  const keys = await ring.realm('demo');
  const foreign = await (await ring.realm('other')).active('HS512');
  const own = await keys.active('HS512');
  for (const kid of [
    '../../etc/passwd',
    `"' or 1=1--`,
    '__proto__',
    'constructor',
    '',
    ` ${own.kid}`,
    foreign.kid,
    [own.kid],
    { kid: own.kid },
    null,
    undefined,
  ]) {
    t.is(refusal(await sealed({ kid }, JSON.stringify(claims)), keys), 'key');
  }
  t.is(refusal(await signJwt(foreign, claims), keys), 'key');
});

test('JWT verification: a token that was verified before is checked by the current keys and algorithms, for its present reader', async (t) => {
  const keys = await ring.realm('demo');
  const token = await signJwt(await keys.active('ES256'), claims);
  const first = verifyJwt(token, keys).payload as Record<string, unknown>;
  first.sub = 'mallory';
  t.is(verifyJwt(token, keys).payload.sub, 'alice');
  t.is(refusal(token, keys, ['RS256']), 'algorithm');
  t.is(refusal(token, await ring.realm('other')), 'key');
  t.is(refusal(`${token}A`, keys), 'signature');
  await ring.setStatus('demo', (await keys.active('ES256')).kid, 'DISABLED');
  t.is(refusal(token, await ring.realm('demo')), 'key');
});

test('JWT verification: keys and key URLs in the header are ignored', async (t) => {
  const keys = await ring.realm('demo');
  const { kid } = await keys.active('ES256');
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const jwk = { ...publicKey.export({ format: 'jwk' }), kid };
  const input = `${encode({ alg: 'ES256', kid, jwk, jku: 'http://127.0.0.1:9/', x5u: 'http://127.0.0.1:9/', x5c: ['AAAA'] })}.${encode(claims)}`;
  const signature = sign('sha256', Buffer.from(input), { key: privateKey, dsaEncoding: 'ieee-p1363' });
  t.is(refusal(`${input}.${signature.toString('base64url')}`, keys), 'signature');
  t.is(refusal(await sealed({ jwk }, JSON.stringify(claims)), keys), 'accepted');
});

test('JWT verification: crit, zip and enc are refused even with a valid signature', async (t) => {
  const keys = await ring.realm('demo');
  for (const extra of [
    { crit: ['foo'], foo: 1 },
    { crit: [] },
    { crit: null },
    { crit: ['b64'], b64: false },
    { zip: 'DEF' },
    { enc: 'A256GCM' },
  ]) {
    t.is(refusal(await sealed(extra, JSON.stringify(claims)), keys), 'malformed');
  }
});

test('JWT verification: an encrypted token, a bomb and an endless token are refused by their form', async (t) => {
  const keys = await ring.realm('demo');
  const jwe = `${encode({ alg: 'PBES2-HS512+A256KW', enc: 'A256GCM', p2c: 2_147_483_647, p2s: 'AAAA' })}.AAAA.AAAA.AAAA.AAAA`;
  const bomb = deflateRawSync(Buffer.alloc(1 << 20)).toString('base64url');
  t.is(refusal(jwe, keys), 'malformed');
  t.is(refusal(`${encode({ alg: 'HS512', enc: 'A256GCM', zip: 'DEF' })}.${bomb}.AAAA`, keys), 'malformed');
  t.is(refusal(await sealed({}, JSON.stringify({ ...claims, pad: 'x'.repeat(1 << 20) })), keys), 'malformed');
  t.is(refusal('.'.repeat(16_000), keys), 'malformed');
});

test('JWT verification: exp, nbf and iat are whole seconds or refused', async (t) => {
  const keys = await ring.realm('demo');
  for (const claim of ['exp', 'nbf', 'iat']) {
    for (const value of [
      '"1700000300"',
      '1700000300.5',
      '-1',
      '1e308',
      '1e999',
      'null',
      'true',
      '[1700000300]',
      '{}',
    ]) {
      t.is(refusal(await sealed({}, `{"sub":"alice","${claim}":${value}}`), keys), 'claims', `${claim} ${value}`);
    }
  }
  for (const payload of ['[]', '"alice"', '1', 'null', '', '{"sub":', '\ufeff{}']) {
    t.is(refusal(await sealed({}, payload), keys), 'malformed', payload);
  }
  t.is(refusal(await sealed({}, '{"sub":"alice"}'), keys), 'accepted');
});

test('JWT verification: a token that was cut, padded or written in another alphabet is refused', async (t) => {
  const keys = await ring.realm('demo');
  for (const algorithm of ['RS256', 'ES256', 'HS512']) {
    const token = await signJwt(await keys.active(algorithm), { ...claims, text: '???>>>ÿÿÿ' });
    t.is(refusal(token, keys), 'accepted');
    const middle = token.indexOf('.') + 5;
    const variants = [
      ...Array.from({ length: 10 }, (_, cut) => token.slice(0, -(cut + 1))),
      `${token}=`,
      `${token}==`,
      `${token}A`,
      `${token}.`,
      `${token}.AAAA`,
      ` ${token}`,
      `${token}\n`,
      `${token.slice(0, middle)}\n${token.slice(middle)}`,
      `${token.slice(0, middle)} ${token.slice(middle)}`,
      `${token.slice(0, middle)}\0${token.slice(middle)}`,
      token.replaceAll('-', '+').replaceAll('_', '/'),
      token.replace('.', '..'),
    ];
    for (const variant of variants) if (variant !== token) t.not(refusal(variant, keys), 'accepted');
  }
});

test('JWT verification: spare bits of the last character are not ignored', async (t) => {
  const keys = await ring.realm('demo');
  const token = await signJwt(await keys.active('HS512'), claims);
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  const last = alphabet.indexOf(token.slice(-1));
  const twin = `${token.slice(0, -1)}${alphabet[last + 1]}`;
  t.deepEqual(Buffer.from(twin.split('.')[2] ?? '', 'base64url'), Buffer.from(token.split('.')[2] ?? '', 'base64url'));
  t.is(refusal(twin, keys), 'malformed');
});
