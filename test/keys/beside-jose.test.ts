import { createSecretKey, type KeyObject } from 'node:crypto';
import test from 'ava';
import * as jose from 'jose';
import { ASYMMETRIC_ALGORITHMS, SYMMETRIC_ALGORITHMS } from '../../core/keys/algorithms.js';
import { KeyRing } from '../../core/keys/key-ring.js';
import { signJwt } from '../../core/keys/sign.js';
import { verifyJwt } from '../../core/keys/verify.js';
import { openMemoryStore } from '../../core/store/sqlite/open-store.js';

const NOW = 1_700_000_000;
/** Changed tokens for each algorithm, and signed headers and payloads of any sort. */
const CHANGED = 150;
const SIGNED = 40;

const { keys: store } = await openMemoryStore();
const ring = new KeyRing({ store, clock: { now: () => NOW * 1000 } });
const keys = await ring.realm('demo');

/** The same numbers in every run (mulberry32), so that a failure is found again. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.=+/ é';
const TEXTS = ['', 'alice', 'ünï-✓', '\u0000', '"\\', '😀', 'a'.repeat(300)];

/** One letter more, less or other, or a part of another token. */
function change(token: string, other: string, pick: (below: number) => number): string {
  const at = pick(token.length);
  const letter = LETTERS[pick(LETTERS.length)] ?? '';
  if (pick(4) === 0) {
    const part = pick(3);
    const theirs = other.split('.');
    return token
      .split('.')
      .map((own, index) => (index === part ? theirs[index] : own))
      .join('.');
  }
  return token.slice(0, at) + (pick(3) === 0 ? '' : letter) + token.slice(at + pick(2));
}

/** An unusual header and payload with a valid signature. */
function oddly(kid: string, alg: string, pick: (below: number) => number): { header: object; payload: object } {
  const text = () => TEXTS[pick(TEXTS.length)];
  const headers = [
    { kid },
    { kid, typ: text() },
    {},
    { kid: text() },
    { kid, x5t: text(), jwk: {} },
    { kid, zip: 'DEF' },
  ];
  const times = [NOW + 60, NOW + 0.5 + 60, -1, '60', null, 0, Number.MAX_SAFE_INTEGER];
  const payload: Record<string, unknown> = { sub: text(), [`claim ${text()}`]: { deep: [text(), pick(1000), null] } };
  if (pick(2) === 0) payload[['exp', 'nbf', 'iat'][pick(3)] ?? 'exp'] = times[pick(times.length)];
  return { header: { alg, ...headers[pick(headers.length)] }, payload };
}

/** The rules of `verifyJwt` beyond jose that the token alone decides: one canonical encoding, a kid, whole seconds. */
function isStrictlyWritten(token: string): boolean {
  const parts = token.split('.').map((part) => Buffer.from(part, 'base64url'));
  if (parts.map((bytes) => bytes.toString('base64url')).join('.') !== token) return false;
  const [header, payload] = parts.slice(0, 2).map((bytes) => JSON.parse(bytes.toString()));
  const times = [payload.exp, payload.nbf, payload.iat].filter((time) => time !== undefined);
  return (
    typeof header.kid === 'string' &&
    !('zip' in header) &&
    times.every((time) => Number.isSafeInteger(time) && time >= 0) &&
    keys.verifier(header.kid, header.alg) !== undefined
  );
}

function read(token: string, algorithm: string): object | undefined {
  try {
    return verifyJwt(token, keys, { algorithms: [algorithm] }).payload;
  } catch {
    return undefined;
  }
}

async function readByJose(token: string, key: KeyObject | jose.CryptoKey | Uint8Array, algorithm: string) {
  try {
    const { payload } = await jose.compactVerify(token, key, { algorithms: [algorithm] });
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(payload));
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

for (const [seed, algorithm] of [...ASYMMETRIC_ALGORITHMS, ...SYMMETRIC_ALGORITHMS].entries()) {
  test(`JWT: changed or odd ${algorithm} tokens are accepted exactly if jose accepts them, with the same claims`, async (t) => {
    const pick = numbers(seed);
    const key = await keys.active(algorithm);
    const material = JSON.parse((await store.list('demo')).find(({ kid }) => kid === key.kid)?.material ?? '{}').jwk;
    const isSecret = material.kty === 'oct';
    const signs = isSecret ? createSecretKey(material.k, 'base64url') : await jose.importJWK(material, algorithm);
    const { kty, n, e, crv, x, y } = material;
    const verifies = isSecret ? signs : await jose.importJWK({ kty, n, e, crv, x, y }, algorithm);
    const own = await signJwt(key, { sub: 'alice', exp: NOW + 60 });
    const other = await signJwt(key, { sub: 'mallory', exp: NOW + 600, more: true });

    const tokens = [own, other];
    for (let count = 0; count < CHANGED; count += 1) tokens.push(change(own, other, pick));
    for (let count = 0; count < SIGNED; count += 1) {
      const { header, payload } = oddly(key.kid, algorithm, pick);
      const signer = new jose.CompactSign(Buffer.from(JSON.stringify(payload)));
      tokens.push(await signer.setProtectedHeader(header as jose.CompactJWSHeaderParameters).sign(signs));
    }
    const taken = { both: 0, neither: 0, joseAlone: 0 };
    for (const token of tokens) {
      const ours = read(token, algorithm);
      const theirs = await readByJose(token, verifies, algorithm);
      if (ours !== undefined) t.deepEqual(ours, theirs, token);
      else if (theirs !== undefined) t.false(isStrictlyWritten(token), token);
      taken[ours !== undefined ? 'both' : theirs !== undefined ? 'joseAlone' : 'neither'] += 1;
    }
    t.true(taken.both > 10 && taken.neither > 50 && taken.joseAlone > 0, JSON.stringify(taken));
  });
}
