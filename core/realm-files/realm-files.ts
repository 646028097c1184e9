import type { Logger } from '@keyhost/spi';
import { BootError } from '../config/boot-error.js';
import { formatProblem, type Problem } from '../config/problem.js';
import { realmInvalid } from '../config/realm-files.js';
import {
  type FolderChanges,
  isRealmFileName,
  type RealmFileGroup,
  RealmFolder,
  sameState,
  stateOf,
} from '../config/realm-folder.js';
import { type ApplyOutcome, type ApplyServices, applyRealmFile } from '../realms/apply-realm-file.js';
import { changes } from '../realms/comparison/changes.js';
import { describeChange, describeConflict } from '../realms/comparison/describe.js';
import { REALM_SHAPE } from '../realms/comparison/realm-shape.js';
import type { RealmSourceRecord } from '../store/store.js';
import { type CheckedFile, checksFingerprint, type FileChecks, readCheckedFile } from './checked-file.js';
import { DriftedRealms } from './drifted-realms.js';
import { FolderWatch } from './folder-watch.js';
import type { KnownFile, RealmFileState } from './realm-file-state.js';

export interface RealmFilesOptions {
  readonly dir: string;
  readonly checks: FileChecks;
  /** Keyhost's version. */
  readonly version: string;
  readonly apply: ApplyServices;
  readonly logger: Logger;
}

/** Sentences of one change that reach the log. */
const LOGGED = 20;

/** The realms folder: applied at start, followed from then on. */
export class RealmFiles {
  readonly #options: RealmFilesOptions;
  readonly #folder: RealmFolder;
  readonly #fingerprint: string;
  readonly #watch: FolderWatch;
  readonly #drifted: DriftedRealms;
  /** By the path of the main file. */
  readonly #files = new Map<string, KnownFile>();
  /** The path whose file makes a realm. */
  readonly #owners = new Map<string, string>();
  /** Why the last look failed. */
  #failure: string | undefined;

