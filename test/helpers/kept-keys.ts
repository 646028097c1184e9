import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { generateKey, type KeyMaker } from '../../core/keys/key-material.js';

type MadeKey = Awaited<ReturnType<KeyMaker>>;

/** The RSA keys that earlier threads of tests made, a line each: to make one costs a tenth of a second of a core and more. */
const FILE = fileURLToPath(new URL('../../../node_modules/.cache/keyhost-test-keys.jsonl', import.meta.url));
/** As many as a thread of tests uses, with few exceptions. */
const MOST = 64;
const RSA_BITS = 2048;

/** Those that this thread has not used yet: no two of its realms share a key. */
let kept: MadeKey[] | undefined;
let known = 0;

/** Makes keys as a host does, of RSA those first that an earlier thread made. */
export const makeKeptKey: KeyMaker = async (algorithm, size = {}) => {
  if (algorithm.kty !== 'RSA' || (size.bits ?? RSA_BITS) !== RSA_BITS) return generateKey(algorithm, size);
  if (kept === undefined) {
    kept = read();
    known = kept.length;
  }
  const next = kept.pop();
  if (next !== undefined) return next;
  const made = await generateKey(algorithm, size);
  if (known < MOST) {
    known += 1;
    mkdirSync(dirname(FILE), { recursive: true });
    appendFileSync(FILE, `${JSON.stringify(made)}\n`, { mode: 0o600 });
  }
  return made;
};

/** Whole lines: another thread may be writing the last one. */
function read(): MadeKey[] {
  if (!existsSync(FILE)) return [];
  const lines = readFileSync(FILE, 'utf8').split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line) as MadeKey);
}
