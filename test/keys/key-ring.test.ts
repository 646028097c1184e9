import test from 'ava';
import { KeyRing } from '../../core/keys/key-ring.js';
import { signJwt } from '../../core/keys/sign.js';
import { verifyJwt } from '../../core/keys/verify.js';
import { openMemoryStore } from '../../core/store/sqlite/open-store.js';

const clock = { now: () => 1_700_000_000_000 };
const MASTER_KEY = 'correct horse battery staple';

test('key ring: concurrent first use creates one key, also across hosts on one store', async (t) => {
  const { keys: store } = await openMemoryStore();
  const rings = [new KeyRing({ store, clock }), new KeyRing({ store, clock })];
  const kids = await Promise.all(
    [...rings, ...rings].map(async (ring) => (await (await ring.realm('demo')).active('ES256')).kid),
  );
  t.is(new Set(kids).size, 1);
  t.is((await store.list('demo')).length, 1);
});

test('key ring: after a rotation the new key signs, the old one verifies until it is disabled', async (t) => {
  const { keys: store } = await openMemoryStore();
  const ring = new KeyRing({ store, clock });
  const old = await (await ring.realm('demo')).active('ES256');
  const token = await signJwt(old, { sub: 'alice' });

  const kid = await ring.rotate('demo', 'ES256');
  t.not(kid, old.kid);
  const rotated = await ring.realm('demo');
  t.is((await rotated.active('ES256')).kid, kid);
  t.is(verifyJwt(token, rotated).payload.sub, 'alice');
  const kidsOf = async () =>
    JSON.parse((await (await ring.realm('demo')).jwks(['ES256'])).toString()).keys.map(
      (key: { kid: string }) => key.kid,
    );
  t.deepEqual(await kidsOf(), [kid, old.kid]);

  t.true(await ring.setStatus('demo', old.kid, 'DISABLED'));
  const disabled = await ring.realm('demo');
  t.like(
    t.throws(() => verifyJwt(token, disabled)),
    { code: 'key' },
  );
  t.deepEqual(await kidsOf(), [kid]);
  t.false(await ring.setStatus('demo', 'no-such-key', 'DISABLED'));
});

test('key ring: a key that is created during a reload of the realm is known to the reloaded realm', async (t) => {
  const { keys: store } = await openMemoryStore();
  const ring = new KeyRing({ store, clock });
  const before = await ring.realm('demo');
  const pending = before.active('RS256');
  ring.invalidate('demo');
  await ring.realm('demo');
  const token = await signJwt(await pending, { sub: 'alice' });
  t.is(verifyJwt(token, await ring.realm('demo')).payload.sub, 'alice');
});

test('key ring: of several active keys the one with the highest priority signs', async (t) => {
  const { keys: store } = await openMemoryStore();
  const ring = new KeyRing({ store, clock });
  const first = await ring.rotate('demo', 'HS512');
  const second = await ring.rotate('demo', 'HS512');
  const records = await store.list('demo');
  await store.add(
    records.map((record) => ({
      ...record,
      realm: 'both',
      status: 'ACTIVE' as const,
      priority: record.kid === first ? 200 : 100,
    })),
  );
  const both = await ring.realm('both');
  t.is((await both.active('HS512')).kid, first);
  t.is((await both.list()).length, 2);
  t.truthy(both.verifier(second, 'HS512'));
});

test('key ring: the JWKS is one buffer until a key changes and never holds a private member', async (t) => {
  const ring = new KeyRing({ store: (await openMemoryStore()).keys, clock });
  const keys = await ring.realm('demo');
  for (const algorithm of ['EdDSA', 'ES384', 'HS512']) await keys.active(algorithm);
  await keys.jwks(['RS256']);
  const buffer = await keys.jwks(['RS256']);
  t.is(await keys.jwks(['RS256']), buffer);
  const entries = JSON.parse(buffer.toString()).keys as Record<string, unknown>[];
  t.deepEqual(entries.map(({ alg }) => alg).sort(), ['ES384', 'EdDSA', 'RS256']);
  const members: Record<string, string[]> = {
    RSA: ['kid', 'kty', 'alg', 'use', 'n', 'e'],
    EC: ['kid', 'kty', 'alg', 'use', 'crv', 'x', 'y'],
    OKP: ['kid', 'kty', 'alg', 'use', 'crv', 'x'],
  };
  for (const entry of entries) t.deepEqual(Object.keys(entry), members[String(entry.kty)]);
  await keys.active('PS256');
  t.is(JSON.parse((await keys.jwks(['RS256'])).toString()).keys.length, 4);
});

