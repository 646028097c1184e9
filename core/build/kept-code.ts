import { createHash } from 'node:crypto';
import { readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import Module, { createRequire } from 'node:module';
import { basename, dirname, sep } from 'node:path';
import { Script } from 'node:vm';

/** What compiled code cannot do, and what is loaded before it. */
const COMPILED_ANEW = ['import-file.js', 'begin.js'];
const DIGEST_BYTES = 32;
/** V8 reads in place what begins at a multiple of that. */
const ALIGNMENT = 8;

/** Of one chunk: what V8 made of it, and the state of the file that it was made of. */
interface Kept {
  readonly name: string;
  readonly size: number;
  readonly modified: number;
  readonly data: Buffer;
}

interface LoadingModule extends Module {
  exports: unknown;
}

type Loader = (module: LoadingModule, file: string) => void;

/**
 * What `module.enableCompileCache` does from Node 22 on, for the chunks of a folder on Node 20: they are loaded with what V8
 * made of them before. All is in one file, which is read at once.
 */
export class KeptCode {
  readonly #file: string;
  readonly #kept = new Map<string, Kept>();
  /** Chunks of this run. */
  readonly #loaded = new Map<string, { readonly script: Script; readonly state: Omit<Kept, 'data'> }>();
  #isComplete = true;

  constructor(folder: string, file: string) {
    this.#file = file;
    for (const one of readKept(file)) this.#kept.set(one.name, one);
    const { _extensions: loaders } = Module as unknown as { _extensions: Record<string, Loader> };
    const load = loaders['.js'] as Loader;
    loaders['.js'] = (module, path) => {
      const isOurs = path.startsWith(folder + sep) && !COMPILED_ANEW.includes(basename(path));
      if (isOurs) this.#load(module, path);
      else load(module, path);
    };
  }

  #load(module: LoadingModule, path: string): void {
    const { size, mtimeMs } = statSync(path);
    const state = { name: basename(path), size, modified: mtimeMs };
    const kept = this.#kept.get(state.name);
    const cachedData = kept?.size === size && kept.modified === mtimeMs ? kept.data : undefined;
    // The wrapper has a line of its own, so that places in a stack are those of the file.
    const script = new Script(
      `(function (exports, require, module, __filename, __dirname) {\n${readFileSync(path, 'utf8')}\n})`,
      { filename: path, lineOffset: -1, ...(cachedData === undefined ? {} : { cachedData }) },
    );
    this.#isComplete &&= script.cachedDataRejected === false;
    this.#loaded.set(state.name, { script, state });
    const run = script.runInThisContext() as (...words: unknown[]) => void;
    run.call(module.exports, module.exports, createRequire(path), module, path, dirname(path));
  }

  /** Writes what was compiled by now where some of it is new. What cannot be written is not kept. */
  write(): void {
    if (this.#isComplete) return;
    for (const [name, { script, state }] of this.#loaded) {
      this.#kept.set(name, { ...state, data: script.createCachedData() });
    }
    this.#isComplete = true;
    const made = `${this.#file}.${process.pid}`;
    try {
      writeFileSync(made, bytesOf([...this.#kept.values()]), { flag: 'wx', mode: 0o600 });
      renameSync(made, this.#file);
    } catch {
      // A disk that is full, or became read-only: the next start compiles.
    }
  }
}

/** A digest of the rest, the length of the table, the table, and the data that it tells the places of. */
function bytesOf(all: readonly Kept[]): Buffer {
  let end = 0;
  const table = all.map(({ data, ...state }) => {
    const start = end;
    end = aligned(start + data.length);
    return { ...state, start, length: data.length };
  });
  const head = Buffer.from(JSON.stringify(table));
  const begin = aligned(DIGEST_BYTES + ALIGNMENT + head.length);
  const bytes = Buffer.alloc(begin + end);
  bytes.writeUInt32LE(head.length, DIGEST_BYTES);
  head.copy(bytes, DIGEST_BYTES + ALIGNMENT);
  for (const [index, { start }] of table.entries()) all[index]?.data.copy(bytes, begin + start);
  digestOf(bytes).copy(bytes);
  return bytes;
}

/** Nothing, where the file is missing or was not written to its end: V8 believes what it is given. */
function readKept(file: string): Kept[] {
  let bytes: Buffer;
  try {
    bytes = readFileSync(file);
  } catch {
    return [];
  }
  if (bytes.length < DIGEST_BYTES + ALIGNMENT || !digestOf(bytes).equals(bytes.subarray(0, DIGEST_BYTES))) return [];
  const length = bytes.readUInt32LE(DIGEST_BYTES);
  const head = bytes.toString('utf8', DIGEST_BYTES + ALIGNMENT, DIGEST_BYTES + ALIGNMENT + length);
  const begin = aligned(DIGEST_BYTES + ALIGNMENT + length);
  const table = JSON.parse(head) as (Omit<Kept, 'data'> & { start: number; length: number })[];
  return table.map(({ start, length, ...state }) => {
    const from = begin + start;
    return { ...state, data: bytes.subarray(from, from + length) };
  });
}

function aligned(offset: number): number {
  return Math.ceil(offset / ALIGNMENT) * ALIGNMENT;
}

function digestOf(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes.subarray(DIGEST_BYTES)).digest();
}
