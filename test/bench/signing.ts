import { cpuUsage } from 'node:process';
import * as jose from 'jose';
import { KeyRing } from '../../core/keys/key-ring.js';
import { signJwt } from '../../core/keys/sign.js';
import { verifyJwt } from '../../core/keys/verify.js';
import { openMemoryStore } from '../../core/store/sqlite/open-store.js';

// The cost of signing and verifying with node:crypto, as in the host, and with jose. CPU time of all threads per token,
// in microseconds, as the median of five alternating rounds. 16 at a time, as under load.

const ROUNDS = 5;
const AT_A_TIME = 16;
const TOKENS = 640;

const { keys: store } = await openMemoryStore();
const keys = await new KeyRing({ store, clock: { now: () => Date.now() } }).realm('bench');
const payload = {
  iss: 'https://host/realms/bench',
  sub: 'a11ce000',
  exp: 2_000_000_300,
  iat: 2_000_000_000,
  scope: 'openid',
};

async function cpu(work: () => unknown): Promise<number> {
  const before = cpuUsage();
  for (let done = 0; done < TOKENS; done += AT_A_TIME) {
    await Promise.all(Array.from({ length: AT_A_TIME }, async () => work()));
  }
  const { user, system } = cpuUsage(before);
  return (user + system) / TOKENS;
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

process.stdout.write('algorithm  sign: host  jose  ratio  verify: host  jose  ratio\n');
for (const algorithm of ['HS512', 'ES256', 'EdDSA', 'RS256']) {
  const key = await keys.active(algorithm);
  const { jwk } = JSON.parse((await store.list('bench')).find(({ kid }) => kid === key.kid)?.material ?? '{}');
  const { kty, n, e, crv, x, y, k } = jwk;
  const theirs = await jose.importJWK(jwk, algorithm);
  const published = k === undefined ? await jose.importJWK({ kty, n, e, crv, x, y }, algorithm) : theirs;
  const token = await signJwt(key, payload);
  const header = { alg: algorithm, typ: 'JWT', kid: key.kid };
  const work = {
    sign: () => signJwt(key, payload),
    joseSigns: () => new jose.SignJWT(payload).setProtectedHeader(header).sign(theirs),
    verify: () => verifyJwt(token, keys),
    joseVerifies: () => jose.jwtVerify(token, published),
  };
  const seen = new Map(Object.keys(work).map((name) => [name, [] as number[]]));
  for (let round = -1; round < ROUNDS; round += 1) {
    for (const [name, one] of Object.entries(work)) {
      const each = await cpu(one);
      // The first round is a warm-up.
      if (round >= 0) seen.get(name)?.push(each);
    }
  }
  const [sign = 0, joseSigns = 0, verify = 0, joseVerifies = 0] = [...seen.values()].map(median);
  const cells = [sign, joseSigns, joseSigns / sign, verify, joseVerifies, joseVerifies / verify];
  process.stdout.write(`${algorithm.padEnd(9)}  ${cells.map((cell) => cell.toFixed(1).padStart(8)).join('')}\n`);
}
