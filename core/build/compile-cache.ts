import { createHash } from 'node:crypto';
import { closeSync, fstatSync, openSync, readFileSync, readSync, renameSync, statSync, writeFileSync } from 'node:fs';
import Module, { createRequire } from 'node:module';
import { basename, dirname, sep } from 'node:path';
import { Script } from 'node:vm';

/**
 * Files that are not cached: one uses `import()`, which cached code cannot, and the other is loaded before the cache.
 */
const UNCACHED_FILES = ['import-file.js', 'begin.js'];
/** The length of a SHA-256 as base64url. */
const DIGEST_LENGTH = 43;
/** The digest and the length of the table. */
const HEAD_BYTES = DIGEST_LENGTH + 4;

/** The state of a chunk's file when V8 compiled it. */
interface Chunk {
  readonly name: string;
  readonly size: number;
  readonly modified: number;
}

/** The position of its cached code, relative to the end of the table, and its digest. */
interface CacheEntry extends Chunk {
  readonly start: number;
  readonly length: number;
  readonly digest: string;
}

interface LoadingModule extends Module {
  exports: unknown;
}

type Loader = (module: LoadingModule, file: string) => void;

/**
 * Does for the chunks of a folder on Node 20 what `module.enableCompileCache` does on Node 22 and later: loads them
 * with V8's cached code. One file holds everything. A chunk's part is read when the chunk is loaded and is not needed
 * afterwards.
 */
export class KeptCode {
  readonly #file: string;
  /** The cache file as opened at the start of the process, even if it is replaced meanwhile. */
  readonly #before: CacheFile | undefined;
  /** The chunks that this process has loaded. */
  readonly #loaded = new Map<string, { readonly script: Script; readonly chunk: Chunk }>();
  #isComplete = true;

  constructor(folder: string, file: string) {
    this.#file = file;
    this.#before = CacheFile.open(file);
    // Node's types lack _extensions, which is documented as `require.extensions`.
    const { _extensions: loaders } = Module as unknown as { _extensions: Record<string, Loader> };
    const load = loaders['.js'] as Loader;
    loaders['.js'] = (module, path) => {
      const isOurs = path.startsWith(folder + sep) && !UNCACHED_FILES.includes(basename(path));
      if (isOurs) this.#load(module, path);
      else load(module, path);
    };
  }

