import {
  HostError,
  PasswordHash,
  type PasswordHashDeclaration,
  type PasswordHashed,
  type PasswordHashProvider,
  type PasswordOwner,
  PasswordPolicy,
  type PasswordPolicyDeclaration,
} from '@keyhost/spi';
import { defined } from '../../model/defined.js';
import { isMask } from '../../model/mask.js';
import type { Realm } from '../../model/realm.js';
import type { KnownDeclaration, RealmProvider, RealmProviders } from '../../model/realm-providers.js';
import type { CredentialRepresentation } from '../../model/representation.js';
import { retryOptions } from '../../model/retry-later.js';
import { formatKeyOf, type HashFormat, hashFormatOf, isBuiltInFormat } from './hash-formats.js';
import { algorithmOf, formatOf, HASH_ALGORITHMS, readHashedPassword, writeHashedPassword } from './password-format.js';
import { MAX_PASSWORD_LENGTH, type PasswordHasher, requireShortPassword } from './password-hasher.js';
import { passwordPolicyOf } from './password-policy.js';

/** A violated rule: Keycloak's message key and its parameters. */
export interface PasswordViolation {
  readonly message: string;
  readonly parameters: readonly (string | number)[];
  /** The plugin's texts, by language. */
  readonly texts?: Readonly<Record<string, string>>;
}

type HashProvider = RealmProvider<PasswordHashDeclaration, PasswordHashProvider>;

/**
 * The passwords of realms, checked and hashed by providers of the SPIs `password-policy` and `password-hashing`. If a
 * provider fails, logins and new passwords fail.
 */
export class Passwords {
  readonly #parts: { readonly hasher: PasswordHasher; readonly providers: RealmProviders };

  constructor(parts: { readonly hasher: PasswordHasher; readonly providers: RealmProviders }) {
    this.#parts = parts;
  }

  /**
   * The first rule of the realm's policy that a password violates; undefined if it violates none.
   * @throws HostError `temporarily_unavailable` (503) if a rule cannot be checked
   */
  async findViolation(realm: Realm, password: string, user: PasswordOwner): Promise<PasswordViolation | undefined> {
    const { terms, hashAlgorithm } = passwordPolicyOf(realm);
    const maxBytes = this.#hashProvider(realm, hashAlgorithm)?.declaration.maxBytes;
    if (exceedsBytes(password, maxBytes))
      return { message: 'invalidPasswordMaxLengthMessage', parameters: [maxBytes ?? 0] };
    for (const { id, value } of terms) {
      const provider = this.#parts.providers.find(realm, PasswordPolicy, id);
      if (provider === undefined) throw new PasswordsUnavailableError(`there is no password-policy/${id}`);
      const request = { password, user, ...defined({ value: policyValue(value, provider.declaration) }) };
      const violation = await callProvider(provider, (policy) => policy.check(request));
      if (violation !== undefined) {
        return { message: violation.key, parameters: violation.params ?? [], ...defined({ texts: violation.texts }) };
      }
    }
    return undefined;
  }

  /**
   * Returns a credential of type `password`, without `id` and `createdDate`, hashed by the realm's policy.
   * @throws HostError `password_too_long` (400), `temporarily_unavailable` (503)
   */
  async hash(realm: Realm, password: string): Promise<CredentialRepresentation> {
    const policy = passwordPolicyOf(realm);
    const plugin = this.#hashProvider(realm, policy.hashAlgorithm);
    if (plugin === undefined) return this.#parts.hasher.hash(realm.name, password, policy);
    requireShortPassword(password, plugin.declaration.maxBytes);
    const request = { password, ...iterations(policy.hashIterations) };
    const hashed = await this.#callQueued(realm, plugin, (provider) => provider.hash(request));
    const credential = writeHashedPassword(plugin.id, hashed);
    await this.recordFormats(realm, [credential]);
    return credential;
  }

