import type { Problem } from '../config/problem.js';
import type { RefusedRealm } from '../config/realm-file/realm-files.js';
import { type FileState, type RealmFileGroup, sameState } from '../config/realm-file/realm-folder.js';
import { realmHashes } from '../config/realm-file/realm-hashes.js';
import type { ApplyServices } from '../realms/apply-realm-file.js';
import type { RealmStore } from '../store/store.js';
import { combineRefusals, type FileChecks, readCheckedFiles, readValidFiles } from './checked-file.js';
import { claimRealm } from './claim-realm.js';
import { type FileApplier, MAX_CONCURRENT_APPLIES } from './file-applier.js';
import type { KnownFiles } from './known-files.js';
import type { RealmFileLog } from './realm-file-log.js';
import { RealmIds } from './realm-ids.js';

type ListedRealm = Awaited<ReturnType<RealmStore['list']>>[number];

interface StartupFilesParts {
  readonly files: KnownFiles;
  readonly log: RealmFileLog;
  readonly applier: FileApplier;
  readonly apply: ApplyServices;
  readonly checks: FileChecks;
  /** The fingerprint of the current checks. */
  readonly fingerprint: string;
}

/** A file that has not changed since its realms were applied. */
interface UnchangedFile {
  readonly realms: readonly ListedRealm[];
  /** Files that its references read, with their state before reading. */
  readonly referencedFiles: readonly FileState[];
}

/**
 * Processes the realms folder at the start of a host. Unchanged files are skipped, and all others are checked before
 * any is applied.
 */
export class StartupFiles {
  readonly #parts: StartupFilesParts;

  constructor(parts: StartupFilesParts) {
    this.#parts = parts;
  }

  /** @throws BootError `realm_invalid` with the problems of all files, `production_unsafe` */
  async applyChanged(groups: readonly RealmFileGroup[]): Promise<void> {
    const { apply, files, log } = this.#parts;
    const stored = await apply.store.realms.list();
    await this.#apply(await this.#check(groups, stored));
    for (const { name, source } of stored) {
      const path = source?.files[0]?.path;
      if (path !== undefined && files.ownerOf(name) === undefined) log.logDeleted(name, path);
    }
  }

  /** @returns the files that changed since they were applied */
  async #check(groups: readonly RealmFileGroup[], stored: readonly ListedRealm[]): Promise<readonly RealmFileGroup[]> {
    const { files, log, checks } = this.#parts;
    const byPath = new Map<string | undefined, ListedRealm[]>();
    for (const realm of stored) {
      const path = realm.source?.files[0]?.path;
      const ofPath = byPath.get(path);
      if (ofPath === undefined) byPath.set(path, [realm]);
      else ofPath.push(realm);
    }
    const changed: RealmFileGroup[] = [];
    const refused: RefusedRealm[] = [];
    const claims: Problem[] = [];
    const names = new Set(stored.map(({ name }) => name));
    const ids = new RealmIds();
    // The ID of a stored realm does not change, even if its file contains a different ID.
    for (const { id, name, source } of stored) ids.add(id, name, source?.files[0]?.path);
    const checking = log.logProgress('checked', groups.length);
    for (const [index, group] of groups.entries()) {
      checking(index);
      const known = await this.#findUnchanged(group, byPath.get(group.main.path) ?? []);
      if (known?.realms.every(({ name }) => claimRealm(files, name, group) === undefined)) {
        this.#recordUnchanged(group, known);
        continue;
      }
      const file = await readCheckedFiles(group, checks);
      refused.push(...file.refused);
      const others = file.accepted.map((one) => claimRealm(files, one.representation.realm, group, one));
      others.push(
        ...file.accepted.filter(({ representation }) => !names.has(representation.realm)).map((one) => ids.claim(one)),
      );
      claims.push(...others.filter((problem) => problem !== undefined));
      if (file.refused.length === 0) changed.push(group);
    }
    if (refused.length + claims.length > 0) throw combineRefusals(refused, claims);
    return changed;
  }

  /** @returns undefined if the file must be read again */
  async #findUnchanged(group: RealmFileGroup, stored: readonly ListedRealm[]): Promise<UnchangedFile | undefined> {
    const now = [group.main, ...group.users];
    const same = stored.filter(
      ({ source }) =>
        source !== undefined &&
        source.checks === this.#parts.fingerprint &&
        source.files.length === now.length &&
        now.every((file, index) => sameState(source.files[index], file)),
    );
    // A missing realm was deleted, or was not yet applied when the host stopped.
    if (same.length !== (same[0]?.source?.beside ?? 0) + 1) return undefined;
    if (same.every(({ source }) => source?.references !== true)) return { realms: same, referencedFiles: [] };
    const { env, production } = this.#parts.checks;
    const { hashes, usesDefaults, files = [] } = (await realmHashes(group, env)) ?? {};
    // Production rejects defaults of references, even if the hash is unchanged.
    if (usesDefaults === true && production !== undefined) return undefined;
    if (!same.every(({ name, source }) => hashes?.get(name) === source?.hash)) return undefined;
    return { realms: same, referencedFiles: files };
  }

  /** Records an unchanged file, and logs again the warnings about its realms. */
  #recordUnchanged(group: RealmFileGroup, { realms, referencedFiles }: UnchangedFile): void {
    const { files, log, apply } = this.#parts;
    const conflictsByRealm = new Map(realms.map(({ name }) => [name, []]));
    files.record(group, { conflictsByRealm, refused: [], referencedFiles }, apply.clock.now());
    for (const { name, source } of realms) {
      log.logUnauthenticatedProviders(name, source?.openProviders ?? []);
      log.logIneffective(name, source?.brokenPromises ?? []);
    }
  }

  async #apply(changed: readonly RealmFileGroup[]): Promise<void> {
    const { files, log, applier, apply, checks } = this.#parts;
    const progress = log.logProgress('applied', changed.length);
    for (let first = 0; first < changed.length; first += MAX_CONCURRENT_APPLIES) {
      progress(first);
      // The files are read again, since thousands of them would not fit into memory. A few at a time share their
      // durable writes.
      const some = changed.slice(first, first + MAX_CONCURRENT_APPLIES);
      await Promise.all(
        some.map(async (group) => {
          const { failed, ...taken } = await applier.apply(await readValidFiles(group, checks), group);
          for (const { error } of failed) throw error;
          files.record(group, { ...taken, refused: [] }, apply.clock.now());
        }),
      );
    }
  }
}
