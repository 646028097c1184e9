import { createHash } from 'node:crypto';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Package } from './find-packages.js';

/** The state of a package's files. */
export interface PackageState {
  /** Differs if a relevant file was changed, added, removed or replaced. */
  readonly stamp: string;
  /** The inode of the folder itself, which may be replaced by another folder. */
  readonly inode: number;
  /** When a relevant file was last changed or added, in milliseconds since the epoch. */
  readonly changedAt: number;
}

/** Folders that are not part of a package. */
const LEFT_OUT = new Set(['node_modules', '.git']);
/** Lists the dependencies that npm has installed for it. */
const LOCK = 'node_modules/.package-lock.json';

/**
 * Returns the state of the files that a package consists of. These are package.json and, if that has `files`, the files
 * listed there and the entry points; otherwise all files. So an unpublished source file does not count until it is
 * built.
 */
export async function packageState({ dir, manifest }: Package): Promise<PackageState> {
  const counts = publishedPathTest(manifest);
  const hash = createHash('sha256');
  const { ino: inode } = await stat(dir);
  hash.update(`${inode}`);
  let changedAt = 0;
  for (const path of (await pathsIn(dir)).sort()) {
    if (!counts(path)) continue;
    const found = await stat(join(dir, path)).catch(() => undefined);
    if (found === undefined) continue;
    changedAt = Math.max(changedAt, found.ctimeMs);
    hash.update(`${path}\0${found.isFile() ? found.size : ''}\0${found.mtimeMs}\0${found.ctimeMs}\0${found.ino}\0`);
  }
  return { stamp: hash.digest('base64url'), inode, changedAt };
}

/** How far the clock of a file system may lag behind, in milliseconds. */
const TICK_MS = 10;

/** True if a change at `changedAt` may be later than `time`, both in milliseconds since the epoch. */
export function mayHaveChangedSince(changedAt: number, time: number): boolean {
  return changedAt >= time - TICK_MS;
}

/** The folders of a package in which a relevant file may change. */
export async function packageFolders({ dir }: Package): Promise<string[]> {
  const folders = [dir];
  for (const path of await pathsIn(dir)) {
    const full = join(dir, path);
    if ((await stat(full).catch(() => undefined))?.isDirectory()) folders.push(full);
  }
  return folders;
}

/** Returns files and folders by their paths with slashes, without node_modules except for its lock file. */
export async function pathsIn(dir: string, prefix = ''): Promise<string[]> {
  const paths: string[] = [];
  for (const entry of await readdir(join(dir, prefix), { withFileTypes: true })) {
    if (LEFT_OUT.has(entry.name)) continue;
    const path = prefix === '' ? entry.name : `${prefix}/${entry.name}`;
    paths.push(path);
    if (entry.isDirectory()) paths.push(...(await pathsIn(dir, path)));
  }
  if (prefix === '') paths.push(LOCK);
  return paths;
}

/**
 * Returns a test for the paths that a manifest's `files` covers. Patterns are not evaluated: if there is one,
 * everything counts.
 */
function publishedPathTest({ files, main, exports }: Package['manifest']): (path: string) => boolean {
  if (!Array.isArray(files)) return () => true;
  const named = files.map((entry) => plain(String(entry).replace(/\/\*{1,2}$/, '')));
  if (named.some((entry) => /[*?!{[]/.test(entry))) return () => true;
  const entries = [...(typeof main === 'string' ? [main] : []), ...leaves(exports)];
  // For `./lib/*.js`, the folder before the star.
  const roots = [...named, ...entries.map((entry) => plain(entry.replace(/\/?[^/]*\*.*$/, '')))];
  if (roots.includes('')) return () => true;
  return (path) =>
    path === 'package.json' || path === LOCK || roots.some((root) => path === root || path.startsWith(`${root}/`));
}

function plain(entry: string): string {
  return entry.replace(/^\.?\//, '').replace(/\/$/, '');
}

function leaves(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(leaves) : [];
}
