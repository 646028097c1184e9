import { createHash } from 'node:crypto';
import { closeSync, fstatSync, openSync, readFileSync, readSync, renameSync, statSync, writeFileSync } from 'node:fs';
import Module, { createRequire } from 'node:module';
import { basename, dirname, sep } from 'node:path';
import { Script } from 'node:vm';

/**
 * Files that are not cached. `import-file.js` uses `import()`, which is not possible in cached code; `begin.js` is
 * loaded before the cache is opened.
 */
const UNCACHED_FILES = ['import-file.js', 'begin.js'];
/** The length of a SHA-256 as base64url. */
const DIGEST_LENGTH = 43;
/** The digest and the length of the table. */
const HEAD_BYTES = DIGEST_LENGTH + 4;

/** A chunk of the bundle, and the state of its file when V8 compiled it. */
interface Chunk {
  readonly name: string;
  readonly size: number;
  readonly modified: number;
}

/** An entry of the table. `start` is the position of the cached code after the table. */
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
 * Loads the chunks of a folder with V8's cached code, as `module.enableCompileCache` does on Node 22 and later. Used on
 * Node 20. One file contains the code of all chunks. The code of a chunk is read when the chunk is loaded.
 */
export class ChunkCache {
  readonly #file: string;
  /** The cache file as opened at the start of the process, even if it is replaced meanwhile. */
  readonly #previousFile: CacheFile | undefined;
  /** The chunks that this process has loaded. */
  readonly #loaded = new Map<string, { readonly script: Script; readonly chunk: Chunk }>();
  #isComplete = true;

  constructor(folder: string, file: string) {
    this.#file = file;
    this.#previousFile = CacheFile.open(file);
    // Node's types lack _extensions, which is documented as `require.extensions`.
    const { _extensions: loaders } = Module as unknown as { _extensions: Record<string, Loader> };
    const load = loaders['.js'] as Loader;
    loaders['.js'] = (module, path) => {
      const isHostChunk = path.startsWith(folder + sep) && !UNCACHED_FILES.includes(basename(path));
      if (isHostChunk) this.#load(module, path);
      else load(module, path);
    };
  }

  #load(module: LoadingModule, path: string): void {
    const { size, mtimeMs } = statSync(path);
    const chunk = { name: basename(path), size, modified: mtimeMs };
    const cachedData = this.#previousFile?.codeOf(chunk);
    // The wrapper adds a line in front of the file. `lineOffset` corrects for it, so that stack traces have the file's
    // positions.
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
    for (const chunk of this.#previousFile?.chunks ?? []) {
      // Copy the code, because the buffer is reused for the next chunk.
      const code = this.#loaded.has(chunk.name) ? undefined : this.#previousFile?.codeOf(chunk);
      if (code !== undefined) chunks.set(chunk.name, [chunk, Buffer.from(code)]);
    }
    for (const [name, { script, chunk }] of this.#loaded) chunks.set(name, [chunk, script.createCachedData()]);
    const temporaryFile = `${this.#file}.${process.pid}`;
    try {
      writeFileSync(temporaryFile, bytesOf([...chunks.values()]), { flag: 'wx', mode: 0o600 });
      renameSync(temporaryFile, this.#file);
    } catch {
      // For example, the disk is full or read-only. The next start then compiles the code.
    }
  }
}

/** A file of cached code, open for as long as the process runs. */
class CacheFile {
  readonly #descriptor: number;
  /** The offset of the first byte after the table, to which the positions in the table are relative. */
  readonly #dataStart: number;
  readonly #table: ReadonlyMap<string, CacheEntry>;
  /**
   * One buffer for all chunks, because V8 copies its content. It is not from Node's pool, because V8 requires an
   * aligned buffer.
   */
  readonly #buffer: Buffer;

  private constructor(descriptor: number, dataStart: number, table: readonly CacheEntry[]) {
    this.#descriptor = descriptor;
    this.#dataStart = dataStart;
    this.#table = new Map(table.map((entry) => [entry.name, entry]));
    this.#buffer = Buffer.allocUnsafeSlow(Math.max(0, ...table.map(({ length }) => length)));
  }

  /**
   * Opens a cache file. Returns undefined if it is missing or its table is damaged. The digests are checked, because V8
   * trusts its input.
   */
  static open(file: string): CacheFile | undefined {
    let descriptor: number;
    try {
      descriptor = openSync(file, 'r');
    } catch {
      return undefined;
    }
    const table = readTable(descriptor);
    if (table !== undefined) return new CacheFile(descriptor, HEAD_BYTES + table.length, JSON.parse(table));
    closeSync(descriptor);
    return undefined;
  }

  get chunks(): Iterable<Chunk> {
    return this.#table.values();
  }

  /**
   * Returns the cached code of a chunk, which is valid until the next call. Undefined if the chunk's file has changed
   * or the code is damaged.
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

/**
 * Returns the content of a cache file. It begins with a digest of the length and the table that follow, and ends with
 * the code of all chunks.
 */
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

/** Reads the text of the table; undefined if the file was not completely written. The names of chunks are ASCII. */
function readTable(descriptor: number): string | undefined {
  const head = Buffer.alloc(HEAD_BYTES);
  if (!readFully(descriptor, head, 0)) return undefined;
  const length = head.readUInt32LE(DIGEST_LENGTH);
  if (length > fstatSync(descriptor).size) return undefined;
  const header = Buffer.alloc(HEAD_BYTES - DIGEST_LENGTH + length);
  if (!readFully(descriptor, header, DIGEST_LENGTH)) return undefined;
  if (digestOf(header) !== head.toString('latin1', 0, DIGEST_LENGTH)) return undefined;
  return header.toString('latin1', HEAD_BYTES - DIGEST_LENGTH);
}

/** Fills the buffer from the file. Returns false if the file has too few bytes. */
function readFully(descriptor: number, buffer: Buffer, position: number): boolean {
  return readSync(descriptor, buffer, 0, buffer.length, position) === buffer.length;
}

function digestOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('base64url');
}
