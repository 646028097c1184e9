import type { Logger } from '@keyhost/spi';
import { BootError } from '../config/boot-error.js';
import { formatProblem, type Problem } from '../config/problem.js';
import { openRedirects } from '../config/realm-file/open-redirects.js';
import { realmRefused } from '../config/realm-file/realm-files.js';
import {
  type FileState,
  isRealmFileName,
  type RealmFileGroup,
  RealmFolder,
  sameState,
  stateOf,
} from '../config/realm-file/realm-folder.js';
import { promiseSentences } from '../config/realm-file/unbuilt-locks.js';
import { systemClock } from '../model/clock.js';
import { unusedIdentityProviders } from '../model/identity-provider.js';
import { type ApplyServices, applyRealmFile } from '../realms/apply-realm-file.js';
import { describeConflict, nameOf } from '../realms/comparison/describe.js';
import type { RealmSourceRecord } from '../store/store.js';
import { type CheckedFile, checksFingerprint, type FileChecks, readCheckedFile } from './checked-file.js';
import { DriftedRealms } from './drifted-realms.js';
import { FolderWatch } from './folder-watch.js';
import { type KnownFile, KnownFiles } from './known-files.js';
import { RealmFileLog } from './realm-file-log.js';
import { type RealmFileState, realmFileState } from './realm-file-state.js';

export interface RealmFilesOptions {
  readonly dir: string;
  readonly checks: FileChecks;
  /** Keyhost's version. */
  readonly version: string;
  readonly apply: ApplyServices;
  readonly logger: Logger;
}

/** A file that was written to so short a time ago, in milliseconds, may be half-written: its mistakes are not told yet. */
const SETTLED_MS = 500;

/** Files that are applied at once at start. */
const APPLIED_AT_ONCE = 16;

/** The realms folder: applied at start, followed from then on. */
export class RealmFiles {
  readonly #options: RealmFilesOptions;
  readonly #folder: RealmFolder;
  readonly #fingerprint: string;
  readonly #watch: FolderWatch;
  readonly #drifted: DriftedRealms;
  readonly #log: RealmFileLog;
  readonly #files = new KnownFiles();
  /** Files with mistakes that may be half-written. */
  readonly #unsettled = new Map<string, RealmFileGroup>();
  /** Why the last look failed. */
  #failure: string | undefined;

  constructor(options: RealmFilesOptions) {
    const { dir, checks, version, apply, logger } = options;
    const { store, realms } = apply;
    this.#options = options;
    this.#folder = new RealmFolder(dir);
    this.#fingerprint = checksFingerprint(checks, version);
    this.#watch = new FolderWatch(dir, isRealmFileName, (names) => this.#look(names));
    this.#log = new RealmFileLog(logger);
    const pathOf = (realm: string) => this.#files.ownerOf(realm);
    this.#drifted = new DriftedRealms({ store, realms, providers: checks.providers, logger, pathOf });
  }

