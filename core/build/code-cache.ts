import { createHash } from 'node:crypto';
import { lstatSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import * as Module from 'node:module';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { enableSchemaCache, writeQueuedChecks } from '../config/json/schema-cache.js';
import { KeptCode } from './compile-cache.js';

/**
 * The delay after which compiled code is written, in milliseconds. By then a host has started, and the write does not
 * depend on an orderly exit.
 */
const WRITE_AFTER_MS = 30_000;
/** The age at which the cache of another build is deleted, in milliseconds. */
const FORGOTTEN_AFTER_MS = 30 * 24 * 60 * 60 * 1000;
const OTHERS_WRITE = 0o022;

export interface CodeCacheOptions {
  /** The bundle's folder. */
  readonly bundle: string;
  /** Identifies the bundle's code. */
  readonly build: string;
  /** An absolute folder, or `off`. If empty, a folder in `caches`. */
  readonly place: string | undefined;
  /** The user's cache folder; undefined: `.cache` in the home directory. */
  readonly caches: string | undefined;
}

/** Available since Node 22; the types are those of Node 20. */
interface CompileCache {
  readonly enableCompileCache?: (folder: string) => unknown;
  readonly flushCompileCache?: () => void;
}

/**
 * Enables V8's code cache, so that the next start need not compile the code. Cached code will be executed, so only its
 * owner may write to the folder. The folder's name depends on everything that affects the compiled code. If no folder
 * is usable, as on a read-only file system, everything is compiled as usual.
 *
 * @returns the reason why the requested folder is not used
 */
export function useCodeCache({ bundle, build, place = '', caches }: CodeCacheOptions): string | undefined {
  // With source maps Node must compile the code itself, since it reads the maps while compiling.
  if (place === 'off' || process.execArgv.includes('--enable-source-maps')) return undefined;
  const isPlaced = place !== '';
  if (isPlaced && !isAbsolute(place)) return 'it must be an absolute path';
  const root = isPlaced ? place : join(cachesFolder(caches), 'keyhost');
  const name = [build, process.version, process.arch, ...process.execArgv].join('\n');
  const folder = join(root, createHash('sha256').update(name).digest('hex').slice(0, 32));
  if (!isPlaced) makeFolder(dirname(root));
  makeFolder(root);
  if (!isOwn(root))
    return isPlaced ? 'it must be a folder that belongs to this user and that no other user can write to' : undefined;
  if (makeFolder(folder)) forgetOld(root);
  if (!isOwn(folder)) return isPlaced ? 'the folder cannot be written to' : undefined;
  const { enableCompileCache, flushCompileCache } = Module as CompileCache;
  let write: () => void = () => flushCompileCache?.();
  if (enableCompileCache === undefined) {
    const codeCache = new KeptCode(bundle, join(folder, 'code'));
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

function cachesFolder(caches: string | undefined): string {
  return caches !== undefined && isAbsolute(caches) ? caches : join(homedir(), '.cache');
}

/**
 * Not recursive: if a parent folder cannot be created, as in /proc, Node 20 would retry forever. @returns true if it
 * was created
 */
function makeFolder(folder: string): boolean {
  try {
    mkdirSync(folder, { mode: 0o700 });
    return true;
  } catch {
    // It exists or cannot be created: the caller checks next.
    return false;
  }
}

/** True if the folder exists, belongs to this user, and is writable by its owner only. */
function isOwn(folder: string): boolean {
  try {
    const state = lstatSync(folder);
    const isSafe = state.uid === process.geteuid?.() && (state.mode & OTHERS_WRITE) === 0;
    return state.isDirectory() && (isSafe || process.platform === 'win32');
  } catch {
    return false;
  }
}

function forgetOld(root: string): void {
  const since = Date.now() - FORGOTTEN_AFTER_MS;
  for (const name of readdirSync(root)) {
    const path = join(root, name);
    if (!/^[0-9a-f]{32}$/.test(name)) continue;
    if ((lstatSync(path, { throwIfNoEntry: false })?.mtimeMs ?? since) < since)
      rmSync(path, { recursive: true, force: true });
  }
}
