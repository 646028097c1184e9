import { createHash } from 'node:crypto';
import { lstatSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import * as Module from 'node:module';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { enableSchemaCache, writeQueuedChecks } from '../config/json/schema-cache.js';
import { ChunkCache } from './compile-cache.js';

/**
 * The delay after which compiled code is written, in milliseconds. After this time a host has started. It is also
 * written on exit, but the process may be killed.
 */
const WRITE_AFTER_MS = 30_000;
/** The age after which the cache of a different build is deleted, in milliseconds. */
const UNUSED_AGE_MS = 30 * 24 * 60 * 60 * 1000;
const WRITABLE_BY_OTHERS = 0o022;

export interface CodeCacheOptions {
  /** The bundle's folder. */
  readonly bundle: string;
  /** Identifies the bundle's code. */
  readonly build: string;
  /** An absolute folder, or `off`. If empty, a folder in `userCaches` is used. */
  readonly requestedFolder: string | undefined;
  /** The user's cache folder; `.cache` in the home directory if this is undefined. */
  readonly userCaches: string | undefined;
}

/** Available since Node 22; the types are those of Node 20. */
interface CompileCache {
  readonly enableCompileCache?: (folder: string) => unknown;
  readonly flushCompileCache?: () => void;
}

/**
 * Enables V8's code cache, so that the next start need not compile the code. Cached code is executed, so no other user
 * may write to the folder. The folder's name depends on everything that affects the compiled code. If no folder is
 * usable, for example on a read-only file system, everything is compiled as usual.
 *
 * @returns the reason why the requested folder is not used; undefined if it is used, or none was requested
 */
export function useCodeCache({
  bundle,
  build,
  requestedFolder = '',
  userCaches,
}: CodeCacheOptions): string | undefined {
  // With source maps, Node must compile the code itself, because it reads the maps while it compiles.
  if (requestedFolder === 'off' || process.execArgv.includes('--enable-source-maps')) return undefined;
  const isRequested = requestedFolder !== '';
  if (isRequested && !isAbsolute(requestedFolder)) return 'it must be an absolute path';
  const root = isRequested ? requestedFolder : join(userCachesFolder(userCaches), 'keyhost');
  const name = [build, process.version, process.arch, ...process.execArgv].join('\n');
  const folder = join(root, createHash('sha256').update(name).digest('hex').slice(0, 32));
  if (!isRequested) makeFolder(dirname(root));
  makeFolder(root);
  if (!isPrivate(root))
    return isRequested
      ? 'it must be a folder that belongs to this user and that no other user can write to'
      : undefined;
  if (makeFolder(folder)) deleteUnused(root);
  if (!isPrivate(folder)) return isRequested ? 'the folder cannot be written to' : undefined;
  const { enableCompileCache, flushCompileCache } = Module as CompileCache;
  let write: () => void = () => flushCompileCache?.();
  if (enableCompileCache === undefined) {
    const codeCache = new ChunkCache(bundle, join(folder, 'code'));
    write = () => codeCache.write();
    process.once('exit', write);
  } else enableCompileCache(folder);
  enableSchemaCache(join(folder, 'checks'));
  process.once('exit', writeQueuedChecks);
  setTimeout(() => {
    write();
    writeQueuedChecks();
  }, WRITE_AFTER_MS).unref();
  return undefined;
}

function userCachesFolder(caches: string | undefined): string {
  return caches !== undefined && isAbsolute(caches) ? caches : join(homedir(), '.cache');
}

/**
 * Creates a folder. Not recursive: if a parent folder cannot be created, as in /proc, Node 20 would retry forever.
 * @returns true if it was created
 */
function makeFolder(folder: string): boolean {
  try {
    mkdirSync(folder, { mode: 0o700 });
    return true;
  } catch {
    // It exists or cannot be created, which the caller checks next.
    return false;
  }
}

/** True if the folder exists, belongs to this user, and is writable by its owner only. */
function isPrivate(folder: string): boolean {
  try {
    const state = lstatSync(folder);
    const isSafe = state.uid === process.geteuid?.() && (state.mode & WRITABLE_BY_OTHERS) === 0;
    return state.isDirectory() && (isSafe || process.platform === 'win32');
  } catch {
    return false;
  }
}

function deleteUnused(root: string): void {
  const since = Date.now() - UNUSED_AGE_MS;
  for (const name of readdirSync(root)) {
    const path = join(root, name);
    if (!/^[0-9a-f]{32}$/.test(name)) continue;
    if ((lstatSync(path, { throwIfNoEntry: false })?.mtimeMs ?? since) < since)
      rmSync(path, { recursive: true, force: true });
  }
}
