import type { Logger } from '@keyhost/spi';
import { recentEntries } from '../../model/recent-entries.js';
import type { RemoteKey } from '../realm-keys.js';

/** Maximum number of components whose last report is remembered. */
const COMPONENTS_TOLD = 1000;

/** A provider's key that cannot be used. */
export interface SkippedKey {
  readonly kid: string;
  readonly reason: string;
}

/** Logs keys that are left out. */
export class SkippedKeyLog {
  readonly #logger: Logger;
  readonly #told = recentEntries<string, string>(COMPONENTS_TOLD);

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  /** Logs only changes, because each check finds the same keys again. */
  report(named: { readonly realm: string; readonly component: string }, all: readonly SkippedKey[]): void {
    const place = `${named.realm} ${named.component}`;
    const text = JSON.stringify(all);
    if ((this.#told.get(place) ?? '[]') === text) return;
    this.#told.set(place, text);
    for (const one of all) this.#logger.error('a key of a key provider is left out', { ...named, ...one });
  }
}

/**
 * @param seen kids of earlier keys; those of these keys are added
 * @returns the keys with a new kid, and the others
 */
export function distinct(keys: readonly RemoteKey[], seen: Set<string>): [RemoteKey[], SkippedKey[]] {
  const [usable, doubles]: [RemoteKey[], SkippedKey[]] = [[], []];
  for (const key of keys) {
    const { kid } = key.record;
    if (seen.has(kid)) doubles.push({ kid, reason: 'another key of the realm has this kid' });
    else usable.push(key);
    seen.add(kid);
  }
  return [usable, doubles];
}
