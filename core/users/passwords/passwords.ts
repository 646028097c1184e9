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
import { type HashFormat, hashFormatOf, isOwnFormat, keyOf } from './hash-formats.js';
import { MAX_PASSWORD_LENGTH, type PasswordHasher, refuseLong } from './password.js';
import { algorithmOf, formatOf, HASH_ALGORITHMS, readHashed, writeHashed } from './password-format.js';
import { policyOf } from './password-policy.js';

/** A password that breaks a rule: Keycloak's message key and its parameters. */
export interface PasswordViolation {
  readonly message: string;
  readonly parameters: readonly (string | number)[];
  /** The words of a plugin, by language. */
  readonly texts?: Readonly<Record<string, string>>;
}

type Hash = RealmProvider<PasswordHashDeclaration, PasswordHashProvider>;

/**
 * The passwords of realms, by providers: the kinds `password-policy` and `password-hashing`. Where a provider fails nobody gets
 * in, and no password is set.
 */
export class Passwords {
  readonly #hasher: PasswordHasher;
  readonly #providers: RealmProviders;

  constructor(parts: { readonly hasher: PasswordHasher; readonly providers: RealmProviders }) {
    this.#hasher = parts.hasher;
    this.#providers = parts.providers;
  }

  /**
   * The first rule of the realm's policy that a password breaks; undefined: it keeps all of them.
   * @throws HostError `temporarily_unavailable` (503) where a rule cannot be judged
   */
  async violation(realm: Realm, password: string, user: PasswordOwner): Promise<PasswordViolation | undefined> {
    const { terms, hashAlgorithm } = policyOf(realm);
    const maxBytes = this.#wanted(realm, hashAlgorithm)?.declaration.maxBytes;
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
   * A credential of type `password`, without `id` and `createdDate`, as the realm's policy wants it.
   * @throws HostError `password_too_long` (400), `temporarily_unavailable` (503)
   */
  async hash(realm: Realm, password: string): Promise<CredentialRepresentation> {
    const policy = policyOf(realm);
    const plugin = this.#wanted(realm, policy.hashAlgorithm);
    if (plugin === undefined) return this.#hasher.hash(realm.name, password, policy);
    refuseLong(password, plugin.declaration.maxBytes);
    const request = { password, ...iterations(policy.hashIterations) };
    const hashed = await this.#answerOf(realm, plugin, (provider) => provider.hash(request));
    const credential = writeHashed(plugin.id, hashed);
    await this.note(realm, [credential]);
    return credential;
  }

  /**
   * `ok`: the password is the credential's. `outdated`: it is, and should be hashed anew under the realm's policy.
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
   * Verifies a password of a login. A wrong one takes what an unknown user takes: the work of all formats in which the realm has
   * passwords.
   * @throws HostError `temporarily_unavailable` (503)
   */
  async verifyLogin(
    realm: Realm,
    password: string,
    credential: CredentialRepresentation,
  ): Promise<{ ok: boolean; outdated: boolean }> {
    await this.#hasher.note(realm.name, [credential]);
    const verdict = await this.verify(realm, password, credential);
    if (!verdict.ok) await this.#workOf(realm, password, hashFormatOf(credential) ?? this.#unreadable(realm));
    return verdict;
  }

  /** Does the work of a login that fails, for users that do not exist or have no password. */
  dummyVerify(realm: Realm, password: string): Promise<void> {
    return this.#workOf(realm, password, undefined);
  }

  /** Remembers in which formats passwords are stored that come as another system has stored them. */
  note(realm: Realm, credentials: readonly CredentialRepresentation[]): Promise<void> {
    return this.#hasher.note(realm.name, credentials);
  }

  /** @param done the format whose work is done */
  async #workOf(realm: Realm, password: string, done: HashFormat | undefined): Promise<void> {
    const policy = policyOf(realm);
    const plugin = this.#wanted(realm, policy.hashAlgorithm);
    const { hashAlgorithm: algorithm, hashIterations } = policy;
    const wanted = plugin === undefined ? formatOf(policy) : { algorithm, hashIterations };
    const inUse = await this.#hasher.formatsInUse(realm.name);
    // A plugin's own default is stored as what it is.
    const isDefault = plugin !== undefined && hashIterations < 0;
    const isStored = isDefault && inUse.some((one) => one.algorithm === algorithm);
    const formats = new Map([...(isStored ? [] : [wanted]), ...inUse].map((one) => [keyOf(one), one]));
    if (done !== undefined) formats.delete(keyOf(done));
    for (const format of formats.values()) {
      await this.#work(realm, password, format).catch((error: unknown) => {
        // Another format than the policy's may be that of a plugin that fails. Logins with others go on.
        if (format === wanted || !(error instanceof PasswordsUnavailable)) throw error;
      });
    }
  }

  /** The format whose work is done for a password that cannot be read. */
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

  /** A plugin's hash takes the threads and the cores of all realms, as the host's own do, and has its turn among them. */
  #answerOf<T>(realm: Realm, plugin: Hash, use: (provider: PasswordHashProvider) => Promise<T>): Promise<T> {
    return this.#hasher.inTurn(realm.name, plugin.id, () => answerOf(plugin, use));
  }

  async #isStale(plugin: Hash, hashed: PasswordHashed, policy: { hashAlgorithm: string; hashIterations: number }) {
    if (policy.hashAlgorithm !== plugin.id) return true;
    const wanted = iterations(policy.hashIterations);
    return (
      plugin
        .call(async (provider) => {
          // One that does not say so has no answer, in a worker too.
          const isStale = await provider.stale?.({ hashed, ...wanted });
          return isStale ?? (wanted.iterations !== undefined && wanted.iterations !== hashed.hashIterations);
        })
        // The password is right: whoever has it is not kept out by a hash that is as good as it was.
        .catch(() => false)
    );
  }

  /** The algorithms that stored passwords of the realm may have. */
  algorithms(realm: Realm): readonly KnownDeclaration[] {
    return this.#providers.all(realm, PasswordHash).map(({ id }) => ({ spi: PasswordHash.id, id }));
  }

  /** Who hashes new passwords; undefined: Keyhost itself. @throws HostError `temporarily_unavailable` (503) for nobody */
  #wanted(realm: Realm, algorithm: string): Hash | undefined {
    const plugin = this.#ofPlugin(realm, algorithm);
    if (plugin === undefined && !HASH_ALGORITHMS.includes(algorithm))
      throw new PasswordsUnavailable(`there is no password-hashing/${algorithm}`);
    return plugin;
  }

  /** The plugin that has an algorithm; undefined: Keyhost itself, or nobody. */
  #ofPlugin(realm: Realm, algorithm: string | undefined): Hash | undefined {
    const found = algorithm === undefined ? undefined : this.#providers.find(realm, PasswordHash, algorithm);
    return found?.builtin === false ? found : undefined;
  }
}

