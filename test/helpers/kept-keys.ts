import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { generateKey, type KeyMaker } from '../../core/keys/key-material.js';

type MadeKey = Awaited<ReturnType<KeyMaker>>;

/**
 * The cache of RSA keys that earlier test threads generated, one per line: a key takes at least a tenth of a second of
 * a core.
 */
const FILE = fileURLToPath(new URL('../../../node_modules/.cache/keyhost-test-keys.jsonl', import.meta.url));
/** The maximum number of cached keys, by size in bits: almost as many as a test thread uses. */
const MOST: ReadonlyMap<number, number> = new Map([
  [2048, 64],
  // Keys of clients, each of which takes at least a second of a core.
  [4096, 16],
]);

/** Cached keys that this thread has not used yet, by size in bits: no two of its realms share a key. */
let kept: Map<number, MadeKey[]> | undefined;
const known = new Map<number, number>();

/** Generates keys as a host does, but uses cached RSA keys first. */
export const makeKeptKey: KeyMaker = async (algorithm, size = {}) => {
  const bits = size.bits ?? 2048;
  const most = MOST.get(bits);
  if (algorithm.kty !== 'RSA' || most === undefined) return generateKey(algorithm, size);
  kept ??= read();
  const next = kept.get(bits)?.pop();
  if (next !== undefined) return next;
  const made = await generateKey(algorithm, size);
  const before = known.get(bits) ?? 0;
  if (before < most) {
    known.set(bits, before + 1);
    mkdirSync(dirname(FILE), { recursive: true });
    appendFileSync(FILE, `${JSON.stringify(made)}\n`, { mode: 0o600 });
  }
  return made;
};

function read(): Map<number, MadeKey[]> {
  const found = new Map<number, MadeKey[]>();
  if (!existsSync(FILE)) return found;
  // Whole lines only: another thread may be writing the last one.
  for (const line of readFileSync(FILE, 'utf8').split('\n').slice(0, -1)) {
    const key = JSON.parse(line) as MadeKey;
    const bits = Buffer.from(String(key.material.jwk.n), 'base64url').length * 8;
    found.set(bits, [...(found.get(bits) ?? []), key]);
  }
  for (const [bits, keys] of found) known.set(bits, keys.length);
  return found;
}
