import { createHash } from 'node:crypto';
import { lstatSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import * as Module from 'node:module';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { keepChecksIn, writeChecks } from '../config/json/kept-checks.js';
import { KeptCode } from './kept-code.js';

/** When what was compiled is written, in milliseconds: a host has started by then, and it need not end in order. */
const WRITE_AFTER_MS = 30_000;
/** What was made for another build is removed when it is so old, in milliseconds. */
const FORGOTTEN_AFTER_MS = 30 * 24 * 60 * 60 * 1000;
const OTHERS_WRITE = 0o022;

export interface CodeCacheOptions {
  /** The bundle's folder. */
  readonly bundle: string;
  /** Names the bundle's code. */
  readonly build: string;
  /** An absolute folder, or `off`; without it, a folder in `caches`. */
  readonly place: string | undefined;
  /** The user's folder of caches; without it `.cache` in the home directory. */
  readonly caches: string | undefined;
}

/** Since Node 22; the types are those of Node 20. */
interface CompileCache {
  readonly enableCompileCache?: (folder: string) => unknown;
  readonly flushCompileCache?: () => void;
}

/**
 * Has V8 keep what it compiles, so that the next start need not compile it. What is kept is code that will run: it lies where
 * its owner alone writes, under a name made of everything that it was compiled from and with. Without such a place, as on a
 * file system that cannot be written to, everything is compiled as ever.
 * @returns why nothing is kept in the folder that was asked for
 */
export function useCodeCache({ bundle, build, place = '', caches }: CodeCacheOptions): string | undefined {
  // With source maps Node must compile by itself: it looks for them when it does.
  if (place === 'off' || process.execArgv.includes('--enable-source-maps')) return undefined;
  const isPlaced = place !== '';
  if (isPlaced && !isAbsolute(place)) return 'it must be an absolute path';
  const root = isPlaced ? place : join(cachesFolder(caches), 'keyhost');
  const name = [build, process.version, process.arch, ...process.execArgv].join('\n');
  const folder = join(root, createHash('sha256').update(name).digest('hex').slice(0, 32));
  if (!isPlaced) make(dirname(root));
  make(root);
  if (!isOwn(root))
    return isPlaced ? 'it must be a folder that belongs to this user and that no other user can write to' : undefined;
  if (make(folder)) forgetOld(root);
  if (!isOwn(folder)) return isPlaced ? 'the folder cannot be written to' : undefined;
  const { enableCompileCache, flushCompileCache } = Module as CompileCache;
  let write: () => void = () => flushCompileCache?.();
  if (enableCompileCache === undefined) {
    const kept = new KeptCode(bundle, join(folder, 'code'));
    write = () => kept.write();
    process.once('exit', write);
  } else enableCompileCache(folder);
  keepChecksIn(join(folder, 'checks'));
  process.once('exit', writeChecks);
  setTimeout(() => {
    write();
    writeChecks();
  }, WRITE_AFTER_MS).unref();
  return undefined;
}

function cachesFolder(caches: string | undefined): string {
  return caches !== undefined && isAbsolute(caches) ? caches : join(homedir(), '.cache');
}

/** Not with its parents: where one of those cannot be made, as in /proc, Node 20 would try without end. @returns whether it was made */
function make(folder: string): boolean {
  try {
    mkdirSync(folder, { mode: 0o700 });
    return true;
  } catch {
    // It is there, or cannot be: that is looked at next.
    return false;
  }
}

/** Whether there is such a folder that this user owns, and nobody else writes to. */
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
