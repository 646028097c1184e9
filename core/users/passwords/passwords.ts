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
import { type HashFormat, hashFormatOf, isOwnFormat, keyOf } from './hash-formats.js';
import { MAX_PASSWORD_LENGTH, type PasswordHasher, requireShortPassword } from './password.js';
import { algorithmOf, formatOf, HASH_ALGORITHMS, readHashed, writeHashed } from './password-format.js';
import { policyOf } from './password-policy.js';

/** A violated rule: Keycloak's message key and its parameters. */
export interface PasswordViolation {
  readonly message: string;
  readonly parameters: readonly (string | number)[];
  /** The plugin's texts, by language. */
  readonly texts?: Readonly<Record<string, string>>;
}

type Hash = RealmProvider<PasswordHashDeclaration, PasswordHashProvider>;

/**
 * The passwords of realms, checked and hashed by providers of the SPIs `password-policy` and `password-hashing`. If a
 * provider fails, logins and new passwords fail.
 */
export class Passwords {
  readonly #hasher: PasswordHasher;
  readonly #providers: RealmProviders;

  constructor(parts: { readonly hasher: PasswordHasher; readonly providers: RealmProviders }) {
    this.#hasher = parts.hasher;
    this.#providers = parts.providers;
  }

  /**
   * The first rule of the realm's policy that a password violates; undefined if there is none.
   * @throws HostError `temporarily_unavailable` (503) if a rule cannot be checked
   */
  async violation(realm: Realm, password: string, user: PasswordOwner): Promise<PasswordViolation | undefined> {
    const { terms, hashAlgorithm } = policyOf(realm);
    const maxBytes = this.#hashProvider(realm, hashAlgorithm)?.declaration.maxBytes;
    if (isOver(password, maxBytes)) return { message: 'invalidPasswordMaxLengthMessage', parameters: [maxBytes ?? 0] };
    for (const { id, value } of terms) {
      const provider = this.#providers.find(realm, PasswordPolicy, id);
      if (provider === undefined) throw new PasswordsUnavailable(`there is no password-policy/${id}`);
      const request = { password, user, ...defined({ value: policyValue(value, provider.declaration) }) };
      const broken = await answerOf(provider, (policy) => policy.check(request));
      if (broken !== undefined) {
        return { message: broken.key, parameters: broken.params ?? [], ...defined({ texts: broken.texts }) };
      }
    }
    return undefined;
  }

  /**
   * Returns a credential of type `password`, without `id` and `createdDate`, hashed by the realm's policy.
   * @throws HostError `password_too_long` (400), `temporarily_unavailable` (503)
   */
  async hash(realm: Realm, password: string): Promise<CredentialRepresentation> {
    const policy = policyOf(realm);
    const plugin = this.#hashProvider(realm, policy.hashAlgorithm);
    if (plugin === undefined) return this.#hasher.hash(realm.name, password, policy);
    requireShortPassword(password, plugin.declaration.maxBytes);
    const request = { password, ...iterations(policy.hashIterations) };
    const hashed = await this.#answerOf(realm, plugin, (provider) => provider.hash(request));
    const credential = writeHashed(plugin.id, hashed);
    await this.note(realm, [credential]);
    return credential;
  }

