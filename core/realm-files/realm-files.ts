import type { Logger } from '@keyhost/spi';
import { BootError } from '../config/boot-error.js';
import { formatProblem, type Problem } from '../config/problem.js';
import {
  type FileState,
  isRealmFileName,
  type RealmFileGroup,
  RealmFolder,
  realmFilesOf,
  sameState,
  stateOf,
} from '../config/realm-file/realm-folder.js';
import { realmRefused } from '../config/realm-file/realm-refused.js';
import { systemClock } from '../model/clock.js';
import type { ApplyOptions, ApplyServices } from '../realms/apply-realm-file.js';
import type { CheckedRealmFile } from '../realms/plan-realm.js';
import { type CheckedFile, checksFingerprint, type FileChecks, readCheckedFiles } from './checked-file.js';
import { claimRealm } from './claim-realm.js';
import { DriftedRealms } from './drifted-realms.js';
import { FileApplier } from './file-applier.js';
import { FileStates } from './file-states.js';
import { FolderWatch } from './folder-watch.js';
import { type KnownFile, KnownFiles, type RefusedPart } from './known-files.js';
import { RealmFileLog } from './realm-file-log.js';
import type { RealmFileState } from './realm-file-state.js';
import { StartupFiles } from './startup-files.js';

export interface RealmFilesOptions {
  readonly dir: string;
  readonly checks: FileChecks;
  /** Keyhost's version. */
  readonly version: string;
  readonly apply: ApplyServices;
  readonly logger: Logger;
  /** Called when a file turns out to have mistakes with the running plugins. */
  readonly onRefused?: () => void;
}

/** A file that was checked with the plugins of the next generation. */
export interface PreparedFile {
  readonly group: RealmFileGroup;
  readonly read: Awaited<ReturnType<typeof readCheckedFiles>>;
}

/**
 * A file that was written to within this time, in milliseconds, may be half-written, so its mistakes are not reported
 * yet.
 */
const HALF_WRITTEN_MS = 500;

/** The realms folder: applied at start and watched from then on. */
export class RealmFiles {
  readonly dir: string;
  readonly checks: FileChecks;
  readonly states: FileStates;
  readonly #options: RealmFilesOptions;
  readonly #folder: RealmFolder;
  readonly #fingerprint: string;
  readonly #watch: FolderWatch;
  readonly #drifted: DriftedRealms;
  readonly #log: RealmFileLog;
  readonly #files = new KnownFiles();
  readonly #applier: FileApplier;
  /** Files with mistakes that may be half-written. */
  readonly #unsettled = new Map<string, RealmFileGroup>();
  /** The reason why the last scan failed. */
  #failure: string | undefined;

