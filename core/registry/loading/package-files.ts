import { createHash } from 'node:crypto';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Package } from './find-packages.js';

/** What the files of a package look like from outside. */
export interface PackageState {
  /** Differs when a file that counts was changed, added, removed or replaced. */
  readonly stamp: string;
  /** Of the folder itself: another one may take its place. */
  readonly inode: number;
  /** When a file that counts was last changed or put there, in milliseconds since the epoch. */
  readonly changedAt: number;
}

/** Not part of what a package is. */
const LEFT_OUT = new Set(['node_modules', '.git']);
/** Says which dependencies npm has put beside it. */
const LOCK = 'node_modules/.package-lock.json';

/**
 * The state of the files that make a package what it is: package.json, and where that says `files`, what it names with
 * the entry points; otherwise all of them. So a source file that is not published does not count before it is built.
 */
export async function packageState({ dir, manifest }: Package): Promise<PackageState> {
  const counts = published(manifest);
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

/** The clock of file systems may lag behind by that, in milliseconds. */
const TICK_MS = 10;

/** True when a change at one time may have come after another time, both in milliseconds since the epoch. */
export function changedSince(changedAt: number, time: number): boolean {
  return changedAt >= time - TICK_MS;
}

/** The folders of a package in which something that counts may change. */
export async function packageFolders({ dir }: Package): Promise<string[]> {
  const folders = [dir];
  for (const path of await pathsIn(dir)) {
    const full = join(dir, path);
    if ((await stat(full).catch(() => undefined))?.isDirectory()) folders.push(full);
  }
  return folders;
}

/** Files and folders, by their path with slashes; node_modules left out but for its lock. */
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

/** Which paths a manifest's `files` covers. Patterns are not worked out: with one of them everything counts. */
function published({ files, main, exports }: Package['manifest']): (path: string) => boolean {
  if (!Array.isArray(files)) return () => true;
  const named = files.map((entry) => plain(String(entry).replace(/\/\*{1,2}$/, '')));
  if (named.some((entry) => /[*?!{[]/.test(entry))) return () => true;
  const entries = [...(typeof main === 'string' ? [main] : []), ...leaves(exports)];
  // `./lib/*.js`: the folder before the star.
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