  constructor(options: RealmFilesOptions) {
    const { dir, checks, version, apply, logger } = options;
    this.#options = options;
    this.#folder = new RealmFolder(dir);
    this.#fingerprint = checksFingerprint(checks, version);
    this.#watch = new FolderWatch(dir, isRealmFileName, (names) => this.#look(names));
    this.#drifted = new DriftedRealms({
      store: apply.store,
      realms: apply.realms,
      providers: checks.providers,
      logger,
      pathOf: (realm) => this.#owners.get(realm),
    });
  }

  /**
   * Applies what changed since the last start, and follows the folder from then on. Every file is checked before any is
   * applied; one whose size, time and inode are those last applied is not read, unless it refers to what may have changed
   * without it, or the checks are others.
   * @throws BootError `realm_invalid` with the problems of all files, `production_unsafe`
   */
  async open(): Promise<void> {
    const stored = await this.#options.apply.store.realms.list();
    const byPath = new Map(stored.map((realm) => [realm.source?.files[0]?.path, realm]));
    const changed: RealmFileGroup[] = [];
    const problems: Problem[] = [];
    for (const group of (await this.#folder.look()).changed) {
      const known = byPath.get(group.main.path);
      if (known !== undefined && !this.#owners.has(known.name) && this.#isUnchanged(group, known.source)) {
        this.#remember(group, known.name);
        continue;
      }
      const file = await readCheckedFile(group, this.#options.checks).catch((error: unknown) => {
        if (!(error instanceof BootError) || error.code !== 'realm_invalid') throw error;
        problems.push(...error.problems);
      });
      if (file === undefined) continue;
      const claim = this.#claim(file, group);
      if (claim !== undefined) problems.push(claim);
      else changed.push(group);
    }
    if (problems.length > 0) throw realmInvalid(problems);
    // Read once more: thousands of them at once would not fit into memory.
    for (const group of changed) await this.#apply(await readCheckedFile(group, this.#options.checks), group);
    for (const { name, source } of stored) this.#tellIfGone(name, source);
    this.#watch.open();
  }

  /** The state of every file, by path. */
  async list(): Promise<readonly RealmFileState[]> {
    const stored = await this.#options.apply.store.realms.list();
    const byName = new Map(stored.map((realm) => [realm.name, realm]));
    const states: RealmFileState[] = [];
    for (const [path, { realm, problems, invalidSince, conflicts }] of [...this.#files].sort()) {
      const record = realm === undefined ? undefined : byName.get(realm);
      const isInvalid = problems.length > 0;
      const edits = isInvalid || realm === undefined ? [] : await this.#drifted.edits(realm, record);
      const at = isInvalid ? invalidSince : record?.source?.appliedAt;
      states.push({
        path,
        ...(realm === undefined ? {} : { realm }),
        state: isInvalid ? 'invalid' : edits.length > 0 ? 'drifted' : 'applied',
        ...(record === undefined ? {} : { version: record.version }),
        ...(at === undefined ? {} : { at: new Date(at).toISOString() }),
        ...{ problems, conflicts, edits },
      });
    }
    return states;
  }

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
    const { logger, dir } = this.#options;
    try {
      const { changed, removed } = await this.#changes(names);
      // First, so that a file that was renamed finds its realm without an owner.
      const freed = removed.flatMap((path) => this.#forget(path) ?? []);
      for (const group of changed) await this.#take(group);
      for (const realm of freed) await this.#takeWaiting(realm);
      this.#failure = undefined;
    } catch (error) {
      const reason = error instanceof BootError ? error.report() : String(error);
      if (reason === this.#failure) return;
      this.#failure = reason;
      logger.error(`the realms folder ${dir} cannot be followed; it is tried again`, { reason });
    }
  }

  async #changes(names: ReadonlySet<string> | undefined): Promise<FolderChanges> {
    if (names !== undefined) return this.#folder.lookAt(names);
    const { changed, removed } = await this.#folder.look();
    const again = new Map(changed.map((group) => [group.main.path, group]));
    // What a file refers to may have changed without it; and what an invalid one lacks may have come.
    for (const [path, { group, problems, referenced }] of this.#files) {
      if (again.has(path) || removed.includes(path)) continue;
      if (problems.length > 0 || !(await areSame(referenced))) again.set(path, group);
    }
    return { changed: [...again.values()], removed };
  }

  /** Applies a file that came or changed; one with mistakes leaves the realm as it is. */
  async #take(group: RealmFileGroup): Promise<void> {
    const { logger, checks } = this.#options;
    const { path } = group.main;
    const before = this.#files.get(path);
    try {
      const file = await readCheckedFile(group, checks);
      const claim = this.#claim(file, group);
      if (claim !== undefined) throw realmInvalid([claim]);
      await this.#apply(file, group);
      const { realm } = file.representation;
      if (before?.realm === undefined || before.realm === realm) return;
      this.#owners.delete(before.realm);
      logger.info(`realm ${before.realm}: ${path} makes the realm ${realm} now; this one stays as it is`);
      await this.#takeWaiting(before.realm);
    } catch (error) {
      const message = error instanceof BootError ? error.message : `applying it failed: ${String(error)}`;
      const found = error instanceof BootError ? error.problems : [];
      const problems = found.length > 0 ? found : [wholeFile(path, message)];
      const told = problems.map(formatProblem);
      this.#files.set(path, {
        ...{ group, problems, conflicts: [], referenced: [] },
        realm: before?.realm,
        invalidSince: before?.invalidSince ?? this.#options.apply.clock.now(),
      });
      if (before?.problems.map(formatProblem).join('\n') === told.join('\n')) return;
      const kept = before?.realm === undefined ? '' : `; the realm ${before.realm} stays as it is`;
      logger.error(`${path} is not applied: ${message}${kept}`, { problems: told });
    }
  }

  /** Files that could not have a realm because another file had it. */
  async #takeWaiting(realm: string): Promise<void> {
    for (const [path, { group, problems }] of [...this.#files]) {
      if (problems.some(({ message }) => message.startsWith(alsoIn(realm)))) await this.#take({ ...group });
      if (this.#owners.get(realm) === path) return;
    }
  }

  /** The realm is this file's, unless another file has it already: that is a problem of this one. */
  #claim(file: CheckedFile, { main: { path } }: RealmFileGroup): Problem | undefined {
    const { realm } = file.representation;
    const owner = this.#owners.get(realm);
    if (owner !== undefined && owner !== path) {
      return { file: path, ...file.nameAt, path: 'realm', message: `${alsoIn(realm)}${owner}` };
    }
    this.#owners.set(realm, path);
    return undefined;
  }

  async #apply(file: CheckedFile, group: RealmFileGroup): Promise<void> {
    const { logger, apply } = this.#options;
    const { realm } = file.representation;
    const source = { ...file.source, checks: this.#fingerprint };
    // Before it is applied: what changes meanwhile is seen by the next look.
    const referenced = (await Promise.all(file.referencedFiles.map(stateOf))).filter((state) => state !== undefined);
    const outcome = await applyRealmFile({ ...file, source }, apply);
    const secrets = new Set(file.references.map(({ value }) => value));
    const conflicts =
      outcome.outcome === 'applied' ? outcome.conflicts.map((conflict) => describeConflict(conflict, { secrets })) : [];
    this.#remember(group, realm, conflicts, referenced);
    if (outcome.outcome === 'applied' && !outcome.drifted) this.#drifted.forget(realm);
    for (const provider of file.openProviders) {
      logger.warn(`realm ${realm}: ${provider} answers without authentication`);
    }
    if (file.unknownKeys.length > 0) {
      logger.info(`realm ${realm}: keys that Keyhost does not act on are kept`, { keys: [...file.unknownKeys] });
    }
    if (outcome.outcome === 'applied') this.#tell(realm, group.main.path, outcome, conflicts, secrets);
  }

  #tell(
    realm: string,
    path: string,
    { version, usersCreated, before, after }: Extract<ApplyOutcome, { outcome: 'applied' }>,
    conflicts: readonly string[],
    secrets: ReadonlySet<string>,
  ): void {
    const { logger } = this.#options;
    const told =
      before === undefined
        ? ['the realm is created']
        : changes(REALM_SHAPE, before, after).map((change) => describeChange(change, { secrets }));
    logger.info(`realm ${realm}: ${path} is applied`, { version, usersCreated, changes: told.slice(0, LOGGED) });
    for (const conflict of conflicts.slice(0, LOGGED)) logger.warn(`realm ${realm}: ${path}: ${conflict}`);
  }

  #remember(
    group: RealmFileGroup,
    realm: string,
    conflicts: readonly string[] = [],
    referenced: KnownFile['referenced'] = [],
  ): void {
    this.#owners.set(realm, group.main.path);
    this.#files.set(group.main.path, { group, realm, problems: [], conflicts, referenced });
  }

  /** @returns the realm that has no file any more */
  #forget(path: string): string | undefined {
    const realm = this.#files.get(path)?.realm;
    this.#files.delete(path);
    if (realm === undefined || this.#owners.get(realm) !== path) return undefined;
    this.#owners.delete(realm);
    this.#options.logger.info(`realm ${realm}: ${path} is gone; the realm stays as it is`);
    return realm;
  }

  #tellIfGone(realm: string, source: RealmSourceRecord | undefined): void {
    const path = source?.files[0]?.path;
    if (path === undefined || this.#owners.has(realm)) return;
    this.#options.logger.info(`realm ${realm}: ${path} is gone; the realm stays as it is`);
  }
}

const alsoIn = (realm: string) => `the realm "${realm}" is also in `;

function wholeFile(file: string, message: string): Problem {
  return { file, line: 0, column: 0, path: '', message };
}

async function areSame(states: KnownFile['referenced']): Promise<boolean> {
  for (const state of states) if (!sameState(state, await stateOf(state.path))) return false;
  return true;
}