  /**
   * Verifies a password. `ok`: it is correct. `outdated`: it is correct, and should be rehashed under the realm's
   * policy.
   * @throws HostError `temporarily_unavailable` (503)
   */
  async verify(
    realm: Realm,
    password: string,
    credential: CredentialRepresentation,
  ): Promise<{ ok: boolean; outdated: boolean }> {
    const policy = passwordPolicyOf(realm);
    const plugin = this.#findPlugin(realm, algorithmOf(credential));
    const hashed = plugin && readHashedPassword(credential);
    if (plugin === undefined || hashed === undefined) {
      const isBuiltIn = HASH_ALGORITHMS.includes(policy.hashAlgorithm);
      const policyPlugin = this.#findPlugin(realm, policy.hashAlgorithm);
      const usesBuiltIn = isBuiltIn && policyPlugin === undefined;
      const result = await this.#parts.hasher.verify(
        realm.name,
        password,
        credential,
        usesBuiltIn ? policy : undefined,
      );
      return usesBuiltIn ? result : { ok: result.ok, outdated: result.ok && policyPlugin !== undefined };
    }
    const isUsable = password.length <= MAX_PASSWORD_LENGTH && !isMask(password);
    const request = { password: isUsable ? password : '', hashed };
    const isCorrect = await this.#callQueued(realm, plugin, (provider) => provider.verify(request));
    const ok = isCorrect && isUsable;
    return { ok, outdated: ok && (await this.#isOutdated(plugin, hashed, policy)) };
  }

  /**
   * Verifies a password at a login. A wrong one takes as long as an unknown user: a hash is computed in each format in
   * which the realm stores passwords.
   * @throws HostError `temporarily_unavailable` (503)
   */
  async verifyLogin(
    realm: Realm,
    password: string,
    credential: CredentialRepresentation,
  ): Promise<{ ok: boolean; outdated: boolean }> {
    await this.#parts.hasher.recordFormats(realm.name, [credential]);
    const result = await this.verify(realm, password, credential);
    if (!result.ok)
      await this.#hashInAllFormats(realm, password, hashFormatOf(credential) ?? this.#substituteFormat(realm));
    return result;
  }

  /** Takes as long as a failed login, for users that do not exist or have no password. */
  dummyVerify(realm: Realm, password: string): Promise<void> {
    return this.#hashInAllFormats(realm, password, undefined);
  }

  /** Stores the formats of imported passwords. */
  recordFormats(realm: Realm, credentials: readonly CredentialRepresentation[]): Promise<void> {
    return this.#parts.hasher.recordFormats(realm.name, credentials);
  }

  /**
   * Computes a hash in each format that the realm uses, so that all failed logins take the same time.
   * @param completed a format in which a hash was computed already
   */
  async #hashInAllFormats(realm: Realm, password: string, completed: HashFormat | undefined): Promise<void> {
    const policy = passwordPolicyOf(realm);
    const plugin = this.#hashProvider(realm, policy.hashAlgorithm);
    const { hashAlgorithm: algorithm, hashIterations } = policy;
    const policyFormat = plugin === undefined ? formatOf(policy) : { algorithm, hashIterations };
    const inUse = await this.#parts.hasher.formatsInUse(realm.name);
    // If the plugin's default iterations apply, the stored format has their actual number.
    const isDefault = plugin !== undefined && hashIterations < 0;
    const isStored = isDefault && inUse.some((format) => format.algorithm === algorithm);
    const formats = new Map([...(isStored ? [] : [policyFormat]), ...inUse].map((one) => [formatKeyOf(one), one]));
    if (completed !== undefined) formats.delete(formatKeyOf(completed));
    for (const format of formats.values()) {
      await this.#simulateVerify(realm, password, format).catch((error: unknown) => {
        // Formats other than the policy's may belong to a plugin that fails. Logins with other formats continue.
        if (format === policyFormat || !(error instanceof PasswordsUnavailableError)) throw error;
      });
    }
  }

  /** The format in which the hasher has computed a hash instead of that of an unreadable password. */
  #substituteFormat(realm: Realm): HashFormat {
    const policy = passwordPolicyOf(realm);
    const isBuiltIn = HASH_ALGORITHMS.includes(policy.hashAlgorithm) && !this.#findPlugin(realm, policy.hashAlgorithm);
    return formatOf(isBuiltIn ? policy : undefined);
  }

  async #simulateVerify(realm: Realm, password: string, format: HashFormat): Promise<void> {
    const plugin = this.#findPlugin(realm, format.algorithm);
    if (plugin === undefined) {
      if (isBuiltInFormat(format)) await this.#parts.hasher.simulateVerify(realm.name, password, format);
      return;
    }
    const request = {
      password: password.length > MAX_PASSWORD_LENGTH ? '' : password,
      ...iterations(format.hashIterations),
    };
    await this.#callQueued(realm, plugin, (provider) => provider.hash(request));
  }

  /** Calls a plugin's hash provider in the queue of the built-in hashes, because it uses the same threads and cores. */
  #callQueued<T>(realm: Realm, plugin: HashProvider, call: (provider: PasswordHashProvider) => Promise<T>): Promise<T> {
    return this.#parts.hasher.runQueued(realm.name, plugin.id, () => callProvider(plugin, call));
  }

  async #isOutdated(
    plugin: HashProvider,
    hashed: PasswordHashed,
    policy: { hashAlgorithm: string; hashIterations: number },
  ) {
    if (policy.hashAlgorithm !== plugin.id) return true;
    const requested = iterations(policy.hashIterations);
    return (
      plugin
        .call(async (provider) => {
          // A provider without `stale` returns undefined. This also holds for a provider in a worker.
          const isStale = await provider.stale?.({ hashed, ...requested });
          return isStale ?? (requested.iterations !== undefined && requested.iterations !== hashed.hashIterations);
        })
        // The password is correct, so a failure to check its format must not prevent the login.
        .catch(() => false)
    );
  }

  /** The algorithms that stored passwords of the realm may have. */
  algorithms(realm: Realm): readonly KnownDeclaration[] {
    return this.#parts.providers.all(realm, PasswordHash).map(({ id }) => ({ spi: PasswordHash.id, id }));
  }

  /**
   * The hash provider for new passwords; undefined: the built-in one.
   * @throws HostError `temporarily_unavailable` (503) if no plugin provides the algorithm
   */
  #hashProvider(realm: Realm, algorithm: string): HashProvider | undefined {
    const plugin = this.#findPlugin(realm, algorithm);
    if (plugin === undefined && !HASH_ALGORITHMS.includes(algorithm))
      throw new PasswordsUnavailableError(`there is no password-hashing/${algorithm}`);
    return plugin;
  }

  /** The plugin that provides an algorithm; undefined if it is built in or unknown. */
  #findPlugin(realm: Realm, algorithm: string | undefined): HashProvider | undefined {
    const found = algorithm === undefined ? undefined : this.#parts.providers.find(realm, PasswordHash, algorithm);
    return found?.builtin === false ? found : undefined;
  }
}