/** The value that a policy's provider is called with. */
function policyValue(stated: string | number | undefined, { value, defaultValue }: PasswordPolicyDeclaration) {
  if (stated === undefined) return defaultValue;
  return value?.type === 'integer' ? Number(stated) : stated;
}

const isOver = (password: string, maxBytes = Number.POSITIVE_INFINITY) => Buffer.byteLength(password) > maxBytes;
const iterations = (number: number) => (number > 0 ? { iterations: number } : {});

/**
 * @throws HostError `temporarily_unavailable` (503) where a plugin fails, or a file of Keyhost's own policy cannot be read; what
 * Keyhost's own refuse with
 */
async function answerOf<P, T>(provider: RealmProvider<unknown, P>, use: (provider: P) => Promise<T>): Promise<T> {
  try {
    return await provider.call(use);
  } catch (cause) {
    // The log has the cause of a 503.
    throw provider.builtin && cause instanceof HostError ? cause : new PasswordsUnavailable(cause);
  }
}

/** Nobody can judge or hash a password at the moment: neither is it right, nor is a guess counted. */
export class PasswordsUnavailable extends HostError {
  override readonly name = 'PasswordsUnavailable';

  constructor(cause: unknown) {
    const options = { status: 503, expose: true, headers: { 'retry-after': '5' }, cause };
    super('temporarily_unavailable', 'Passwords cannot be checked at the moment. Try again later.', options);
  }
}