  constructor(options: RealmFilesOptions) {
    const { dir, checks, version, apply, logger } = options;
    const { store, realms } = apply;
    this.dir = dir;
    this.checks = checks;
    this.#options = options;
    this.#folder = new RealmFolder(dir);
    this.#fingerprint = checksFingerprint(checks, version);
    this.#watch = new FolderWatch(dir, isRealmFileName, (names) => this.#applyChanges(names));
    this.#log = new RealmFileLog(logger);
    const pathOf = (realm: string) => this.#files.ownerOf(realm);
    this.#drifted = new DriftedRealms({ store, realms, providers: checks.providers, logger, pathOf });
    this.states = new FileStates({ dir, store: store.realms, files: this.#files, drifted: this.#drifted });
    const parts = { files: this.#files, drifted: this.#drifted, log: this.#log, checks: this.#fingerprint };
    this.#applier = new FileApplier(apply, parts);
  }

  /**
   * Applies the changes since the last start, and then watches the folder. All files are checked before any is applied.
   * A file with the size, time and inode that were last applied is not checked again, unless its references or the
   * checks have changed.
   * @throws BootError `realm_invalid` with the problems of all files, or `production_unsafe`
   */
  async open(): Promise<void> {
    const { apply, checks } = this.#options;
    const start = new StartupFiles({
      files: this.#files,
      log: this.#log,
      applier: this.#applier,
      apply,
      checks,
      fingerprint: this.#fingerprint,
    });
    await start.applyChanged((await this.#folder.scan()).changed);
    this.states.isWatching = true;
    this.#watch.open();
  }

  /** The state of every file, by path. @param withValues true to include values in messages */
  list(withValues: boolean): Promise<readonly RealmFileState[]> {
    return this.states.all(withValues ? 'values' : 'names');
  }

  /** The file with the source record to store with its realm. */
  withSource(file: CheckedFile): CheckedRealmFile {
    return this.#applier.withSource(file);
  }

  /**
   * Reads the current files of realms, each once, and checks them with the plugins that will run next.
   * @returns a function that returns the file of a realm, or undefined if no file defines it
   */
  prepare(providers: FileChecks['providers']): (realm: string) => Promise<PreparedFile> | undefined {
    const files = new Map<string, Promise<PreparedFile>>();
    const read = async (path: string) => {
      const group = await realmFilesOf(path);
      return { group, read: await readCheckedFiles(group, { ...this.#options.checks, providers }) };
    };
    return (realm) => {
      const path = this.#files.ownerOf(realm);
      if (path === undefined) return undefined;
      const file = files.get(path) ?? read(path);
      files.set(path, file);
      return file;
    };
  }

  /**
   * Applies files that `prepare` read, before the plugins that they were checked with run.
   * @returns a function that makes requests see the new realms; call it when those plugins take over
   * @throws BootError `realm_invalid` if the store rejected one
   */
  async applyPrepared(files: Iterable<PreparedFile>): Promise<() => void> {
    const showFunctions: (() => void)[] = [];
    const show = () => {
      for (const one of showFunctions) one();
    };
    await this.#watch.runExclusive(async () => {
      const releasedRealms = new Set<string>();
      for (const file of files) {
        const problems = await this.#applyRead(file, releasedRealms, (one) => void showFunctions.push(one));
        if (problems.length === 0) continue;
        show();
        throw realmRefused(problems);
      }
    });
    return show;
  }

  /** Resolves when nothing is being applied any more. */
  async close(): Promise<void> {
    await this.#watch.close();
    this.#drifted.close();
  }

  /** Never rejects: a failure is logged, and the next scan tries again. */
  async #applyChanges(names: ReadonlySet<string> | undefined): Promise<void> {
    try {
      const { changed, removed } = await (names === undefined ? this.#folder.scan() : this.#folder.scanFiles(names));
      const groups = new Map(changed.map((group) => [group.main.path, group]));
      for (const group of await this.#filesToReadAgain(names === undefined)) {
        const { path } = group.main;
        if (!groups.has(path)) groups.set(path, group);
      }
      const releasedRealms = new Set<string>();
      // Deleted files first, so that a renamed file finds its realm without an owner.
      for (const path of removed) {
        groups.delete(path);
        for (const realm of this.#files.remove(path)) {
          releasedRealms.add(realm);
          this.#log.logDeleted(realm, path);
        }
      }
      for (const group of groups.values()) await this.#apply(group, releasedRealms);
      for (const group of this.#files.waitingFor(releasedRealms)) await this.#apply(group, releasedRealms);
      this.#failure = undefined;
    } catch (error) {
      const reason = error instanceof BootError ? error.report() : String(error);
      if (reason === this.#failure) return;
      this.#failure = reason;
      this.#log.logWatchFailure(this.#options.dir, reason);
    }
  }

  /** Unchanged files that must be read again. */
  async #filesToReadAgain(isFullScan: boolean): Promise<RealmFileGroup[]> {
    const files = [...this.#unsettled.values()];
    this.#unsettled.clear();
    if (!isFullScan) return files;
    // The files of references may have changed without the realm file, and a missing part of an invalid one may exist
    // now.
    for (const [, { group, refused, referencedFiles }] of this.#files.all()) {
      if (refused.length > 0 || !(await areUnchanged(referencedFiles))) files.push(group);
    }
    return files;
  }

  /**
   * Applies a new or changed file. A realm with mistakes stays unchanged.
   * @param releasedRealms receives the realms that this file no longer defines
   */
  async #apply(group: RealmFileGroup, releasedRealms: Set<string>): Promise<void> {
    await this.#applyRead({ group, read: await readCheckedFiles(group, this.#options.checks) }, releasedRealms);
  }

  /**
   * @param onWritten as in `applyRealmFile`; if given, the file is applied even if it was just written
   * @returns the problems of the realms that the store rejected
   */
  async #applyRead(
    { group, read }: PreparedFile,
    releasedRealms: Set<string>,
    onWritten?: ApplyOptions['onWritten'],
  ): Promise<Problem[]> {
    const { path } = group.main;
    const refused: RefusedPart[] = read.refused.map(({ realm, error }) => ({ realm, ...refusalOf(error) }));
    const claimed: CheckedFile[] = [];
    for (const file of read.accepted) {
      const { realm } = file.representation;
      const problem = claimRealm(this.#files, realm, group, file);
      if (problem === undefined) claimed.push(file);
      else refused.push({ realm, ...refusalOf(realmRefused([problem])), belongsToOtherFile: true });
    }
    if (onWritten === undefined && refused.length > 0 && [group.main, ...group.users].some(mayBeHalfWritten)) {
      for (const { representation } of claimed) this.#files.release(representation.realm, path);
      this.#unsettled.set(path, group);
      this.#watch.scanSoon();
      return [];
    }
    const { failed, ...taken } = await this.#applier.apply(claimed, group, onWritten);
    const failures: Problem[] = [];
    for (const { realm, error } of failed) {
      this.#files.release(realm, path);
      const message = `applying it failed: ${String(error)}`;
      const problem = { file: path, line: 0, column: 0, path: '', message };
      failures.push(problem);
      refused.push({ realm, message, problems: [problem] });
    }
    const before = this.#files.get(path);
    for (const realm of this.#files.record(group, { ...taken, refused }, this.#options.apply.clock.now())) {
      releasedRealms.add(realm);
      this.#log.logNoLongerDefined(realm, path);
    }
    const reported = new Set(before?.refused.map(sentencesOf));
    const newlyRefused = refused.filter((part) => !reported.has(sentencesOf(part)));
    for (const part of newlyRefused) this.#log.logRefused(part, this.#files.get(path));
    if (newlyRefused.length > 0) this.#options.onRefused?.();
    return failures;
  }
}

function refusalOf({ message, problems }: BootError): Pick<RefusedPart, 'message' | 'problems'> {
  return { message, problems };
}

function sentencesOf({ problems }: RefusedPart): string {
  return problems.map(formatProblem).join();
}

function mayBeHalfWritten({ mtimeMs }: FileState): boolean {
  return Math.abs(systemClock.now() - mtimeMs) < HALF_WRITTEN_MS;
}

async function areUnchanged(states: KnownFile['referencedFiles']): Promise<boolean> {
  for (const state of states) if (!sameState(state, await stateOf(state.path))) return false;
  return true;
}