/** The value that a term's provider gets: the realm's, else its default. */
function policyValue(configured: string | number | undefined, { value, defaultValue }: PasswordPolicyDeclaration) {
  if (configured === undefined) return defaultValue;
  return value?.type === 'integer' ? Number(configured) : configured;
}

const exceedsBytes = (password: string, maxBytes = Number.POSITIVE_INFINITY) => Buffer.byteLength(password) > maxBytes;
const iterations = (number: number) => (number > 0 ? { iterations: number } : {});

/**
 * Calls a provider.
 * @throws HostError `temporarily_unavailable` (503) if a plugin fails, or a file of a built-in policy cannot be read. A
 * HostError of a built-in provider is passed on.
 */
async function callProvider<P, T>(provider: RealmProvider<unknown, P>, call: (provider: P) => Promise<T>): Promise<T> {
  try {
    return await provider.call(call);
  } catch (cause) {
    // The cause of a 503 is logged already.
    throw provider.builtin && cause instanceof HostError ? cause : new PasswordsUnavailableError(cause);
  }
}

/**
 * Thrown if passwords cannot be checked or hashed at the moment. The attempt then counts neither as successful nor as
 * failed.
 */
export class PasswordsUnavailableError extends HostError {
  override readonly name = 'PasswordsUnavailable';

  constructor(cause: unknown) {
    const options = retryOptions(5, cause);
    super('temporarily_unavailable', 'Passwords cannot be checked at the moment. Try again later.', options);
  }
}
