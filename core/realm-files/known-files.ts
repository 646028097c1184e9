import type { Problem } from '../config/problem.js';
import type { FileState, RealmFileGroup } from '../config/realm-file/realm-folder.js';
import type { Told } from '../realms/comparison/describe.js';

/** What is remembered of a realm in a file. */
export interface KnownRealm {
  /** Of an invalid one. */
  readonly problems: readonly Problem[];
  /** Since when it is invalid, in milliseconds. */
  readonly invalidSince: number | undefined;
  /** Where the file won over edits when it was last applied. */
  readonly conflicts: readonly Told[];
}

/** What is remembered of a file and its realms. */
export interface KnownFile {
  readonly group: RealmFileGroup;
  /** The realms that it makes, by name, and those that it made before and keeps while its mistakes hide which it means. */
  readonly realms: ReadonlyMap<string, KnownRealm>;
  /** What is wrong with realms that it never made, where it keeps none that tell it. */
  readonly strange: KnownRealm | undefined;
  readonly refused: readonly RefusedPart[];
  /** Files that its references read, as they were then. */
  readonly referenced: readonly FileState[];
}

/** What became of a file's realms. */
export interface TakenFile {
  /** Where it won over edits, by realm. */
  readonly made: ReadonlyMap<string, readonly Told[]>;
  readonly refused: readonly RefusedPart[];
  readonly referenced: readonly FileState[];
}

/** A realm that is not applied, or a file of which it is not known what realms it has. */
export interface RefusedPart {
  /** As far as that is known. */
  readonly realm: string | undefined;
  readonly message: string;
  readonly problems: readonly Problem[];
  /** True: it belongs to another file. */
  readonly isOthers?: boolean;
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

  /** A claim that came to nothing: the file never made the realm. */
  release(realm: string, path: string): void {
    if (this.#files.get(path)?.realms.has(realm) !== true) this.#owners.delete(realm);
  }

  /**
   * Remembers a file. A realm with mistakes stays its own; so do all that it made before and does not name now, while it
   * holds mistakes that may be theirs: in a text that is no JSON, in an element without a name or with a new one.
   * @returns the realms that it made before and does not make any more
   */
  taken(group: RealmFileGroup, { made, refused, referenced }: TakenFile, now: number): string[] {
    const { path } = group.main;
    const before = this.#files.get(path);
    const realms = new Map<string, KnownRealm>();
    for (const [realm, conflicts] of made) realms.set(realm, { problems: [], invalidSince: undefined, conflicts });
    const bad = (problems: readonly Problem[], was: KnownRealm | undefined): KnownRealm => ({
      problems,
      invalidSince: was?.invalidSince ?? now,
      conflicts: [],
    });
    const strange: Problem[] = [];
    for (const { realm, problems } of refused) {
      const was = realm === undefined ? undefined : before?.realms.get(realm);
      if (realm === undefined || was === undefined) strange.push(...problems);
      else realms.set(realm, bad([...(realms.get(realm)?.problems ?? []), ...problems], was));
    }
    const unnamed = [...(before?.realms ?? [])].filter(([realm]) => !realms.has(realm));
    const isKept = strange.length > 0 && unnamed.length > 0;
    if (isKept) for (const [realm, was] of unnamed) realms.set(realm, bad(strange, was));
    this.#files.set(path, {
      group,
      realms,
      refused,
      referenced,
      strange: strange.length > 0 && !isKept ? bad(strange, before?.strange) : undefined,
    });
    if (isKept) return [];
    for (const [realm] of unnamed) this.#owners.delete(realm);
    return unnamed.map(([realm]) => realm);
  }

  /** @returns the realms that the file made */
  gone(path: string): string[] {
    const realms = [...(this.#files.get(path)?.realms.keys() ?? [])];
    this.#files.delete(path);
    for (const realm of realms) this.#owners.delete(realm);
    return realms;
  }

  /** Files that would make one of these realms. */
  waitingFor(realms: ReadonlySet<string>): RealmFileGroup[] {
    if (realms.size === 0) return [];
    return [...this.#files.values()]
      .filter(({ refused }) =>
        refused.some(({ realm, isOthers = false }) => isOthers && realm !== undefined && realms.has(realm)),
      )
      .map(({ group }) => group);
  }
}
