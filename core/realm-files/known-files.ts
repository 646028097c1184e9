import type { Problem } from '../config/problem.js';
import type { FileState, RealmFileGroup } from '../config/realm-file/realm-folder.js';
import type { Told } from '../realms/comparison/describe.js';

/** What is remembered of a realm's files. */
export interface KnownFile {
  readonly group: RealmFileGroup;
  /** The realm that it makes; of an invalid file, the one that it made before. */
  readonly realm: string | undefined;
  /** Of an invalid file. */
  readonly problems: readonly Problem[];
  /** Since when it is invalid, in milliseconds. */
  readonly invalidSince: number | undefined;
  /** The realm that it would make if that did not belong to another file. */
  readonly waitsFor: string | undefined;
  /** Where it won over edits when it was last applied. */
  readonly conflicts: readonly Told[];
  /** Files that its references read, as they were then. */
  readonly referenced: readonly FileState[];
}

/** The realm files of the folder, and which of them makes which realm. */
export class KnownFiles {
  /** By the path of the main file. */
  readonly #files = new Map<string, KnownFile>();
  /** The path whose file makes a realm. */
  readonly #owners = new Map<string, string>();

  get(path: string): KnownFile | undefined {
    return this.#files.get(path);
  }

  all(): Iterable<readonly [path: string, file: KnownFile]> {
    return this.#files;
  }

  ownerOf(realm: string): string | undefined {
    return this.#owners.get(realm);
  }

  /** Makes the realm that of the file. @returns the path of another file that it belongs to: then it is not */
  claim(realm: string, path: string): string | undefined {
    const owner = this.#owners.get(realm);
    if (owner !== undefined && owner !== path) return owner;
    this.#owners.set(realm, path);
    return undefined;
  }

  /** @returns the realm that the file made before and does not make any more */
  applied(
    group: RealmFileGroup,
    realm: string,
    { conflicts = [], referenced = [] }: Partial<Pick<KnownFile, 'conflicts' | 'referenced'>> = {},
  ): string | undefined {
    const { path } = group.main;
    const before = this.#files.get(path)?.realm;
    const good = { problems: [], invalidSince: undefined, waitsFor: undefined };
    this.#files.set(path, { ...good, group, realm, conflicts, referenced });
    return before === undefined || before === realm ? undefined : this.#free(before, path);
  }

  /** The realm that the file made before stays its own. */
  refused(group: RealmFileGroup, problems: readonly Problem[], now: number, waitsFor: string | undefined): void {
    const before = this.#files.get(group.main.path);
    const invalidSince = before?.invalidSince ?? now;
    const bad = { problems, invalidSince, waitsFor, conflicts: [], referenced: [] };
    this.#files.set(group.main.path, { ...bad, group, realm: before?.realm });
  }

  /** @returns the realm that the file made */
  gone(path: string): string | undefined {
    const realm = this.#files.get(path)?.realm;
    this.#files.delete(path);
    return realm === undefined ? undefined : this.#free(realm, path);
  }

  /** Files that would make one of these realms. */
  waitingFor(realms: ReadonlySet<string>): RealmFileGroup[] {
    if (realms.size === 0) return [];
    return [...this.#files.values()]
      .filter(({ waitsFor }) => waitsFor !== undefined && realms.has(waitsFor))
      .map(({ group }) => group);
  }

  #free(realm: string, path: string): string | undefined {
    if (this.#owners.get(realm) !== path) return undefined;
    this.#owners.delete(realm);
    return realm;
  }
}