  /**
   * Applies what changed since the last start, and follows the folder from then on. Every file is checked before any is
   * applied; one whose size, time and inode are those last applied is not read, unless it refers to what may have changed
   * without it, or the checks are others.
   * @throws BootError `realm_invalid` with the problems of all files, `production_unsafe`
   */
  async open(): Promise<void> {
    const { apply, checks } = this.#options;
    const stored = await apply.store.realms.list();
    const byPath = new Map(stored.map((realm) => [realm.source?.files[0]?.path, realm]));
    const changed: RealmFileGroup[] = [];
    const problems: Problem[] = [];
    const unsafe: Problem[] = [];
    const groups = (await this.#folder.look()).changed;
    const checking = this.#log.progress('checked', groups.length);
    for (const [index, group] of groups.entries()) {
      checking(index);
      const known = byPath.get(group.main.path);
      if (
        known !== undefined &&
        this.#isUnchanged(group, known.source) &&
        this.#claim(known.name, group) === undefined
      ) {
        this.#files.applied(group, known.name);
        this.#log.openProviders(known.name, known.source?.openProviders ?? []);
        this.#log.unused(known.name, known.source?.brokenPromises ?? []);
        continue;
      }
      const file = await readCheckedFile(group, checks).catch((error: unknown) => {
        if (!(error instanceof BootError)) throw error;
        (error.code === 'production_unsafe' ? unsafe : problems).push(...error.problems);
      });
      if (file === undefined) continue;
      const problem = this.#claim(file.representation.realm, group, file);
      if (problem !== undefined) problems.push(problem);
      else changed.push(group);
    }
    if (problems.length + unsafe.length > 0) throw realmRefused(problems, unsafe);
    const applying = this.#log.progress('applied', changed.length);
    for (let first = 0; first < changed.length; first += APPLIED_AT_ONCE) {
      applying(first);
      // Read once more: thousands of them at once would not fit into memory. Some at once share their durable writes.
      const some = changed.slice(first, first + APPLIED_AT_ONCE);
      await Promise.all(some.map(async (group) => this.#apply(await readCheckedFile(group, checks), group)));
    }
    for (const { name, source } of stored) {
      const path = source?.files[0]?.path;
      if (path !== undefined && this.#files.ownerOf(name) === undefined) this.#log.gone(name, path);
    }
    this.#watch.open();
  }

  /** The state of every file, by path. @param withValues also what stands there, beside where it is */
  async list(withValues: boolean): Promise<readonly RealmFileState[]> {
    const stored = await this.#options.apply.store.realms.list();
    const byName = new Map(stored.map((realm) => [realm.name, realm]));
    const states: RealmFileState[] = [];
    for (const [path, file] of [...this.#files.all()].sort()) {
      const { realm, problems } = file;
      const record = realm === undefined ? undefined : byName.get(realm);
      const isGood = realm !== undefined && problems.length === 0;
      const edits = isGood ? await this.#drifted.edits(realm, record) : [];
      states.push(realmFileState(path, file, record, { edits, withValues }));
    }
    return states;
  }

  /** Resolves when nothing is applied any more. */
  async close(): Promise<void> {
    await this.#watch.close();
    this.#drifted.close();
  }

  #isUnchanged({ main, users }: RealmFileGroup, source: RealmSourceRecord | undefined): boolean {
    const now = [main, ...users];
    return (
      source !== undefined &&
      source.references !== true &&
      source.checks === this.#fingerprint &&
      source.files.length === now.length &&
      now.every((file, index) => sameState(source.files[index], file))
    );
  }

  /** Never rejects: what fails here is told, and tried again with the next look. */
  async #look(names: ReadonlySet<string> | undefined): Promise<void> {
    try {
      const { changed, removed } = await (names === undefined ? this.#folder.look() : this.#folder.lookAt(names));
      const groups = new Map(changed.map((group) => [group.main.path, group]));
      for (const group of await this.#again(names === undefined)) {
        const { path } = group.main;
        if (!groups.has(path)) groups.set(path, group);
      }
      const freed = new Set<string>();
      // First, so that a file that was renamed finds its realm without an owner.
      for (const path of removed) {
        groups.delete(path);
        const realm = this.#files.gone(path);
        if (realm === undefined) continue;
        freed.add(realm);
        this.#log.gone(realm, path);
      }
      for (const group of groups.values()) await this.#take(group, freed);
      for (const group of this.#files.waitingFor(freed)) await this.#take(group, freed);
      this.#failure = undefined;
    } catch (error) {
      const reason = error instanceof BootError ? error.report() : String(error);
      if (reason === this.#failure) return;
      this.#failure = reason;
      this.#log.unreadable(this.#options.dir, reason);
    }
  }

  /** Files that did not change and are to be read again. */
  async #again(slowly: boolean): Promise<RealmFileGroup[]> {
    const again = [...this.#unsettled.values()];
    this.#unsettled.clear();
    if (!slowly) return again;
    // What a file refers to may have changed without it; and what an invalid one lacks may have come.
    for (const [, { group, problems, referenced }] of this.#files.all()) {
      if (problems.length > 0 || !(await areSame(referenced))) again.push(group);
    }
    return again;
  }

  /**
   * Applies a file that came or changed; one with mistakes leaves the realm as it is.
   * @param freed gets the realm that has no file any more, since its file makes another one now
   */
  async #take(group: RealmFileGroup, freed: Set<string>): Promise<void> {
    let realm: string | undefined;
    try {
      const file = await readCheckedFile(group, this.#options.checks);
      realm = file.representation.realm;
      const problem = this.#claim(realm, group, file);
      if (problem !== undefined) throw realmRefused([problem]);
      const before = await this.#apply(file, group);
      if (before === undefined) return;
      freed.add(before);
      this.#log.renamed(before, realm, group.main.path);
    } catch (error) {
      if ([group.main, ...group.users].some(isFresh)) {
        this.#unsettled.set(group.main.path, group);
        this.#watch.lookSoon();
      } else this.#refuse(group, error, realm);
    }
  }

  /** @param realm what the file would make, as far as that is known */
  #refuse(group: RealmFileGroup, error: unknown, realm: string | undefined): void {
    const { path } = group.main;
    const message = error instanceof BootError ? error.message : `applying it failed: ${String(error)}`;
    const found = error instanceof BootError ? error.problems : [];
    const problems = found.length > 0 ? found : [{ file: path, line: 0, column: 0, path: '', message }];
    const before = this.#files.get(path);
    const isOthers = realm !== undefined && this.#files.ownerOf(realm) !== path;
    this.#files.refused(group, problems, this.#options.apply.clock.now(), isOthers ? realm : undefined);
    if (before?.problems.map(formatProblem).join() === problems.map(formatProblem).join()) return;
    this.#log.refused(path, message, problems, before?.realm);
  }

  /** The realm is this file's, unless another file has it already: that is a problem of this one. */
  #claim(realm: string, { main: { path } }: RealmFileGroup, file?: CheckedFile): Problem | undefined {
    const owner = this.#files.claim(realm, path);
    if (owner === undefined) return undefined;
    const place = file?.nameAt ?? { line: 0, column: 0 };
    return { file: path, ...place, path: 'realm', message: `the realm "${realm}" is also in ${owner}` };
  }

  /** @returns the realm that the file made before and does not make any more */
  async #apply(file: CheckedFile, group: RealmFileGroup): Promise<string | undefined> {
    const { realm } = file.representation;
    // Before it is applied: what changes meanwhile is seen by the next look.
    const referenced = (await Promise.all(file.referencedFiles.map(stateOf))).filter((state) => state !== undefined);
    const broken = promiseSentences(file.representation);
    const source = {
      ...{ ...file.source, checks: this.#fingerprint, openProviders: file.openProviders },
      ...(broken.length === 0 ? {} : { brokenPromises: broken }),
    };
    const outcome = await applyRealmFile({ ...file, source }, this.#options.apply);
    this.#log.openProviders(realm, file.openProviders);
    this.#log.unknownKeys(realm, file.unknownKeys);
    const open = openRedirects(file.representation).map(({ message }) => message);
    this.#log.unused(realm, [...broken, ...open, ...unusedIdentityProviders(file.representation)]);
    if (outcome.outcome === 'unchanged') {
      const { conflicts, problems } = this.#files.get(group.main.path) ?? { conflicts: [], problems: [] };
      if (problems.length > 0) this.#log.mended(realm, group.main.path);
      return this.#files.applied(group, realm, { conflicts, referenced });
    }
    const secrets = new Set(file.references.map(({ value }) => value));
    const conflicts = outcome.conflicts.map((conflict) => ({
      name: nameOf(conflict),
      sentence: describeConflict(conflict, { secrets }),
    }));
    const before = this.#files.applied(group, realm, { conflicts, referenced });
    if (!outcome.drifted) this.#drifted.forget(realm);
    const sentences = conflicts.map(({ sentence }) => sentence);
    this.#log.applied(realm, group.main.path, outcome, sentences, secrets);
    return before;
  }
}

function isFresh({ mtimeMs }: FileState): boolean {
  return Math.abs(systemClock.now() - mtimeMs) < SETTLED_MS;
}

async function areSame(states: KnownFile['referenced']): Promise<boolean> {
  for (const state of states) if (!sameState(state, await stateOf(state.path))) return false;
  return true;
}
