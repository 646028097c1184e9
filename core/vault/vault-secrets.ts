import { HostError, type Logger, Vault, type VaultSecret } from '@keyhost/spi';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../model/clock.js';
import type { Realm } from '../model/realm.js';
import type { RealmProviders } from '../model/realm-providers.js';
import { retryLater } from '../model/retry-later.js';
import { vaultKey } from '../model/vault-reference.js';

/** Default lifetime of a cached secret, in milliseconds. */
const CACHE_MS = 60_000;
/** How long after that it is still used while the vault is unreachable, in milliseconds. */
const STALE_MS = 10 * 60_000;
/** How long a vault is not asked again after a failure or for a missing secret, in milliseconds. */
const PAUSE_MS = 5_000;

/** The cached state of a secret. */
interface CachedSecret {
  /** Undefined if no vault had it. */
  readonly secret: VaultSecret | undefined;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly isFailure?: boolean;
}

/** The secrets that realms refer to as `${vault.KEY}`. */
export class VaultSecrets {
  readonly #providers: RealmProviders;
  readonly #clock: Clock;
  readonly #logger: Logger;
  /** By realm, its version and the key. */
  readonly #known = new LRUCache<string, CachedSecret>({ max: 10_000 });
  readonly #asking = new Map<string, Promise<string>>();

  constructor(parts: { readonly providers: RealmProviders; readonly clock: Clock; readonly logger: Logger }) {
    this.#providers = parts.providers;
    this.#clock = parts.clock;
    this.#logger = parts.logger;
  }

  /**
   * Returns the secret of a setting, which contains it or refers to it.
   * @throws HostError `vault_secret_missing` (500) if no vault of the realm has it, `temporarily_unavailable` (503) if
   * a vault cannot be asked. Neither reveals the key to clients
   */
  async secret(realm: Realm, setting: string): Promise<string> {
    const key = vaultKey(setting);
    if (key === undefined) return setting;
    const place = `${realm.name} ${realm.version} ${key}`;
    const known = this.#known.get(place);
    const now = this.#clock.now();
    if (known !== undefined && now < this.#goodUntil(known)) return secretValue(known, realm, key);
    let asking = this.#asking.get(place);
    if (asking === undefined) {
      asking = this.#ask(realm, key, place, known).finally(() => this.#asking.delete(place));
      this.#asking.set(place, asking);
    }
    return asking;
  }

  #goodUntil({ secret, at, isFailure }: CachedSecret): number {
    if (secret === undefined || isFailure) return at + PAUSE_MS;
    return Math.min(at + CACHE_MS, endOf(secret));
  }

  async #ask(realm: Realm, key: string, place: string, before: CachedSecret | undefined): Promise<string> {
    const now = this.#clock.now();
    // Not in a member named `key`, which the log masks.
    const named = { realm: realm.name, reference: `\${vault.${key}}` };
    try {
      let secret: VaultSecret | undefined;
      for (const vault of this.#providers.all(realm, Vault)) {
        secret = await vault.call((provider) => provider.read({ key }));
        if (secret !== undefined) break;
      }
      if (secret === undefined) this.#logger.error('no vault of the realm has a secret', named);
      const known = { secret, at: now };
      this.#known.set(place, known);
      return secretValue(known, realm, key);
    } catch (error) {
      if (error instanceof HostError && error.code === MISSING) throw error;
      const isUsable = before?.secret !== undefined && now < Math.min(before.at + STALE_MS, endOf(before.secret));
      // The provider's own error was logged with the call.
      this.#logger.error('a secret cannot be read from its vault', { ...named, usesLastValue: isUsable });
      if (!isUsable) {
        this.#known.set(place, { secret: undefined, at: now, isFailure: true });
        throw unavailable();
      }
      return before.secret.value;
    }
  }
}

const MISSING = 'vault_secret_missing';

const endOf = ({ expiresAt }: VaultSecret) => (expiresAt === undefined ? Number.POSITIVE_INFINITY : expiresAt * 1000);

function secretValue({ secret, isFailure }: CachedSecret, realm: Realm, key: string): string {
  if (secret !== undefined) return secret.value;
  if (isFailure) throw unavailable();
  throw new HostError(MISSING, `no vault of realm ${realm.name} has the secret ${key}`);
}

function unavailable(): HostError {
  return retryLater('temporarily_unavailable', 'A secret cannot be read at the moment. Try again later.', 5);
}
