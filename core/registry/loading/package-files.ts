import { createHash } from 'node:crypto';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Package } from './find-packages.js';

/** The state of a package's files. */
export interface PackageState {
  /** Changes if a relevant file is changed, added, removed or replaced. */
  readonly stamp: string;
  /** The inode of the folder itself, which changes if the folder is replaced. */
  readonly inode: number;
  /** The time of the last change of a relevant file, in milliseconds since the epoch. */
  readonly changedAt: number;
}

/** Folders that are not part of a package. */
const EXCLUDED_FOLDERS = new Set(['node_modules', '.git']);
/** npm's list of the dependencies that it has installed for the package. */
const LOCK_FILE = 'node_modules/.package-lock.json';

/**
 * Returns the state of the files that make up a package. These are package.json and, if that has `files`, the files
 * listed there and the entry points. Otherwise they are all files. So a change of a source file that is not published
 * has no effect until it is built.
 */
export async function packageState({ dir, manifest }: Package): Promise<PackageState> {
  const isPublished = publishedPathTest(manifest);
  const hash = createHash('sha256');
  const { ino: inode } = await stat(dir);
  hash.update(`${inode}`);
  let changedAt = 0;
  for (const path of (await pathsIn(dir)).sort()) {
    if (!isPublished(path)) continue;
    const stats = await stat(join(dir, path)).catch(() => undefined);
    if (stats === undefined) continue;
    changedAt = Math.max(changedAt, stats.ctimeMs);
    hash.update(`${path}\0${stats.isFile() ? stats.size : ''}\0${stats.mtimeMs}\0${stats.ctimeMs}\0${stats.ino}\0`);
  }
  return { stamp: hash.digest('base64url'), inode, changedAt };
}

/** How far the clock of a file system may lag behind, in milliseconds. */
const MAX_CLOCK_LAG_MS = 10;

/** True if the change at `changedAt` may have happened after `time`. Both are in milliseconds since the epoch. */
export function mayHaveChangedSince(changedAt: number, time: number): boolean {
  return changedAt >= time - MAX_CLOCK_LAG_MS;
}

/** Returns the folders of a package, in which a relevant file may change. */
export async function packageFolders({ dir }: Package): Promise<string[]> {
  const folders = [dir];
  for (const path of await pathsIn(dir)) {
    const full = join(dir, path);
    if ((await stat(full).catch(() => undefined))?.isDirectory()) folders.push(full);
  }
  return folders;
}

/** Returns the paths of files and folders, with slashes. node_modules is left out, except for its lock file. */
export async function pathsIn(dir: string, prefix = ''): Promise<string[]> {
  const paths: string[] = [];
  for (const entry of await readdir(join(dir, prefix), { withFileTypes: true })) {
    if (EXCLUDED_FOLDERS.has(entry.name)) continue;
    const path = prefix === '' ? entry.name : `${prefix}/${entry.name}`;
    paths.push(path);
    if (entry.isDirectory()) paths.push(...(await pathsIn(dir, path)));
  }
  if (prefix === '') paths.push(LOCK_FILE);
  return paths;
}

/**
 * Returns a function that tests if a package's `files` cover a path. Patterns are not evaluated: if there is one, every
 * path is covered.
 */
function publishedPathTest({ files, main, exports }: Package['manifest']): (path: string) => boolean {
  if (!Array.isArray(files)) return () => true;
  const listedPaths = files.map((entry) => normalizePath(String(entry).replace(/\/\*{1,2}$/, '')));
  if (listedPaths.some((entry) => /[*?!{[]/.test(entry))) return () => true;
  const entryPoints = [...(typeof main === 'string' ? [main] : []), ...stringLeaves(exports)];
  // For `./lib/*.js`, use the folder before the star.
  const roots = [...listedPaths, ...entryPoints.map((entry) => normalizePath(entry.replace(/\/?[^/]*\*.*$/, '')))];
  if (roots.includes('')) return () => true;
  return (path) =>
    path === 'package.json' || path === LOCK_FILE || roots.some((root) => path === root || path.startsWith(`${root}/`));
}

function normalizePath(entry: string): string {
  return entry.replace(/^\.?\//, '').replace(/\/$/, '');
}

function stringLeaves(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringLeaves) : [];
}
