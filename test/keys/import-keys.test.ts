import { generateKeyPairSync, randomBytes, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import test from 'ava';
import { importRealmKeys, type KeyImportError } from '../../core/keys/import-keys.js';
import { kidOf } from '../../core/keys/key-material.js';
import { KeyRing } from '../../core/keys/key-ring.js';
import { signJwt } from '../../core/keys/sign.js';
import { verifyJwt } from '../../core/keys/verify.js';
import type { RealmRepresentation } from '../../core/model/representation.js';
import { openMemoryStore } from '../../core/store/sqlite/open-store.js';

const NOW = 1_700_000_000_000;
/** While the certificate of the key is valid. */
const CERTIFIED = Date.parse('2028-01-01');
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const ed = generateKeyPairSync('ed25519');
const der = (key: typeof rsa.privateKey, type: 'pkcs1' | 'pkcs8' = 'pkcs8') =>
  key.export({ format: 'der', type }).toString('base64');

function realm(...components: [providerId: string, config: Record<string, string>][]): RealmRepresentation {
  return {
    realm: 'demo',
    components: {
      'org.keycloak.keys.KeyProvider': components.map(([providerId, config], index) => ({
        name: `${providerId} ${index}`,
        providerId,
        config: Object.fromEntries(Object.entries(config).map(([key, value]) => [key, [value]])),
      })),
    },
  };
}

function problemsOf(representation: RealmRepresentation): KeyImportError['problems'] {
  try {
    importRealmKeys(representation, NOW, []);
    return [];
  } catch (error) {
    return (error as KeyImportError).problems;
  }
}

/** A key made for this test, with its self-signed certificate. */
const exported: RealmRepresentation = JSON.parse(readFileSync('test/fixtures/keycloak-rsa-key.json', 'utf8'));

test('imported keys: keys of a Keycloak export keep kid, algorithm, priority and status', (t) => {
  const secret = randomBytes(64).toString('base64url');
  const drafts = importRealmKeys(
    realm(
      ['rsa-generated', { privateKey: der(rsa.privateKey), priority: '100' }],
      [
        'rsa',
        { privateKey: der(rsa.privateKey, 'pkcs1'), kid: 'pss', algorithm: 'PS256', active: 'false', priority: '-5' },
      ],
      ['rsa-enc-generated', { privateKey: der(rsa.privateKey), kid: 'enc', algorithm: 'RSA-OAEP' }],
      ['rsa', { privateKey: der(rsa.privateKey), kid: 'old-enc', keyUse: 'ENC', algorithm: 'RSA-OAEP-256' }],
      // As each realm of Keycloak 13 to 15 has one.
      ['rsa-generated', { privateKey: der(rsa.privateKey), kid: 'of-13', keyUse: 'enc' }],
      ['ecdsa-generated', { ecdsaPrivateKey: der(ec.privateKey), ecdsaEllipticCurveKey: 'P-256' }],
      ['ecdh-generated', { ecdhPrivateKey: der(ec.privateKey), ecdhAlgorithm: 'ECDH-ES+A256KW', kid: 'ecdh' }],
      ['eddsa-generated', { eddsaPrivateKey: der(ed.privateKey), eddsaEllipticCurveKey: 'Ed25519', enabled: 'false' }],
      ['hmac-generated', { kid: 'hs', secret, algorithm: 'HS512' }],
      ['hmac-generated', { kid: 'hs-old', secret }],
      ['aes-generated', { kid: 'aes', secret: randomBytes(16).toString('base64url') }],
      ['rsa-generated', { priority: '100' }],
    ),
    NOW,
  );
  t.deepEqual(
    drafts.map(({ kid, use, algorithm, status, priority }) => [kid, use, algorithm, status, priority]),
    [
      [kidOf(rsa.publicKey), 'sig', 'RS256', 'ACTIVE', 100],
      ['pss', 'sig', 'PS256', 'PASSIVE', -5],
      ['enc', 'enc', 'RSA-OAEP', 'ACTIVE', 0],
      ['old-enc', 'enc', 'RSA-OAEP-256', 'ACTIVE', 0],
      ['of-13', 'enc', 'RSA-OAEP', 'ACTIVE', 0],
      [kidOf(ec.publicKey), 'sig', 'ES256', 'ACTIVE', 0],
      ['ecdh', 'enc', 'ECDH-ES+A256KW', 'ACTIVE', 0],
      [kidOf(ed.publicKey), 'sig', 'EdDSA', 'DISABLED', 0],
      ['hs', 'sig', 'HS512', 'ACTIVE', 0],
      ['hs-old', 'sig', 'HS256', 'ACTIVE', 0],
      ['aes', 'enc', 'AES', 'ACTIVE', 0],
    ],
  );
});

test('imported keys: an imported key signs, verifies and is published with its certificate', async (t) => {
  const { keys: store } = await openMemoryStore();
  const ring = new KeyRing({ store, clock: { now: () => CERTIFIED } });
  await store.add(await ring.records('demo', importRealmKeys(exported, NOW)));
  const keys = await ring.realm('demo');
  const token = await signJwt(await keys.active('RS256'), { sub: 'alice' });
  t.is(verifyJwt(token, keys).header.kid, 'from-keycloak');
  const [entry] = JSON.parse((await keys.jwks(['RS256'])).toString()).keys;
  t.deepEqual(Object.keys(entry), ['kid', 'kty', 'alg', 'use', 'x5c', 'x5t', 'x5t#S256', 'n', 'e']);
  const published = new X509Certificate(Buffer.from(entry.x5c[0], 'base64'));
  t.deepEqual(published.publicKey.export({ format: 'jwk' }), { kty: 'RSA', n: entry.n, e: entry.e });
  t.is(
    Buffer.from(entry['x5t#S256'], 'base64url').toString('hex').toUpperCase(),
    published.fingerprint256.replaceAll(':', ''),
  );
  t.is(Buffer.from(entry.x5t, 'base64url').toString('hex').toUpperCase(), published.fingerprint.replaceAll(':', ''));

  const foreign = realm(['rsa', { privateKey: der(rsa.privateKey), certificate: entry.x5c[0] }]);
  t.regex(problemsOf(foreign)[0]?.message ?? '', /the certificate does not match the key/);
});

test('imported keys: the legacy key of a realm is used only without key components', (t) => {
  const legacy = { realm: 'demo', privateKey: der(rsa.privateKey, 'pkcs1') };
  t.like(importRealmKeys(legacy, NOW), [{ kid: kidOf(rsa.publicKey), algorithm: 'RS256', status: 'ACTIVE' }]);
  const both = {
    ...realm(['ecdsa-generated', { ecdsaPrivateKey: der(ec.privateKey) }]),
    privateKey: legacy.privateKey,
  };
  t.deepEqual(
    importRealmKeys(both, NOW).map(({ algorithm }) => algorithm),
    ['ES256'],
  );
  t.deepEqual(importRealmKeys({ realm: 'demo' }, NOW), []);
});

test('imported keys: every key that cannot be imported is named with its place and the reason', (t) => {
  const small = generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey;
  const key = der(rsa.privateKey);
  const cases: [providerId: string, config: Record<string, string>, place: string | undefined, reason: RegExp][] = [
    ['java-keystore', { keystore: '/opt/keys.jks' }, undefined, /Java keystores are not supported/],
    ['acme-hsm', {}, 'providerId', /unknown key provider "acme-hsm"/],
    ['constructor', {}, 'providerId', /unknown key provider/],
    ['rsa', {}, 'privateKey', /privateKey is missing/],
    ['rsa', { privateKey: 'bm8ga2V5' }, 'privateKey', /not a PKCS#8 or PKCS#1 private key/],
    ['rsa', { privateKey: '**********' }, 'privateKey', /masked/],
    ['rsa', { privateKey: der(small) }, 'privateKey', /1024 bits; at least 2048 are required/],
    ['rsa', { privateKey: der(ec.privateKey) }, 'privateKey', /of type ec, not rsa/],
    ['rsa', { privateKey: key, algorithm: 'ES256' }, 'privateKey', /of type rsa, not ec/],
    ['rsa', { privateKey: key, algorithm: 'none' }, 'algorithm', /"none" is not supported/],
    ['rsa', { privateKey: key, certificate: 'AAAA' }, 'certificate', /cannot be read/],
    ['rsa', { privateKey: key, priority: 'high' }, 'priority', /not a whole number/],
    [
      'ecdsa-generated',
      { ecdsaPrivateKey: der(ec.privateKey), ecdsaEllipticCurveKey: 'P-384' },
      'ecdsaPrivateKey',
      /on the curve P-256, not P-384/,
    ],
    ['hmac-generated', { kid: 'a', secret: 'AAAA' }, 'secret', /3 bytes; at least 32 are required/],
    ['hmac-generated', { secret: randomBytes(32).toString('base64url') }, 'kid', /requires a kid/],
    ['aes-generated', { kid: 'a', secret: 'AAAA' }, 'secret', /3 bytes; AES requires 16, 24, 32/],
  ];
  const problems = problemsOf(
    realm(...cases.map(([providerId, config]) => [providerId, config] as [string, typeof config])),
  );
  t.is(problems.length, cases.length);
  for (const [index, [providerId, , place, reason]] of cases.entries()) {
    const problem = problems[index];
    t.regex(problem?.message ?? '', reason);
    t.true(problem?.message.startsWith(`key component "${providerId} ${index}": `));
    const component = ['components', 'org.keycloak.keys.KeyProvider', index];
    const inConfig = [...component, 'config', ...(place === undefined ? [] : [place])];
    t.deepEqual(problem?.location, place === 'providerId' ? [...component, place] : inConfig);
  }
});

test('imported keys: two components with one kid are refused', (t) => {
  const twice = realm(
    ['rsa', { privateKey: der(rsa.privateKey) }],
    ['rsa', { privateKey: der(rsa.privateKey), algorithm: 'RS512' }],
  );
  t.regex(problemsOf(twice)[0]?.message ?? '', /it has the same kid as key component "rsa 0"/);
});
