import { formatProblem } from '../config/problem.js';
import { openRedirectUris } from '../config/realm-file/open-redirects.js';
import { addFiles, type FileState, type RealmFileGroup } from '../config/realm-file/realm-folder.js';
import { unsupportedProtectionSentences } from '../config/settings/ignored-settings.js';
import { type ApplyOptions, type ApplyServices, applyRealmFile } from '../realms/apply-realm-file.js';
import { type DescribedChange, describeConflict, nameOf } from '../realms/comparison/describe.js';
import { generatedSecretSentences } from '../realms/generated-secrets.js';
import type { CheckedRealmFile } from '../realms/plan-realm.js';
import type { CheckedFile } from './checked-file.js';
import type { DriftedRealms } from './drifted-realms.js';
import type { FileOutcome, KnownFiles } from './known-files.js';
import type { RealmFileLog } from './realm-file-log.js';

/**
 * The number of files, and of realms of one file, that are applied concurrently at start: they share their durable
 * writes.
 */
export const MAX_CONCURRENT_APPLIES = 16;

export interface AppliedFile extends Omit<FileOutcome, 'refused'> {
  /** Realms that the store rejected. */
  readonly failed: readonly { readonly realm: string; readonly error: unknown }[];
}

/** Applies the realms of checked files, and logs the outcome. */
export class FileApplier {
  readonly #services: ApplyServices;
  readonly #parts: { files: KnownFiles; drifted: DriftedRealms; log: RealmFileLog; checks: string };

  /** @param checks fingerprint of the checks that the files passed */
  constructor(
    services: ApplyServices,
    parts: { files: KnownFiles; drifted: DriftedRealms; log: RealmFileLog; checks: string },
  ) {
    this.#parts = parts;
    this.#services = services;
  }

  /**
   * Applies the realms of a file. A failed one does not prevent the others.
   * @param onWritten as in `applyRealmFile`
   */
  async apply(
    files: readonly CheckedFile[],
    group: RealmFileGroup,
    onWritten?: ApplyOptions['onWritten'],
  ): Promise<AppliedFile> {
    const referenced = new Map<string, FileState>();
    for (const { referencedFiles } of files) addFiles(referenced, referencedFiles);
    const appliedRealms = new Map<string, readonly DescribedChange[]>();
    const failed: { realm: string; error: unknown }[] = [];
    for (let first = 0; first < files.length; first += MAX_CONCURRENT_APPLIES) {
      const batch = files.slice(first, first + MAX_CONCURRENT_APPLIES);
      const outcomes = await Promise.allSettled(batch.map((file) => this.#applyOne(file, group.main.path, onWritten)));
      for (const [index, { representation }] of batch.entries()) {
        const outcome = outcomes[index];
        if (outcome?.status === 'fulfilled') appliedRealms.set(representation.realm, outcome.value);
        else failed.push({ realm: representation.realm, error: outcome?.reason });
      }
    }
    return { conflictsByRealm: appliedRealms, failed, referencedFiles: [...referenced.values()] };
  }

  /** The file with the source record that is stored with its realm. */
  withSource(file: CheckedFile): CheckedRealmFile {
    const broken = unsupportedProtectionSentences(file.representation);
    const source = {
      ...file.source,
      checks: this.#parts.checks,
      openProviders: file.openProviders,
      ...(broken.length === 0 ? {} : { brokenPromises: broken }),
    };
    return { ...file, source };
  }

  /** @returns conflicts in which the file replaced edits */
  async #applyOne(
    file: CheckedFile,
    path: string,
    onWritten: ApplyOptions['onWritten'],
  ): Promise<readonly DescribedChange[]> {
    const { realm } = file.representation;
    // Unsupported protections of a realm that production accepted; in other modes they are among the warnings.
    const broken = file.warnings.length > 0 ? [] : unsupportedProtectionSentences(file.representation);
    const outcome = await applyRealmFile(this.withSource(file), this.#services, { onWritten });
    this.#parts.log.logUnauthenticatedProviders(realm, file.openProviders);
    this.#parts.log.logUnknownKeys(realm, file.unknownKeys);
    const open = openRedirectUris(file.representation).map(({ message }) => message);
    this.#parts.log.logIneffective(realm, [...broken, ...open]);
    this.#parts.log.logIneffective(realm, file.warnings.map(formatProblem), path);
    if (outcome.outcome === 'unchanged') {
      const before = this.#parts.files.get(path)?.realms.get(realm);
      if (before !== undefined && before.problems.length > 0) this.#parts.log.logFixed(realm, path);
      return before?.conflicts ?? [];
    }
    const secrets = new Set(file.references.map(({ value }) => value));
    const conflicts = outcome.conflicts.map((conflict) => ({
      name: nameOf(conflict),
      sentence: describeConflict(conflict, { secrets }),
    }));
    if (!outcome.drifted) this.#parts.drifted.markInSync(realm);
    const sentences = conflicts.map(({ sentence }) => sentence);
    this.#parts.log.logApplied(realm, path, outcome, sentences, secrets);
    this.#parts.log.logIneffective(realm, generatedSecretSentences(outcome.secretsGiven));
    return conflicts;
  }
}
