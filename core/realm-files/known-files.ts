import type { Problem } from '../config/problem.js';
import type { FileState, RealmFileGroup } from '../config/realm-file/realm-folder.js';
import type { DescribedChange } from '../realms/comparison/describe.js';

/** The known state of a realm in a file. */
export interface KnownRealm {
  /** Empty if the realm is valid. */
  readonly problems: readonly Problem[];
  /** The time at which it became invalid, in milliseconds. */
  readonly invalidSince: number | undefined;
  /** Conflicts with edits in which the file won when it was last applied. */
  readonly conflicts: readonly DescribedChange[];
}

/** The known state of a file and its realms. */
export interface KnownFile {
  readonly group: RealmFileGroup;
  /**
   * The realms of the file, by name. A file with mistakes retains the realms that it defined before, as long as the
   * mistakes hide which ones it means.
   */
  readonly realms: ReadonlyMap<string, KnownRealm>;
  /** The problems of realms that it never defined, unless a retained realm reports them. */
  readonly unownedProblems: KnownRealm | undefined;
  readonly refused: readonly RefusedPart[];
  /** Files that its references read, with their state at that time. */
  readonly referencedFiles: readonly FileState[];
}

/** The outcome of reading and applying a file's realms. */
export interface FileOutcome {
  /** Conflicts in which the file won over edits, by realm. */
  readonly conflictsByRealm: ReadonlyMap<string, readonly DescribedChange[]>;
  readonly refused: readonly RefusedPart[];
  readonly referencedFiles: readonly FileState[];
}

/** A realm that is not applied, or a file whose realms are unknown. */
export interface RefusedPart {
  /** The realm's name, if known. */
  readonly realm: string | undefined;
  readonly message: string;
  readonly problems: readonly Problem[];
  /** True if the realm belongs to another file. */
  readonly belongsToOtherFile?: boolean;
}

/** The realm files of the folder, and the owner of each realm. */
export class KnownFiles {
  /** By the path of the main file. */
  readonly #files = new Map<string, KnownFile>();
  /** The main file's path by realm. */
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

  /**
   * Assigns the realm to the file.
   * @returns the path of another file that the realm belongs to, which stays its owner
   */
  claim(realm: string, path: string): string | undefined {
    const owner = this.#owners.get(realm);
    if (owner !== undefined && owner !== path) return owner;
    this.#owners.set(realm, path);
    return undefined;
  }

  /** Undoes a claim if the file never defined the realm. */
  release(realm: string, path: string): void {
    if (this.#files.get(path)?.realms.has(realm) !== true) this.#owners.delete(realm);
  }

  /**
   * Records a file. It retains a realm with mistakes, and all realms that it defined before and no longer names, as
   * long as its mistakes may concern them. Those are bad JSON, or an element whose name is missing or new.
   * @returns the realms that it defined before and no longer defines
   */
  record(group: RealmFileGroup, { conflictsByRealm, refused, referencedFiles }: FileOutcome, now: number): string[] {
    const { path } = group.main;
    const previous = this.#files.get(path);
    const realms = new Map<string, KnownRealm>();
    for (const [realm, conflicts] of conflictsByRealm)
      realms.set(realm, { problems: [], invalidSince: undefined, conflicts });
    const invalidRealm = (problems: readonly Problem[], was: KnownRealm | undefined): KnownRealm => ({
      problems,
      invalidSince: was?.invalidSince ?? now,
      conflicts: [],
    });
    const unownedProblems: Problem[] = [];
    for (const { realm, problems } of refused) {
      const was = realm === undefined ? undefined : previous?.realms.get(realm);
      if (realm === undefined || was === undefined) unownedProblems.push(...problems);
      else realms.set(realm, invalidRealm([...(realms.get(realm)?.problems ?? []), ...problems], was));
    }
    const missingRealms = [...(previous?.realms ?? [])].filter(([realm]) => !realms.has(realm));
    const retainsMissing = unownedProblems.length > 0 && missingRealms.length > 0;
    if (retainsMissing) for (const [realm, was] of missingRealms) realms.set(realm, invalidRealm(unownedProblems, was));
    this.#files.set(path, {
      group,
      realms,
      refused,
      referencedFiles,
      unownedProblems:
        unownedProblems.length > 0 && !retainsMissing
          ? invalidRealm(unownedProblems, previous?.unownedProblems)
          : undefined,
    });
    if (retainsMissing) return [];
    for (const [realm] of missingRealms) this.#owners.delete(realm);
    return missingRealms.map(([realm]) => realm);
  }

  /** @returns the realms that the deleted file defined */
  remove(path: string): string[] {
    const realms = [...(this.#files.get(path)?.realms.keys() ?? [])];
    this.#files.delete(path);
    for (const realm of realms) this.#owners.delete(realm);
    return realms;
  }

  /** Files that wait to define one of these realms. */
  waitingFor(realms: ReadonlySet<string>): RealmFileGroup[] {
    if (realms.size === 0) return [];
    return [...this.#files.values()]
      .filter(({ refused }) =>
        refused.some(
          ({ realm, belongsToOtherFile = false }) => belongsToOtherFile && realm !== undefined && realms.has(realm),
        ),
      )
      .map(({ group }) => group);
  }
}
