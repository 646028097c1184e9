import type { Stats } from 'node:fs';
import { lstat, readdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { BootError } from '../boot-error.js';

export interface FileState {
  readonly path: string;
  /** In bytes; -1 if the file exists and cannot be examined, such as a dangling link. */
  readonly size: number;
  readonly mtimeMs: number;
  readonly inode: number;
}

/** The files of one realm: `x.json`, or Keycloak's `x-realm.json` with `x-users-0.json`, `x-users-1.json` … */
export interface RealmFileGroup {
  readonly main: FileState;
  readonly users: readonly FileState[];
}

/** Changes in the folder since the previous scan, each list sorted by name. */
export interface FolderChanges {
  readonly changed: readonly RealmFileGroup[];
  /** Paths of main files that were deleted or became part of another realm's files. */
  readonly removed: readonly string[];
}

/** The maximum number of concurrent `stat` calls. */
const MAX_CONCURRENT_STATS = 64;

/**
 * The realm files of a folder as of the latest scan. Hidden files, schemas, subfolders and names that do not end in
 * `.json` are skipped.
 */
export class RealmFolder {
  readonly path: string;
  readonly #files = new Map<string, FileState>();
  /** Names of users files by the `x` of `x-users-0.json`. */
  readonly #usersFiles = new Map<string, Set<string>>();
  readonly #mainNames = new Set<string>();

  constructor(path: string) {
    this.path = path;
  }

  /** Scans all files. @throws BootError `realm_invalid` if the folder cannot be read */
  async scan(): Promise<FolderChanges> {
    let names: string[];
    try {
      names = await readdir(this.path);
    } catch (cause) {
      throw new BootError('realm_invalid', `cannot read the realms folder ${this.path}`, {
        hint: 'create it, or set --realms-dir',
        cause,
      });
    }
    return this.scanFiles(new Set([...this.#files.keys(), ...names.filter(isRealmFileName)]));
  }

  /** Scans only the files with these names. */
  async scanFiles(names: Iterable<string>): Promise<FolderChanges> {
    const affected = new Set<string>();
    const all = [...names];
    for (let first = 0; first < all.length; first += MAX_CONCURRENT_STATS) {
      const batch = all.slice(first, first + MAX_CONCURRENT_STATS);
      const states = await Promise.all(batch.map((name) => stateOf(join(this.path, name))));
      for (const [index, name] of batch.entries()) this.#recordState(name, states[index], affected);
    }
    const changed: RealmFileGroup[] = [];
    const removed: string[] = [];
    for (const name of [...affected].sort()) {
      const group = this.#group(name);
      if (group !== undefined) {
        this.#mainNames.add(name);
        changed.push(group);
      } else if (this.#mainNames.delete(name)) removed.push(join(this.path, name));
    }
    return { changed, removed };
  }

  /** Records a file's state, and adds the main files whose realms a change concerns to `affected`. */
  #recordState(name: string, state: FileState | undefined, affected: Set<string>): void {
    const before = this.#files.get(name);
    if (sameState(before, state)) return;
    if (state === undefined) this.#files.delete(name);
    else this.#files.set(name, state);
    affected.add(name);
    const owner = baseOfUsersFile(name);
    if (owner !== undefined) {
      const ofOwner = this.#usersFiles.get(owner) ?? new Set();
      this.#usersFiles.set(owner, ofOwner);
      if (state === undefined) ofOwner.delete(name);
      else ofOwner.add(name);
      if (ofOwner.size === 0) this.#usersFiles.delete(owner);
      if (this.#files.has(`${owner}-realm.json`)) affected.add(`${owner}-realm.json`);
    }
    const base = baseOfRealmFile(name);
    if (base === undefined || (before === undefined) === (state === undefined)) return;
    for (const usersFile of this.#usersFiles.get(base) ?? []) affected.add(usersFile);
  }

  /**
   * The files of the realm with this main file; undefined if the file is missing or is a users file of another realm.
   */
  #group(name: string): RealmFileGroup | undefined {
    const main = this.#files.get(name);
    const owner = baseOfUsersFile(name);
    if (main === undefined || (owner !== undefined && this.#files.has(`${owner}-realm.json`))) return undefined;
    const base = baseOfRealmFile(name);
    const users = [...((base !== undefined && this.#usersFiles.get(base)) || [])].sort();
    return { main, users: users.map((usersFile) => this.#files.get(usersFile)).filter((state) => state !== undefined) };
  }
}

/** The realm files of a folder, sorted by name. @throws BootError `realm_invalid` if the folder cannot be read */
export async function findRealmFiles(dir: string): Promise<readonly RealmFileGroup[]> {
  return (await new RealmFolder(dir).scan()).changed;
}

/** The files of the realm to which a file belongs. The file may be in any folder. */
export async function realmFilesOf(path: string): Promise<RealmFileGroup> {
  const dir = dirname(path);
  const name = basename(path);
  const base = baseOfUsersFile(name) ?? baseOfRealmFile(name);
  if (base !== undefined) {
    const folder = new RealmFolder(dir);
    const names = await readdir(dir).catch(() => []);
    const isPart = (other: string) => baseOfUsersFile(other) === base || baseOfRealmFile(other) === base;
    const { changed } = await folder.scanFiles(names.filter(isPart));
    const found = changed.find(({ main, users }) => [main, ...users].some((state) => basename(state.path) === name));
    if (found !== undefined) return found;
  }
  return { main: (await stateOf(path)) ?? { path, size: -1, mtimeMs: 0, inode: 0 }, users: [] };
}

/** False for hidden files and for the schemas of editors. */
export function isRealmFileName(name: string): boolean {
  return name.endsWith('.json') && !name.startsWith('.') && !isSchemaName(name);
}

/** True for `realm.schema.json`, the usual output of `keyhost schema`. */
export function isSchemaName(name: string): boolean {
  return name.endsWith('.schema.json');
}

/** `x` of `x-users-0.json`. */
export function baseOfUsersFile(name: string): string | undefined {
  return /^(.+)-users-\d+\.json$/.exec(name)?.[1];
}

export function sameState(one: FileState | undefined, other: FileState | undefined): boolean {
  return (
    one?.path === other?.path &&
    one?.size === other?.size &&
    one?.mtimeMs === other?.mtimeMs &&
    one?.inode === other?.inode
  );
}

/** Adds files by path. If a path is present already, its first state stays. */
export function addFiles(target: Map<string, FileState>, files: readonly FileState[]): void {
  for (const file of files) if (!target.has(file.path)) target.set(file.path, file);
}

export function fileState(path: string, { size, mtimeMs, ino: inode }: Stats): FileState {
  return { path, size, mtimeMs, inode };
}

/** The state of a file, with links followed; undefined if there is no file. */
export async function stateOf(path: string): Promise<FileState | undefined> {
  try {
    const found = await stat(path);
    if (!found.isFile()) return undefined;
    return fileState(path, found);
  } catch {
    const isThere = await lstat(path).then(
      () => true,
      () => false,
    );
    return isThere ? { path, size: -1, mtimeMs: 0, inode: 0 } : undefined;
  }
}

/** `x` of `x-realm.json`. */
function baseOfRealmFile(name: string): string | undefined {
  return /^(.+)-realm\.json$/.exec(name)?.[1];
}