  #load(module: LoadingModule, path: string): void {
    const { size, mtimeMs } = statSync(path);
    const chunk = { name: basename(path), size, modified: mtimeMs };
    const cachedData = this.#before?.codeOf(chunk);
    // The wrapper is on a line of its own, and `lineOffset` corrects for it: stack traces have the file's positions.
    const script = new Script(
      `(function (exports, require, module, __filename, __dirname) {\n${readFileSync(path, 'utf8')}\n})`,
      { filename: path, lineOffset: -1, ...(cachedData === undefined ? {} : { cachedData }) },
    );
    this.#isComplete &&= script.cachedDataRejected === false;
    this.#loaded.set(chunk.name, { script, chunk });
    const run = script.runInThisContext() as (...wrapperArguments: unknown[]) => void;
    run.call(module.exports, module.exports, createRequire(path), module, path, dirname(path));
  }

  /** Writes the compiled code if some of it is new. A failed write is ignored. */
  write(): void {
    if (this.#isComplete) return;
    this.#isComplete = true;
    const chunks = new Map<string, readonly [Chunk, Buffer]>();
    for (const chunk of this.#before?.chunks ?? []) {
      // Copy it, since the buffer is reused for the next chunk.
      const code = this.#loaded.has(chunk.name) ? undefined : this.#before?.codeOf(chunk);
      if (code !== undefined) chunks.set(chunk.name, [chunk, Buffer.from(code)]);
    }
    for (const [name, { script, chunk }] of this.#loaded) chunks.set(name, [chunk, script.createCachedData()]);
    const temporaryFile = `${this.#file}.${process.pid}`;
    try {
      writeFileSync(temporaryFile, bytesOf([...chunks.values()]), { flag: 'wx', mode: 0o600 });
      renameSync(temporaryFile, this.#file);
    } catch {
      // The disk is full or became read-only: the next start compiles.
    }
  }
}

/** A file of cached code, open for as long as the process runs. */
class CacheFile {
  readonly #descriptor: number;
  /** The offset of the first byte after the table, from which its positions count. */
  readonly #dataStart: number;
  readonly #table: ReadonlyMap<string, CacheEntry>;
  /**
   * One buffer for all chunks, since V8 copies what it needs. It is not from Node's pool, since V8 needs it aligned.
   */
  readonly #buffer: Buffer;

  private constructor(descriptor: number, dataStart: number, table: readonly CacheEntry[]) {
    this.#descriptor = descriptor;
    this.#dataStart = dataStart;
    this.#table = new Map(table.map((one) => [one.name, one]));
    this.#buffer = Buffer.allocUnsafeSlow(Math.max(0, ...table.map(({ length }) => length)));
  }

  /** Opens a cache file. Undefined if it is missing or its table is damaged, since V8 trusts its input. */
  static open(file: string): CacheFile | undefined {
    let descriptor: number;
    try {
      descriptor = openSync(file, 'r');
    } catch {
      return undefined;
    }
    const table = tableIn(descriptor);
    if (table !== undefined) return new CacheFile(descriptor, HEAD_BYTES + table.length, JSON.parse(table));
    closeSync(descriptor);
    return undefined;
  }

  get chunks(): Iterable<Chunk> {
    return this.#table.values();
  }

  /**
   * The cached code of a chunk, valid until the next call. Undefined if the chunk's file has changed or the code is
   * damaged.
   */
  codeOf({ name, size, modified }: Chunk): Buffer | undefined {
    const entry = this.#table.get(name);
    if (entry?.size !== size || entry.modified !== modified) return undefined;
    const code = this.#buffer.subarray(0, entry.length);
    return readFully(this.#descriptor, code, this.#dataStart + entry.start) && digestOf(code) === entry.digest
      ? code
      : undefined;
  }
}

/** The content of a cache file: a digest of the rest of the head, the table's length, the table, and the code. */
function bytesOf(chunks: readonly (readonly [Chunk, Buffer])[]): Buffer {
  let end = 0;
  const table = chunks.map(([{ name, size, modified }, code]): CacheEntry => {
    const start = end;
    end += code.length;
    return { name, size, modified, start, length: code.length, digest: digestOf(code) };
  });
  const text = Buffer.from(JSON.stringify(table), 'latin1');
  const dataStart = HEAD_BYTES + text.length;
  const bytes = Buffer.alloc(dataStart + end);
  bytes.writeUInt32LE(text.length, DIGEST_LENGTH);
  text.copy(bytes, HEAD_BYTES);
  bytes.write(digestOf(bytes.subarray(DIGEST_LENGTH, HEAD_BYTES + text.length)), 'latin1');
  for (const [index, { start }] of table.entries()) chunks[index]?.[1].copy(bytes, dataStart + start);
  return bytes;
}

/** The text of the table; undefined if the file was not completely written. Its names, those of chunks, are ASCII. */
function tableIn(descriptor: number): string | undefined {
  const head = Buffer.alloc(HEAD_BYTES);
  if (!readFully(descriptor, head, 0)) return undefined;
  const length = head.readUInt32LE(DIGEST_LENGTH);
  if (length > fstatSync(descriptor).size) return undefined;
  const header = Buffer.alloc(HEAD_BYTES - DIGEST_LENGTH + length);
  if (!readFully(descriptor, header, DIGEST_LENGTH)) return undefined;
  if (digestOf(header) !== head.toString('latin1', 0, DIGEST_LENGTH)) return undefined;
  return header.toString('latin1', HEAD_BYTES - DIGEST_LENGTH);
}

/** True if there were enough bytes to fill the buffer. */
function readFully(descriptor: number, into: Buffer, position: number): boolean {
  return readSync(descriptor, into, 0, into.length, position) === into.length;
}

function digestOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('base64url');
}