  /**
   * `ok`: the password is right. `outdated`: it is right, and should be rehashed under the realm's policy.
   * @throws HostError `temporarily_unavailable` (503)
   */
  async verify(
    realm: Realm,
    password: string,
    credential: CredentialRepresentation,
  ): Promise<{ ok: boolean; outdated: boolean }> {
    const policy = policyOf(realm);
    const plugin = this.#ofPlugin(realm, algorithmOf(credential));
    const hashed = plugin && readHashed(credential);
    if (plugin === undefined || hashed === undefined) {
      const isOwn = HASH_ALGORITHMS.includes(policy.hashAlgorithm);
      const wanted = this.#ofPlugin(realm, policy.hashAlgorithm);
      const isPlain = isOwn && wanted === undefined;
      const verdict = await this.#hasher.verify(realm.name, password, credential, isPlain ? policy : undefined);
      return isPlain ? verdict : { ok: verdict.ok, outdated: verdict.ok && wanted !== undefined };
    }
    const isUsable = password.length <= MAX_PASSWORD_LENGTH && !isMask(password);
    const request = { password: isUsable ? password : '', hashed };
    const isRight = await this.#answerOf(realm, plugin, (provider) => provider.verify(request));
    const ok = isRight && isUsable;
    return { ok, outdated: ok && (await this.#isStale(plugin, hashed, policy)) };
  }

  /**
   * Verifies a password of a login. A wrong one takes as long as an unknown user: the work of all formats in which the
   * realm stores passwords.
   * @throws HostError `temporarily_unavailable` (503)
   */
  async verifyLogin(
    realm: Realm,
    password: string,
    credential: CredentialRepresentation,
  ): Promise<{ ok: boolean; outdated: boolean }> {
    await this.#hasher.note(realm.name, [credential]);
    const verdict = await this.verify(realm, password, credential);
    if (!verdict.ok)
      await this.#doWorkOfFailedLogin(realm, password, hashFormatOf(credential) ?? this.#unreadable(realm));
    return verdict;
  }

  /** Does the work of a failed login, for users that do not exist or have no password. */
  dummyVerify(realm: Realm, password: string): Promise<void> {
    return this.#doWorkOfFailedLogin(realm, password, undefined);
  }

  /** Stores the formats of imported passwords. */
  note(realm: Realm, credentials: readonly CredentialRepresentation[]): Promise<void> {
    return this.#hasher.note(realm.name, credentials);
  }

  /** @param done a format whose work is done already */
  async #doWorkOfFailedLogin(realm: Realm, password: string, done: HashFormat | undefined): Promise<void> {
    const policy = policyOf(realm);
    const plugin = this.#hashProvider(realm, policy.hashAlgorithm);
    const { hashAlgorithm: algorithm, hashIterations } = policy;
    const wanted = plugin === undefined ? formatOf(policy) : { algorithm, hashIterations };
    const inUse = await this.#hasher.formatsInUse(realm.name);
    // With a plugin's default iterations, the stored format has their actual number.
    const isDefault = plugin !== undefined && hashIterations < 0;
    const isStored = isDefault && inUse.some((one) => one.algorithm === algorithm);
    const formats = new Map([...(isStored ? [] : [wanted]), ...inUse].map((one) => [keyOf(one), one]));
    if (done !== undefined) formats.delete(keyOf(done));
    for (const format of formats.values()) {
      await this.#work(realm, password, format).catch((error: unknown) => {
        // Formats other than the policy's may belong to a plugin that fails. Logins with other formats continue.
        if (format === wanted || !(error instanceof PasswordsUnavailable)) throw error;
      });
    }
  }

  /** The format whose work replaces that of an unreadable password. */
  #unreadable(realm: Realm): HashFormat {
    const policy = policyOf(realm);
    const isOwn = HASH_ALGORITHMS.includes(policy.hashAlgorithm) && !this.#ofPlugin(realm, policy.hashAlgorithm);
    return formatOf(isOwn ? policy : undefined);
  }

  async #work(realm: Realm, password: string, format: HashFormat): Promise<void> {
    const plugin = this.#ofPlugin(realm, format.algorithm);
    if (plugin === undefined) {
      if (isOwnFormat(format)) await this.#hasher.work(realm.name, password, format);
      return;
    }
    const request = {
      password: password.length > MAX_PASSWORD_LENGTH ? '' : password,
      ...iterations(format.hashIterations),
    };
    await this.#answerOf(realm, plugin, (provider) => provider.hash(request));
  }

  /** A plugin's hash uses the threads and cores of all realms, so it waits in the same queue as the built-in ones. */
  #answerOf<T>(realm: Realm, plugin: Hash, use: (provider: PasswordHashProvider) => Promise<T>): Promise<T> {
    return this.#hasher.inTurn(realm.name, plugin.id, () => answerOf(plugin, use));
  }

  async #isStale(plugin: Hash, hashed: PasswordHashed, policy: { hashAlgorithm: string; hashIterations: number }) {
    if (policy.hashAlgorithm !== plugin.id) return true;
    const wanted = iterations(policy.hashIterations);
    return (
      plugin
        .call(async (provider) => {
          // A provider without `stale` returns undefined, also in a worker.
          const isStale = await provider.stale?.({ hashed, ...wanted });
          return isStale ?? (wanted.iterations !== undefined && wanted.iterations !== hashed.hashIterations);
        })
        // The password is right, so a failure to check its age must not prevent the login.
        .catch(() => false)
    );
  }

  /** The algorithms that stored passwords of the realm may have. */
  algorithms(realm: Realm): readonly KnownDeclaration[] {
    return this.#providers.all(realm, PasswordHash).map(({ id }) => ({ spi: PasswordHash.id, id }));
  }

  /**
   * The hash provider for new passwords; undefined: the built-in one. @throws HostError `temporarily_unavailable` (503)
   * if no plugin provides the algorithm
   */
  #hashProvider(realm: Realm, algorithm: string): Hash | undefined {
    const plugin = this.#ofPlugin(realm, algorithm);
    if (plugin === undefined && !HASH_ALGORITHMS.includes(algorithm))
      throw new PasswordsUnavailable(`there is no password-hashing/${algorithm}`);
    return plugin;
  }

  /** The plugin that provides an algorithm; undefined if it is built in or unknown. */
  #ofPlugin(realm: Realm, algorithm: string | undefined): Hash | undefined {
    const found = algorithm === undefined ? undefined : this.#providers.find(realm, PasswordHash, algorithm);
    return found?.builtin === false ? found : undefined;
  }
}

/** The value that a policy's provider gets. */
function policyValue(stated: string | number | undefined, { value, defaultValue }: PasswordPolicyDeclaration) {
  if (stated === undefined) return defaultValue;
  return value?.type === 'integer' ? Number(stated) : stated;
}

const isOver = (password: string, maxBytes = Number.POSITIVE_INFINITY) => Buffer.byteLength(password) > maxBytes;
const iterations = (number: number) => (number > 0 ? { iterations: number } : {});

/**
 * @throws HostError `temporarily_unavailable` (503) if a plugin fails, or a file of a built-in policy cannot be read;
 * refusals of built-in providers
 */
async function answerOf<P, T>(provider: RealmProvider<unknown, P>, use: (provider: P) => Promise<T>): Promise<T> {
  try {
    return await provider.call(use);
  } catch (cause) {
    // The cause of a 503 is logged already.
    throw provider.builtin && cause instanceof HostError ? cause : new PasswordsUnavailable(cause);
  }
}

/** Passwords cannot be checked or hashed at the moment: the answer neither counts as right nor as a failed attempt. */
export class PasswordsUnavailable extends HostError {
  override readonly name = 'PasswordsUnavailable';

  constructor(cause: unknown) {
    const options = retryOptions(5, cause);
    super('temporarily_unavailable', 'Passwords cannot be checked at the moment. Try again later.', options);
  }
}
