import { createSecretKey } from 'node:crypto';
import test from 'ava';
import * as jose from 'jose';
import { ASYMMETRIC_ALGORITHMS, SYMMETRIC_ALGORITHMS } from '../../core/keys/algorithms.js';
import { KeyRing } from '../../core/keys/key-ring.js';
import { signJwt } from '../../core/keys/sign.js';
import { checkTimes, decodeUnverified, verifyJwt } from '../../core/keys/verify.js';
import { openMemoryStore } from '../../core/store/sqlite/open-store.js';

const { keys: store } = await openMemoryStore();
const ring = new KeyRing({ store, clock: { now: () => 1_700_000_000_000 } });
const payload = { iss: 'https://host/realms/demo', sub: 'ünï-✓', exp: 1_700_000_300, iat: 1_700_000_000 };

async function storedJwk(kid: string): Promise<jose.JWK> {
  const record = (await store.list('demo')).find((key) => key.kid === kid);
  return JSON.parse(record?.material ?? '{}').jwk;
}

for (const algorithm of [...ASYMMETRIC_ALGORITHMS, ...SYMMETRIC_ALGORITHMS]) {
  test(`JWT: jose verifies ${algorithm} signatures of the host, and the host those of jose`, async (t) => {
    const keys = await ring.realm('demo');
    const key = await keys.active(algorithm);
    const token = await signJwt(key, payload, { typ: 'at+jwt' });
    const jwk = await storedJwk(key.kid);

    const asymmetric = ASYMMETRIC_ALGORITHMS.includes(algorithm);
    const jwks = JSON.parse((await keys.jwks(['RS256'])).toString()) as jose.JSONWebKeySet;
    const seen = asymmetric
      ? await jose.compactVerify(token, jose.createLocalJWKSet(jwks))
      : await jose.compactVerify(token, createSecretKey(jwk.k ?? '', 'base64url'));
    t.deepEqual(seen.protectedHeader, { alg: algorithm, typ: 'at+jwt', kid: key.kid });
    t.deepEqual(JSON.parse(new TextDecoder().decode(seen.payload)), payload);

    const theirs = await new jose.SignJWT(payload)
      .setProtectedHeader({ alg: algorithm, kid: key.kid })
      .sign(await jose.importJWK(jwk, algorithm));
    t.deepEqual(verifyJwt(theirs, keys).payload, payload);
    t.deepEqual(verifyJwt(token, keys, { algorithms: [algorithm] }).header, seen.protectedHeader);
  });
}

test('JWT: only RSA is signed in the pool', async (t) => {
  const keys = await ring.realm('demo');
  for (const algorithm of ['ES256', 'EdDSA', 'HS512']) {
    const key = await keys.active(algorithm);
    for (let count = 0; count < 3; count += 1) t.is(typeof signJwt(key, {}), 'string');
  }
});

test('JWT: times are checked separately from the signature', (t) => {
  const judge = (claims: object, now: number, options = {}) => {
    try {
      checkTimes({ ...claims }, now, options);
      return 'accepted';
    } catch (error) {
      return (error as { code: string }).code;
    }
  };
  t.is(judge({ exp: 100 }, 99), 'accepted');
  t.is(judge({ exp: 100 }, 100), 'expired');
  t.is(judge({ exp: 100, nbf: 50 }, 49), 'not_yet_valid');
  t.is(judge({ exp: 100, nbf: 50 }, 50), 'accepted');
  t.is(judge({ exp: 100, iat: 50 }, 44), 'issued_in_future');
  t.is(judge({ exp: 100, iat: 50 }, 45), 'accepted', 'the clock of the node that issued it may be a little ahead');
  t.is(judge({ exp: 0 }, 10), 'expired');
  t.is(judge({}, 10), 'claims');
  t.is(judge({}, 10, { unlimited: true }), 'accepted');
});

test('JWT: peek reads an unverified token and refuses invalid ones', (t) => {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const forged = `${part({ alg: 'HS512', kid: 'x' })}.${part({ typ: 'reset-credentials' })}.AAAA`;
  t.is(decodeUnverified(forged).payload.typ, 'reset-credentials');
  for (const token of [
    '',
    'a.b.c',
    'nonsense',
    `${part({})}.${part({})}.AAAA`,
    `${part({ alg: 'HS512' })}.${part([])}.AAAA`,
  ]) {
    t.like(
      t.throws(() => decodeUnverified(token)),
      { code: 'malformed' },
    );
  }
});
