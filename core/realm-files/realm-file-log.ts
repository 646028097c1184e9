import type { Logger } from '@keyhost/spi';
import { formatProblem } from '../config/problem.js';
import type { ApplyOutcome } from '../realms/apply-realm-file.js';
import { findChanges } from '../realms/comparison/changes.js';
import { describeChange } from '../realms/comparison/describe.js';
import { REALM_SHAPE } from '../realms/comparison/realm-shape.js';
import type { KnownFile, RefusedPart } from './known-files.js';

/** The interval of progress messages during a long start, in milliseconds. */
const PROGRESS_MS = 2_000;
/** The maximum number of sentences of one change that are logged. */
const MAX_SENTENCES = 20;

/** Writes log messages about realm files. */
export class RealmFileLog {
  readonly #logger: Logger;

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  /** @param secrets texts that must not be logged */
  logApplied(
    realm: string,
    path: string,
    { version, usersCreated, before, after }: Extract<ApplyOutcome, { outcome: 'applied' }>,
    conflicts: readonly string[],
    secrets: ReadonlySet<string>,
  ): void {
    const descriptions =
      before === undefined
        ? ['the realm is created']
        : findChanges(REALM_SHAPE, before, after).map((change) => describeChange(change, { secrets }));
    this.#logger.info(`realm ${realm}: applied ${path}`, {
      version,
      usersCreated,
      changes: descriptions.slice(0, MAX_SENTENCES),
    });
    for (const conflict of conflicts.slice(0, MAX_SENTENCES)) this.#logger.warn(`realm ${realm}: ${path}: ${conflict}`);
  }

  /** Logs the progress of a long start. @returns a function to call with the number of files done */
  logProgress(what: 'checked' | 'applied', count: number): (done: number) => void {
    let lastLoggedAt = Date.now();
    return (done) => {
      if (Date.now() - lastLoggedAt < PROGRESS_MS) return;
      lastLoggedAt = Date.now();
      this.#logger.info(`${done} of ${count} realm files ${what}`);
    };
  }

  /** @param file with the realms that are not changed */
  logRefused({ realm, message, problems }: RefusedPart, file: KnownFile | undefined): void {
    if (file === undefined) return;
    const { path } = file.group.main;
    const unchangedRealms = [...file.realms].filter(([, known]) =>
      known.problems.some((one) => problems.includes(one)),
    );
    const names = unchangedRealms.map(([name]) => name).join(', ');
    const unchangedNote =
      unchangedRealms.length > 1 ? `; the realms ${names} are not changed` : `; the realm ${names} is not changed`;
    const isAlone = file.realms.size < 2 && file.refused.length < 2;
    const subject = isAlone || realm === undefined ? path : `realm ${realm} of ${path}`;
    this.#logger.error(`${subject} was not applied: ${message}${unchangedRealms.length === 0 ? '' : unchangedNote}`, {
      problems: problems.map(formatProblem),
    });
  }

  /** Logs that the file's mistakes are fixed and its content equals what was last applied. */
  logFixed(realm: string, path: string): void {
    this.#logger.info(`realm ${realm}: the mistakes in ${path} are fixed; the realm does not change`);
  }

  logDeleted(realm: string, path: string): void {
    this.#logger.info(`realm ${realm}: ${path} was deleted; the realm is not changed`);
  }

  /** Logs that a file, which still exists, no longer defines a realm. */
  logNoLongerDefined(realm: string, path: string): void {
    this.#logger.info(`realm ${realm}: ${path} no longer defines it; the realm is not changed`);
  }

  logUnauthenticatedProviders(realm: string, providers: readonly string[]): void {
    for (const provider of providers) this.#logger.warn(`realm ${realm}: ${provider} answers without authentication`);
  }

  logUnknownKeys(realm: string, keys: readonly string[]): void {
    if (keys.length === 0) return;
    this.#logger.info(`realm ${realm}: keeping keys that Keyhost does not support`, { keys: [...keys] });
  }

  /**
   * Logs that parts of a realm are stored but have no effect.
   * @param sentences about these parts
   * @param path the file whose check reports all of them
   */
  logIneffective(realm: string, sentences: readonly string[], path?: string): void {
    for (const sentence of sentences.slice(0, MAX_SENTENCES)) this.#logger.warn(`realm ${realm}: ${sentence}`);
    const more = sentences.length - MAX_SENTENCES;
    if (more <= 0) return;
    const hint = path === undefined ? '' : `; run: keyhost realm check ${path}`;
    this.#logger.warn(`realm ${realm}: ${more} more settings have no effect${hint}`);
  }

  logWatchFailure(dir: string, reason: string): void {
    this.#logger.error(`cannot watch the realms folder ${dir}, retrying`, { reason });
  }
}
