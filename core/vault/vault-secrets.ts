import { HostError, type Logger, Vault, type VaultSecret } from '@keyhost/spi';
import type { Clock } from '../model/clock.js';
import type { Realm } from '../model/realm.js';
import type { RealmProviders } from '../model/realm-providers.js';
import { recentEntries } from '../model/recent-entries.js';
import { retryLater } from '../model/retry-later.js';
import { vaultKey } from '../model/vault-reference.js';

/** Default lifetime of a cached secret, in milliseconds. */
const CACHE_MS = 60_000;
/** How long a cached secret is used while the vault is unreachable, in milliseconds since it was read. */
const STALE_MS = 10 * 60_000;
/** Time after which the vaults are asked again after a failure, or if none had the secret, in milliseconds. */
const PAUSE_MS = 5_000;

/** The cached state of a secret. */
interface CachedSecret {
  /** Undefined if no vault had the secret, or if reading it failed. */
  readonly secret: VaultSecret | undefined;
  /** When it was read, in milliseconds since the epoch. */
  readonly readAt: number;
  readonly isFailure?: boolean;
  /** Set if a later read failed: when the vaults are asked again, in milliseconds since the epoch. */
  readonly retryAt?: number;
}

/** The secrets that realms refer to as `${vault.KEY}`. */
export class VaultSecrets {
  readonly #parts: { readonly providers: RealmProviders; readonly clock: Clock; readonly logger: Logger };
  /** Cached secrets by realm, its version and the key. */
  readonly #cache = recentEntries<string, CachedSecret>(10_000);
  readonly #pendingReads = new Map<string, Promise<string>>();

  constructor(parts: { readonly providers: RealmProviders; readonly clock: Clock; readonly logger: Logger }) {
    this.#parts = parts;
  }

  /**
   * Returns the secret of a setting, which either is the secret or refers to it.
   * @throws HostError `vault_secret_missing` (500) if no vault of the realm has it, `temporarily_unavailable` (503) if
   * a vault cannot be asked and no cached secret may be used. Neither reveals the key to clients
   */
  async secret(realm: Realm, setting: string): Promise<string> {
    const key = vaultKey(setting);
    if (key === undefined) return setting;
    const cacheKey = `${realm.name} ${realm.version} ${key}`;
    const cached = this.#cache.get(cacheKey);
    const now = this.#parts.clock.now();
    if (cached !== undefined && now < this.#freshUntil(cached)) return secretValue(cached, realm, key);
    let pendingRead = this.#pendingReads.get(cacheKey);
    if (pendingRead === undefined) {
      pendingRead = this.#readFromVaults(realm, key, cacheKey, cached).finally(() =>
        this.#pendingReads.delete(cacheKey),
      );
      this.#pendingReads.set(cacheKey, pendingRead);
    }
    return pendingRead;
  }

  #freshUntil({ secret, readAt, isFailure, retryAt = 0 }: CachedSecret): number {
    if (secret === undefined || isFailure) return readAt + PAUSE_MS;
    return Math.min(Math.max(readAt + CACHE_MS, retryAt), readAt + STALE_MS, expiryOf(secret));
  }

  async #readFromVaults(
    realm: Realm,
    key: string,
    cacheKey: string,
    previous: CachedSecret | undefined,
  ): Promise<string> {
    const now = this.#parts.clock.now();
    // The key is not in a member named `key`, because the log masks that.
    const logFields = { realm: realm.name, reference: `\${vault.${key}}` };
    try {
      let secret: VaultSecret | undefined;
      for (const vault of this.#parts.providers.all(realm, Vault)) {
        secret = await vault.call((provider) => provider.read({ key }));
        if (secret !== undefined) break;
      }
      if (secret === undefined) this.#parts.logger.error('no vault of the realm has a secret', logFields);
      const fresh = { secret, readAt: now };
      this.#cache.set(cacheKey, fresh);
      return secretValue(fresh, realm, key);
    } catch (error) {
      if (error instanceof HostError && error.code === MISSING) throw error;
      const isUsable =
        previous?.secret !== undefined && now < Math.min(previous.readAt + STALE_MS, expiryOf(previous.secret));
      // The provider's own error was logged with the call.
      this.#parts.logger.error('a secret cannot be read from its vault', { ...logFields, usesLastValue: isUsable });
      if (!isUsable) {
        this.#cache.set(cacheKey, { secret: undefined, readAt: now, isFailure: true });
        throw unavailableError();
      }
      this.#cache.set(cacheKey, { ...previous, retryAt: now + PAUSE_MS });
      return previous.secret.value;
    }
  }
}

const MISSING = 'vault_secret_missing';

const expiryOf = ({ expiresAt }: VaultSecret) =>
  expiresAt === undefined ? Number.POSITIVE_INFINITY : expiresAt * 1000;

function secretValue({ secret, isFailure }: CachedSecret, realm: Realm, key: string): string {
  if (secret !== undefined) return secret.value;
  if (isFailure) throw unavailableError();
  throw new HostError(MISSING, `no vault of realm ${realm.name} has the secret ${key}`);
}

function unavailableError(): HostError {
  return retryLater('temporarily_unavailable', 'A secret cannot be read at the moment. Try again later.', 5);
}