test('key ring: the public key of the realm root is that of the signing key', async (t) => {
  const keys = await new KeyRing({ store: (await openMemoryStore()).keys, clock }).realm('demo');
  t.regex(await keys.publicKeyOf('RS256'), /^MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A/);
  await t.throwsAsync(keys.publicKeyOf('HS512'), { code: 'algorithm_unknown' });
  await t.throwsAsync(async () => keys.active('none'), { code: 'algorithm_unknown' });
});

test('key ring: with a master key nothing of a key is readable in the store', async (t) => {
  const { keys: store } = await openMemoryStore();
  const ring = new KeyRing({ store, clock, masterKey: MASTER_KEY });
  const token = await signJwt(await (await ring.realm('demo')).active('HS512'), { sub: 'alice' });
  await ring.rotate('demo', 'ES256');
  const imported = await ring.records('demo', [
    {
      kid: 'imported',
      use: 'sig',
      algorithm: 'HS256',
      status: 'ACTIVE',
      priority: 1,
      createdAt: 0,
      material: '{"jwk":1}',
    },
  ]);
  for (const { material } of [...(await store.list('demo')), ...imported]) t.regex(material, /^v1(\.[\w-]+){4}$/);
  const reopened = new KeyRing({ store, clock, masterKey: MASTER_KEY });
  t.is(verifyJwt(token, await reopened.realm('demo')).payload.sub, 'alice');
});

test('key ring: encrypted keys do not open without the master key, with another one, or in the row of another key', async (t) => {
  const { keys: store } = await openMemoryStore();
  const ring = new KeyRing({ store, clock, masterKey: MASTER_KEY });
  await ring.rotate('demo', 'HS512');
  const kid = await ring.rotate('demo', 'HS512');
  const noKey = await t.throwsAsync(new KeyRing({ store, clock }).realm('demo'), { code: 'master_key' });
  t.regex(noKey?.message ?? '', /is encrypted, but the master key is missing/);
  const other = new KeyRing({ store, clock, masterKey: `${MASTER_KEY}!` });
  await t.throwsAsync(other.realm('demo'), { code: 'master_key', message: /was encrypted with another master key/ });
  t.throws(() => new KeyRing({ store, clock, masterKey: 'short' }), { code: 'master_key' });

  const first = (await store.list('demo')).find((record) => record.kid !== kid);
  await store.putMaterial([{ realm: 'demo', kid, material: first?.material ?? '' }]);
  await t.throwsAsync(new KeyRing({ store, clock, masterKey: MASTER_KEY }).realm('demo'), { code: 'master_key' });
});

test('key ring: keys stored in plain are encrypted when a master key is first given', async (t) => {
  const { keys: store } = await openMemoryStore();
  const token = await signJwt(await (await new KeyRing({ store, clock }).realm('demo')).active('EdDSA'), {
    sub: 'alice',
  });
  const ring = new KeyRing({ store, clock, masterKey: MASTER_KEY });
  t.is(verifyJwt(token, await ring.realm('demo')).payload.sub, 'alice');
  for (const { material } of await store.list('demo')) t.true(material.startsWith('v1.'));
});

test('key ring: unreadable material is an error without the material, and the next load tries again', async (t) => {
  const { keys: store } = await openMemoryStore();
  const ring = new KeyRing({ store, clock });
  const kid = await ring.rotate('demo', 'HS512');
  const [record] = await store.list('demo');
  await store.putMaterial([{ realm: 'demo', kid, material: '{"jwk":{"kty":"RSA","d":"very-secret"}}' }]);
  const error = await t.throwsAsync(ring.realm('demo'), { code: 'key_unreadable' });
  t.false(String(error?.stack).includes('very-secret'));
  await store.putMaterial([{ realm: 'demo', kid, material: record?.material ?? '' }]);
  t.is((await (await ring.realm('demo')).active('HS512')).kid, kid);
});
