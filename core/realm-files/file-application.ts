import { formatProblem } from '../config/problem.js';
import { openRedirects } from '../config/realm-file/open-redirects.js';
import { addFiles, type FileState, type RealmFileGroup } from '../config/realm-file/realm-folder.js';
import { promiseSentences } from '../config/settings/unused-settings.js';
import { type ApplyOptions, type ApplyServices, applyRealmFile } from '../realms/apply-realm-file.js';
import { describeConflict, nameOf, type Told } from '../realms/comparison/describe.js';
import { givenSecretsSentences } from '../realms/given-secrets.js';
import type { CheckedRealmFile } from '../realms/plan-realm.js';
import type { CheckedFile } from './checked-file.js';
import type { DriftedRealms } from './drifted-realms.js';
import type { KnownFiles, TakenFile } from './known-files.js';
import type { RealmFileLog } from './realm-file-log.js';

/** Files that are applied at once at start, and realms of one file: they share their durable writes. */
export const APPLIED_AT_ONCE = 16;

export interface AppliedFile extends Omit<TakenFile, 'refused'> {
  /** What the store did not take. */
  readonly failed: readonly { readonly realm: string; readonly error: unknown }[];
}

/** Makes the realms of checked files live, and tells of it. */
export class FileApplication {
  readonly #services: ApplyServices;
  readonly #files: KnownFiles;
  readonly #drifted: DriftedRealms;
  readonly #log: RealmFileLog;
  readonly #checks: string;

  /** @param checks fingerprint of what the files were checked with */
  constructor(
    services: ApplyServices,
    parts: { files: KnownFiles; drifted: DriftedRealms; log: RealmFileLog; checks: string },
  ) {
    this.#services = services;
    this.#files = parts.files;
    this.#drifted = parts.drifted;
    this.#log = parts.log;
    this.#checks = parts.checks;
  }

  /**
   * Applies the realms of a file; one that fails holds no other up.
   * @param onWritten as that of `applyRealmFile`
   */
  async apply(
    files: readonly CheckedFile[],
    group: RealmFileGroup,
    onWritten?: ApplyOptions['onWritten'],
  ): Promise<AppliedFile> {
    const referenced = new Map<string, FileState>();
    for (const { referencedFiles } of files) addFiles(referenced, referencedFiles);
    const made = new Map<string, readonly Told[]>();
    const failed: { realm: string; error: unknown }[] = [];
    for (let first = 0; first < files.length; first += APPLIED_AT_ONCE) {
      const some = files.slice(first, first + APPLIED_AT_ONCE);
      const outcomes = await Promise.allSettled(some.map((file) => this.#applyOne(file, group.main.path, onWritten)));
      for (const [index, { representation }] of some.entries()) {
        const outcome = outcomes[index];
        if (outcome?.status === 'fulfilled') made.set(representation.realm, outcome.value);
        else failed.push({ realm: representation.realm, error: outcome?.reason });
      }
    }
    return { made, failed, referenced: [...referenced.values()] };
  }

  /** The file with all that is remembered of it. */
  sourced(file: CheckedFile): CheckedRealmFile {
    const broken = promiseSentences(file.representation);
    const source = {
      ...file.source,
      checks: this.#checks,
      openProviders: file.openProviders,
      ...(broken.length === 0 ? {} : { brokenPromises: broken }),
    };
    return { ...file, source };
  }

  /** @returns where the file won over edits */
  async #applyOne(file: CheckedFile, path: string, onWritten: ApplyOptions['onWritten']): Promise<readonly Told[]> {
    const { realm } = file.representation;
    // Of what production takes although it promises something; elsewhere that is among the warnings.
    const broken = file.warnings.length > 0 ? [] : promiseSentences(file.representation);
    const outcome = await applyRealmFile(this.sourced(file), this.#services, { onWritten });
    this.#log.openProviders(realm, file.openProviders);
    this.#log.unknownKeys(realm, file.unknownKeys);
    const open = openRedirects(file.representation).map(({ message }) => message);
    this.#log.unused(realm, [...broken, ...open]);
    this.#log.unused(realm, file.warnings.map(formatProblem), path);
    if (outcome.outcome === 'unchanged') {
      const before = this.#files.get(path)?.realms.get(realm);
      if (before !== undefined && before.problems.length > 0) this.#log.mended(realm, path);
      return before?.conflicts ?? [];
    }
    const secrets = new Set(file.references.map(({ value }) => value));
    const conflicts = outcome.conflicts.map((conflict) => ({
      name: nameOf(conflict),
      sentence: describeConflict(conflict, { secrets }),
    }));
    if (!outcome.drifted) this.#drifted.forget(realm);
    const sentences = conflicts.map(({ sentence }) => sentence);
    this.#log.applied(realm, path, outcome, sentences, secrets);
    this.#log.unused(realm, givenSecretsSentences(outcome.secretsGiven));
    return conflicts;
  }
}
