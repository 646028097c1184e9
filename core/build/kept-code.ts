import { createHash } from 'node:crypto';
import { closeSync, fstatSync, openSync, readFileSync, readSync, renameSync, statSync, writeFileSync } from 'node:fs';
import Module, { createRequire } from 'node:module';
import { basename, dirname, sep } from 'node:path';
import { Script } from 'node:vm';

/** What compiled code cannot do, and what is loaded before it. */
const COMPILED_ANEW = ['import-file.js', 'begin.js'];
/** Of a SHA-256 as base64url. */
const DIGEST_LENGTH = 43;
/** The digest, and the length of the table. */
const HEAD_BYTES = DIGEST_LENGTH + 4;

/** Of one chunk: the state of the file that V8's code was made of. */
interface Chunk {
  readonly name: string;
  readonly size: number;
  readonly modified: number;
}

/** Where that code lies, from the end of the table on, and its digest. */
interface Kept extends Chunk {
  readonly start: number;
  readonly length: number;
  readonly digest: string;
}

interface LoadingModule extends Module {
  exports: unknown;
}

type Loader = (module: LoadingModule, file: string) => void;

/**
 * What `module.enableCompileCache` does from Node 22 on, for the chunks of a folder on Node 20: they are loaded with what V8
 * made of them before. All is in one file, of which a chunk's part is read when it is loaded: V8 has no use for it after that.
 */
export class KeptCode {
  readonly #file: string;
  /** What was kept when the process began, also where the file is replaced meanwhile. */
  readonly #before: KeptFile | undefined;
  /** Chunks of this run. */
  readonly #loaded = new Map<string, { readonly script: Script; readonly chunk: Chunk }>();
  #isComplete = true;

  constructor(folder: string, file: string) {
    this.#file = file;
    this.#before = KeptFile.open(file);
    // Node’s types leave out _extensions, which `require.extensions` documents.
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
    const chunk = { name: basename(path), size, modified: mtimeMs };
    const cachedData = this.#before?.codeOf(chunk);
    // The wrapper has a line of its own, so that places in a stack are those of the file.
    const script = new Script(
      `(function (exports, require, module, __filename, __dirname) {\n${readFileSync(path, 'utf8')}\n})`,
      { filename: path, lineOffset: -1, ...(cachedData === undefined ? {} : { cachedData }) },
    );
    this.#isComplete &&= script.cachedDataRejected === false;
    this.#loaded.set(chunk.name, { script, chunk });
    const run = script.runInThisContext() as (...words: unknown[]) => void;
    run.call(module.exports, module.exports, createRequire(path), module, path, dirname(path));
  }

  /** Writes what was compiled by now where some of it is new. What cannot be written is not kept. */
  write(): void {
    if (this.#isComplete) return;
    this.#isComplete = true;
    const all = new Map<string, readonly [Chunk, Buffer]>();
    for (const chunk of this.#before?.chunks ?? []) {
      // Copied: what the next one is read into is the same.
      const code = this.#loaded.has(chunk.name) ? undefined : this.#before?.codeOf(chunk);
      if (code !== undefined) all.set(chunk.name, [chunk, Buffer.from(code)]);
    }
    for (const [name, { script, chunk }] of this.#loaded) all.set(name, [chunk, script.createCachedData()]);
    const made = `${this.#file}.${process.pid}`;
    try {
      writeFileSync(made, bytesOf([...all.values()]), { flag: 'wx', mode: 0o600 });
      renameSync(made, this.#file);
    } catch {
      // A disk that is full, or became read-only: the next start compiles.
    }
  }
}

/** A file of kept code, open for as long as the process runs. */
class KeptFile {
  readonly #descriptor: number;
  /** From where the places of the table count. */
  readonly #begin: number;
  readonly #table: ReadonlyMap<string, Kept>;
  /** One for all, since V8 copies what it wants; of its own, since V8 reads it as words. */
  readonly #buffer: Buffer;

  private constructor(descriptor: number, begin: number, table: readonly Kept[]) {
    this.#descriptor = descriptor;
    this.#begin = begin;
    this.#table = new Map(table.map((one) => [one.name, one]));
    this.#buffer = Buffer.allocUnsafeSlow(Math.max(0, ...table.map(({ length }) => length)));
  }

  /** Nothing, where the file is missing or its table damaged: V8 believes what it is given. */
  static open(file: string): KeptFile | undefined {
    let descriptor: number;
    try {
      descriptor = openSync(file, 'r');
    } catch {
      return undefined;
    }
    const table = tableIn(descriptor);
    if (table !== undefined) return new KeptFile(descriptor, HEAD_BYTES + table.length, JSON.parse(table));
    closeSync(descriptor);
    return undefined;
  }

  get chunks(): Iterable<Chunk> {
    return this.#table.values();
  }

  /** Good until the next is asked for; undefined where it was made of another file, or is damaged. */
  codeOf({ name, size, modified }: Chunk): Buffer | undefined {
    const kept = this.#table.get(name);
    if (kept?.size !== size || kept.modified !== modified) return undefined;
    const code = this.#buffer.subarray(0, kept.length);
    return isRead(this.#descriptor, code, this.#begin + kept.start) && digestOf(code) === kept.digest
      ? code
      : undefined;
  }
}

/** A digest of the rest of the head, the length of the table, the table, and the code that it tells the places of. */
function bytesOf(all: readonly (readonly [Chunk, Buffer])[]): Buffer {
  let end = 0;
  const table = all.map(([{ name, size, modified }, code]): Kept => {
    const start = end;
    end += code.length;
    return { name, size, modified, start, length: code.length, digest: digestOf(code) };
  });
  const text = Buffer.from(JSON.stringify(table), 'latin1');
  const begin = HEAD_BYTES + text.length;
  const bytes = Buffer.alloc(begin + end);
  bytes.writeUInt32LE(text.length, DIGEST_LENGTH);
  text.copy(bytes, HEAD_BYTES);
  bytes.write(digestOf(bytes.subarray(DIGEST_LENGTH, HEAD_BYTES + text.length)), 'latin1');
  for (const [index, { start }] of table.entries()) all[index]?.[1].copy(bytes, begin + start);
  return bytes;
}

/** The text of the table; undefined where it was not written to its end. Its names are those of chunks, all of them ASCII. */
function tableIn(descriptor: number): string | undefined {
  const head = Buffer.alloc(HEAD_BYTES);
  if (!isRead(descriptor, head, 0)) return undefined;
  const length = head.readUInt32LE(DIGEST_LENGTH);
  if (length > fstatSync(descriptor).size) return undefined;
  const told = Buffer.alloc(HEAD_BYTES - DIGEST_LENGTH + length);
  if (!isRead(descriptor, told, DIGEST_LENGTH)) return undefined;
  if (digestOf(told) !== head.toString('latin1', 0, DIGEST_LENGTH)) return undefined;
  return told.toString('latin1', HEAD_BYTES - DIGEST_LENGTH);
}

/** Whether there was enough to fill the buffer. */
function isRead(descriptor: number, into: Buffer, position: number): boolean {
  return readSync(descriptor, into, 0, into.length, position) === into.length;
}

function digestOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('base64url');
}
