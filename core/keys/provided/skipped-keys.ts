import type { Logger } from '@keyhost/spi';
import { recentEntries } from '../../model/recent-entries.js';
import type { RemoteKey } from '../realm-keys.js';

/** Maximum number of components whose last report is in memory. */
const MAX_REMEMBERED_COMPONENTS = 1000;

/** A provider's key that cannot be used. */
export interface SkippedKey {
  readonly kid: string;
  readonly reason: string;
}

/** Logs the keys of components that cannot be used, once per change. */
export class SkippedKeyLog {
  readonly #logger: Logger;
  readonly #lastReports = recentEntries<string, string>(MAX_REMEMBERED_COMPONENTS);

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  /**
   * Logs the skipped keys of a component, if they have changed since the last report. The keys are reloaded regularly.
   */
  report(logFields: { readonly realm: string; readonly component: string }, skippedKeys: readonly SkippedKey[]): void {
    const cacheKey = `${logFields.realm} ${logFields.component}`;
    const text = JSON.stringify(skippedKeys);
    if ((this.#lastReports.get(cacheKey) ?? '[]') === text) return;
    this.#lastReports.set(cacheKey, text);
    for (const skippedKey of skippedKeys)
      this.#logger.error('a key of a key provider is left out', { ...logFields, ...skippedKey });
  }
}

/**
 * Separates keys with a new kid from duplicates.
 * @param seenKids key IDs that are already used; the IDs of `keys` are added to it
 * @returns the keys with a new kid, and the duplicates
 */
export function splitByUniqueKid(keys: readonly RemoteKey[], seenKids: Set<string>): [RemoteKey[], SkippedKey[]] {
  const [usable, duplicates]: [RemoteKey[], SkippedKey[]] = [[], []];
  for (const key of keys) {
    const { kid } = key.record;
    if (seenKids.has(kid)) duplicates.push({ kid, reason: 'another key of the realm has this kid' });
    else usable.push(key);
    seenKids.add(kid);
  }
  return [usable, duplicates];
}
