import { basename, dirname, resolve } from 'node:path';
import type { DescribedChange } from '../realms/comparison/describe.js';
import type { RealmStore } from '../store/store.js';
import type { DriftedRealms } from './drifted-realms.js';
import type { KnownFiles, KnownRealm } from './known-files.js';
import { type Detail, type RealmFileState, realmFileState } from './realm-file-state.js';

type ListedRealm = Awaited<ReturnType<RealmStore['list']>>[number];

/** A realm in a file, before it is compared with the file. */
interface Entry {
  readonly path: string;
  readonly realm: string | undefined;
  readonly known: KnownRealm;
  readonly record: ListedRealm | undefined;
}

/** Selects the states to return. */
export interface StateQuery {
  /** Part of the file's or the realm's name, in any letter case. */
  readonly search?: string | undefined;
  readonly state?: RealmFileState['state'] | undefined;
  readonly first: number;
  readonly max: number;
}

/** The record of a realm whose file this process does not watch. */
const UNWATCHED_REALM: KnownRealm = { problems: [], invalidSince: undefined, conflicts: [] };

/** Reports the state of realm files: the watched ones, or those of the stored realms if this process watches none. */
export class FileStates {
  readonly #parts: { dir: string; store: RealmStore; files: KnownFiles; drifted: DriftedRealms };
  /** False if this process watches no files. */
  isWatching = false;

  constructor(parts: { dir: string; store: RealmStore; files: KnownFiles; drifted: DriftedRealms }) {
    this.#parts = parts;
  }

  /** The state of every file, by path. */
  async all(detail: Detail): Promise<readonly RealmFileState[]> {
    const states: RealmFileState[] = [];
    for (const entry of await this.#entries()) states.push(await this.#stateOf(entry, detail));
    return states;
  }

  /**
   * A page of the selected files, by path. Only edited realms up to the end of the page are compared with their files.
   */
  async page({ search = '', state, first, max }: StateQuery, detail: Detail): Promise<readonly RealmFileState[]> {
    const searchText = search.toLowerCase();
    const states: RealmFileState[] = [];
    let skipped = 0;
    for (const entry of await this.#entries()) {
      if (states.length >= max) break;
      const { path, realm = '' } = entry;
      if (![basename(path), realm].some((name) => name.toLowerCase().includes(searchText))) continue;
      if (state === undefined && skipped < first) {
        skipped += 1;
        continue;
      }
      const fileState = await this.#stateOf(entry, detail);
      if (state !== undefined && fileState.state !== state) continue;
      if (skipped < first) skipped += 1;
      else states.push(fileState);
    }
    return states;
  }

  /**
   * @param realm also matches the name of a file that never produced a realm because of its mistakes
   * @returns undefined if no file defines the realm
   */
  async stateOfRealm(realm: string, detail: Detail): Promise<RealmFileState | undefined> {
    const entries = await this.#entries();
    const names = [`${realm}.json`, `${realm}-realm.json`];
    const entry =
      entries.find((one) => one.realm === realm) ??
      entries.find((one) => one.realm === undefined && names.includes(basename(one.path)));
    return entry && this.#stateOf(entry, detail);
  }

  /** The path of the main file of a realm, in the realms folder. */
  async pathOf(realm: string): Promise<string | undefined> {
    if (this.isWatching) return this.#parts.files.ownerOf(realm);
    return this.#pathInFolder(await this.#parts.store.get(realm));
  }

  async #entries(): Promise<readonly Entry[]> {
    const stored = await this.#parts.store.list();
    if (!this.isWatching) {
      const entries = stored.flatMap((record) => {
        const path = this.#pathInFolder(record);
        return path === undefined ? [] : [{ path, realm: record.name, known: UNWATCHED_REALM, record }];
      });
      return entries.sort((one, other) => (one.path < other.path ? -1 : one.path > other.path ? 1 : 0));
    }
    const byName = new Map(stored.map((record) => [record.name, record]));
    const entries: Entry[] = [];
    for (const [path, file] of [...this.#parts.files.all()].sort()) {
      if (file.unownedProblems !== undefined)
        entries.push({ path, realm: undefined, known: file.unownedProblems, record: undefined });
      for (const [realm, known] of file.realms) entries.push({ path, realm, known, record: byName.get(realm) });
    }
    return entries;
  }

  #pathInFolder(record: Pick<ListedRealm, 'source'> | undefined): string | undefined {
    const path = record?.source?.files[0]?.path;
    return path !== undefined && dirname(resolve(path)) === resolve(this.#parts.dir) ? path : undefined;
  }

  async #stateOf({ path, realm, known, record }: Entry, detail: Detail): Promise<RealmFileState> {
    const isCompared = realm !== undefined && known.problems.length === 0;
    const edits: readonly DescribedChange[] = isCompared ? await this.#parts.drifted.edits(realm, record) : [];
    return realmFileState(path, realm, known, record, { edits, detail });
  }
}
