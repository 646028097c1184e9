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
  readHashedPassword,
} from './password-format.js';

/** The format of a stored password hash: a built-in one, or a plugin's. */
export type HashFormat = PasswordFormat | { readonly algorithm: string; readonly hashIterations: number };

const NAMESPACE = '/password-hashes';
/**
 * Maximum number of formats in which a failed login computes a hash. A realm that was migrated from several systems may
 * have more.
 */
const MAX_FORMATS_COMPUTED = 4;
/** Maximum number of formats stored per realm; the most expensive are retained. */
const MAX_FORMATS_STORED = 16;
/**
 * How long a node with a shared store caches the formats, in milliseconds. It may miss a format of another node for
 * this time.
 */
const CACHE_MS = 60_000;
/** Maximum number of realms, and of credential descriptions, in memory. */
const MAX_REALMS = 1000;
const MAX_CREDENTIALS = 10_000;

interface CachedFormats {
  readonly readAt: number;
  readonly formats: Map<string, HashFormat>;
}

/**
 * The formats of the stored passwords of each realm. A format is stored when a password of it is written or verified,
 * and survives a restart. So a failed login can compute a hash in each of them, and takes the same time whether or not
 * the user exists. A format remains after its last user has changed to another one, because checking all users would be
 * too expensive.
 */
export class HashFormats {
  readonly #store: Pick<Store, 'entries' | 'isShared'>;
  readonly #clock: Clock;
  readonly #formatsByRealm = recentEntries<string, CachedFormats>(MAX_REALMS);
  /** Credentials whose format is stored, described by properties that need no parsing. */
  readonly #recordedCredentials = recentEntries<string, true>(MAX_CREDENTIALS);

  constructor(store: Pick<Store, 'entries' | 'isShared'>, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  /** Stores the formats of these credentials, unless they are stored already. */
  async recordFormats(realm: string, credentials: readonly CredentialRepresentation[]): Promise<void> {
    for (const credential of credentials) {
      if (credential.type !== 'password') continue;
      const description = `${realm} ${credential.secretData?.length} ${credential.credentialData}`;
      if (this.#recordedCredentials.has(description)) continue;
      const format = hashFormatOf(credential);
      if (format !== undefined) await this.#add(realm, format);
      this.#recordedCredentials.set(description, true);
    }
  }

  /** The formats in which a failed login of the realm computes a hash: the most expensive ones. */
  async formatsInUse(realm: string): Promise<readonly HashFormat[]> {
    const { formats } = await this.#formatsOf(realm);
    return [...formats.values()].sort(byCost).slice(0, MAX_FORMATS_COMPUTED);
  }

  async #add(realm: string, format: HashFormat): Promise<void> {
    const formatKey = formatKeyOf(format);
    const { formats } = await this.#formatsOf(realm);
    if (formats.has(formatKey)) return;
    const cheapest =
      formats.size < MAX_FORMATS_STORED ? undefined : [...formats].sort(([, a], [, b]) => byCost(b, a))[0];
    if (cheapest !== undefined) {
      if (byCost(format, cheapest[1]) >= 0) return;
      formats.delete(cheapest[0]);
      await this.#store.entries.delete({ realm, namespace: NAMESPACE, key: cheapest[0] });
    }
    formats.set(formatKey, format);
    await this.#store.entries.put({ realm, namespace: NAMESPACE, key: formatKey, value: 'true' });
  }

  async #formatsOf(realm: string): Promise<CachedFormats> {
    const now = this.#clock.now();
    const cached = this.#formatsByRealm.get(realm);
    if (cached !== undefined && (!this.#store.isShared || now - cached.readAt < CACHE_MS)) return cached;
    const range = { realm, namespace: NAMESPACE, prefix: '', first: 0, max: 2 * MAX_FORMATS_STORED, now };
    const entries = await this.#store.entries.list(range);
    const loaded = { readAt: now, formats: new Map(entries.map(({ key }) => [key, JSON.parse(key) as HashFormat])) };
    this.#formatsByRealm.set(realm, loaded);
    return loaded;
  }
}

/** The format of a stored password; undefined if it cannot be verified. */
export function hashFormatOf(credential: CredentialRepresentation): HashFormat | undefined {
  try {
    return readCredential(credential).format;
  } catch {
    const algorithm = algorithmOf(credential);
    const hashed =
      algorithm === undefined || HASH_ALGORITHMS.includes(algorithm) ? undefined : readHashedPassword(credential);
    return algorithm === undefined || hashed === undefined
      ? undefined
      : { algorithm, hashIterations: hashed.hashIterations };
  }
}

/** The key of a format in the store: its JSON with sorted members. */
export function formatKeyOf(format: HashFormat): string {
  return JSON.stringify(Object.fromEntries(Object.entries(format).sort(([a], [b]) => (a < b ? -1 : 1))));
}

/** True if the format is built in. */
export function isBuiltInFormat(format: HashFormat): format is PasswordFormat {
  return 'hashLength' in format;
}

/**
 * Sorts the most expensive format first. The cost of plugins' formats is unknown, so they come before all others,
 * ordered by iterations.
 */
function byCost(a: HashFormat, b: HashFormat): number {
  const cost = (format: HashFormat) => (isBuiltInFormat(format) ? costOf(format) : Number.MAX_SAFE_INTEGER);
  return cost(b) - cost(a) || b.hashIterations - a.hashIterations;
}
