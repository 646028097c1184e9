import type { Clock } from '../../model/clock.js';
import { recentEntries } from '../../model/recent-entries.js';
import type { CredentialRepresentation } from '../../model/representation.js';
import type { Store } from '../../store/store.js';
import {
  algorithmOf,
  costOf,
  HASH_ALGORITHMS,
  type PasswordFormat,
  readCredential,
  readHashed,
} from './password-format.js';

/** The format of a stored password hash: a built-in one, or a plugin's. */
export type HashFormat = PasswordFormat | { readonly algorithm: string; readonly hashIterations: number };

const NAMESPACE = '/password-hashes';
/**
 * Maximum number of formats whose work a failed login does. A realm has more if it was migrated from several systems.
 */
const MOST_WORK = 4;
/** Maximum number of formats stored per realm; the most expensive are retained. */
const MOST_STORED = 16;
/** How long a node with a shared store may not see a format that another node has stored, in milliseconds. */
const FRESH_MS = 60_000;
/** Maximum number of realms, and of credential descriptions, in memory. */
const REALMS = 1000;
const TEXTS = 10_000;

interface Known {
  readonly at: number;
  readonly formats: Map<string, HashFormat>;
}

/**
 * The formats of the stored passwords of each realm. They are stored when a password is written or verified, and
 * survive a restart. So a failed login can do the work of all of them, whether or not the user exists. A format remains
 * after its last user has changed to another, because checking all users would be too expensive.
 */
export class HashFormats {
  readonly #store: Pick<Store, 'entries' | 'isShared'>;
  readonly #clock: Clock;
  readonly #known = recentEntries<string, Known>(REALMS);
  /** Credentials whose formats are stored, by properties that identify a format without parsing. */
  readonly #noted = recentEntries<string, true>(TEXTS);

  constructor(store: Pick<Store, 'entries' | 'isShared'>, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  /** Stores the formats of these credentials that are not stored yet. */
  async note(realm: string, credentials: readonly CredentialRepresentation[]): Promise<void> {
    for (const credential of credentials) {
      if (credential.type !== 'password') continue;
      const text = `${realm} ${credential.secretData?.length} ${credential.credentialData}`;
      if (this.#noted.has(text)) continue;
      const format = hashFormatOf(credential);
      if (format !== undefined) await this.#add(realm, format);
      this.#noted.set(text, true);
    }
  }

  /** The formats whose work a failed login of the realm does. */
  async inUse(realm: string): Promise<readonly HashFormat[]> {
    const { formats } = await this.#of(realm);
    return [...formats.values()].sort(byCost).slice(0, MOST_WORK);
  }

  async #add(realm: string, format: HashFormat): Promise<void> {
    const key = keyOf(format);
    const { formats } = await this.#of(realm);
    if (formats.has(key)) return;
    const cheapest = formats.size < MOST_STORED ? undefined : [...formats].sort(([, a], [, b]) => byCost(b, a))[0];
    if (cheapest !== undefined) {
      if (byCost(format, cheapest[1]) >= 0) return;
      formats.delete(cheapest[0]);
      await this.#store.entries.delete({ realm, namespace: NAMESPACE, key: cheapest[0] });
    }
    formats.set(key, format);
    await this.#store.entries.put({ realm, namespace: NAMESPACE, key, value: 'true' });
  }

  async #of(realm: string): Promise<Known> {
    const now = this.#clock.now();
    const known = this.#known.get(realm);
    if (known !== undefined && (!this.#store.isShared || now - known.at < FRESH_MS)) return known;
    const range = { realm, namespace: NAMESPACE, prefix: '', first: 0, max: 2 * MOST_STORED, now };
    const found = await this.#store.entries.list(range);
    const read = { at: now, formats: new Map(found.map(({ key }) => [key, JSON.parse(key) as HashFormat])) };
    this.#known.set(realm, read);
    return read;
  }
}

/** The format of a stored password; undefined if it cannot be verified. */
export function hashFormatOf(credential: CredentialRepresentation): HashFormat | undefined {
  try {
    return readCredential(credential).format;
  } catch {
    const algorithm = algorithmOf(credential);
    const hashed = algorithm === undefined || HASH_ALGORITHMS.includes(algorithm) ? undefined : readHashed(credential);
    return algorithm === undefined || hashed === undefined
      ? undefined
      : { algorithm, hashIterations: hashed.hashIterations };
  }
}

/** The key of a format: equal for formats that take the same work. */
export function keyOf(format: HashFormat): string {
  return JSON.stringify(Object.fromEntries(Object.entries(format).sort(([a], [b]) => (a < b ? -1 : 1))));
}

/** True for a built-in format. */
export function isOwnFormat(format: HashFormat): format is PasswordFormat {
  return 'hashLength' in format;
}

/** Most expensive first. The cost of plugins' formats is unknown: they come first, ordered by iterations. */
function byCost(a: HashFormat, b: HashFormat): number {
  const cost = (format: HashFormat) => (isOwnFormat(format) ? costOf(format) : Number.MAX_SAFE_INTEGER);
  return cost(b) - cost(a) || b.hashIterations - a.hashIterations;
}
