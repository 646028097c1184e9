import type { KeyObject } from 'node:crypto';
import { HostError } from '@keyhost/spi';
import type { ComponentRepresentation } from '../model/representation.js';
import { retryLater } from '../model/retry-later.js';
import { codeOf } from '../model/thrown.js';
import type { KeyRecord } from '../store/store.js';
import { signatureAlgorithm, useOf } from './algorithms.js';
import { isValidAt, type Validity, validityOf } from './certificate-validity.js';
import type { KeyPair } from './key-material.js';
import { describeKey, type PublicKeyInfo, publicJwk, sizeOfKey } from './public-key-info.js';
import { SigningKey } from './sign.js';
import type { VerifiedTokens } from './verified-tokens.js';
import { type JwtHeader, type KeyLookup, VerificationKey } from './verify.js';

const MAX_CACHED_HEADERS = 64;
const UNAVAILABLE = 'temporarily_unavailable';

/** A stored key whose material is decrypted and parsed. */
export interface OpenKey extends KeyPair {
  readonly record: Omit<KeyRecord, 'material'>;
}

/** A key whose private half a plugin holds. */
export interface RemoteKey {
  readonly record: Omit<KeyRecord, 'material'>;
  readonly publicKey: KeyObject;
  readonly certificate?: string;
  /** The realm's component that the key belongs to. */
  readonly component: ComponentRepresentation;
  /**
   * Signs the input of a JWS, and returns the signature as base64url.
   * @throws HostError `temporarily_unavailable` (503)
   */
  readonly sign: (input: string) => Promise<string>;
}

/** A key that encrypts and decrypts. */
export interface EncryptionKey extends KeyPair {
  readonly kid: string;
  readonly algorithm: string;
  /** The validity of its certificate; undefined without one. */
  readonly validity?: Validity | undefined;
}

/**
 * Generates, stores and opens the first key of an algorithm.
 * @param invalid kids of the algorithm's ACTIVE keys whose certificates are not valid
 */
type GenerateFirst = (algorithm: string, invalid: readonly string[]) => Promise<OpenKey>;
type OnInvalid = (kid: string, validity: Validity) => void;
type CertifiedKey = Pick<EncryptionKey, 'kid' | 'validity'>;

/** The keys of one realm, in memory. Get them from `KeyRing.realm` for each request, and do not store them. */
export class RealmKeys implements KeyLookup {
  readonly realm: string;
  readonly verified: VerifiedTokens;
  readonly #parts: { generate: GenerateFirst; verified: VerifiedTokens; now: () => number; onInvalid: OnInvalid };
  /** Kids of keys that were passed to `onInvalid`. */
  readonly #reported = new Set<string>();
  readonly #keys = new Map<string, OpenKey | RemoteKey>();
  readonly #verifiers = new Map<string, VerificationKey>();
  /** ACTIVE keys by algorithm, in signing order. */
  readonly #active = new Map<string, SigningKey[]>();
  readonly #decrypters = new Map<string, EncryptionKey>();
  readonly #encryptionKeys = new Map<string, EncryptionKey[]>();
  readonly #pendingGenerations = new Map<string, Promise<void>>();
  readonly #headers = new Map<string, JwtHeader>();
  readonly #jwksCache = new Map<string, Promise<Buffer>>();
  readonly #validities = new Map<string, Validity>();

  /**
   * @param parts.generate generates, stores and opens the first key of an algorithm
   * @param parts.verified cache of verified tokens of all realms
   * @param parts.now milliseconds since the epoch
   * @param parts.onInvalid called once for each ACTIVE key whose certificate is not valid
   */
  constructor(
    realm: string,
    keys: readonly (OpenKey | RemoteKey)[],
    parts: { generate: GenerateFirst; verified: VerifiedTokens; now: () => number; onInvalid: OnInvalid },
  ) {
    this.#parts = parts;
    this.realm = realm;
    this.verified = parts.verified;
    for (const key of [...keys].sort(bySigningOrder)) this.#addKey(key);
  }

  /**
   * The key that signs with this algorithm: the ACTIVE key with a valid certificate and the highest priority; among
   * equals, the newest. If there is none, one is generated and stored; concurrent callers get the same key.
   * @throws HostError `algorithm_unknown` (500), `temporarily_unavailable` (503) if a plugin that cannot be asked now
   * may hold the key
   */
  active(algorithm: string): SigningKey | Promise<SigningKey> {
    return this.#firstValid(this.#active.get(algorithm)) ?? this.#firstOrGenerate(algorithm, this.#active);
  }

  /**
   * The key that encrypts with this algorithm (`AES`, `RSA-OAEP`). It is found or generated like that of `active`.
   * @throws HostError `algorithm_unknown` (500)
   */
  encryption(algorithm: string): EncryptionKey | Promise<EncryptionKey> {
    return (
      this.#firstValid(this.#encryptionKeys.get(algorithm)) ?? this.#firstOrGenerate(algorithm, this.#encryptionKeys)
    );
  }

  /**
   * The ACTIVE or PASSIVE key with this kid, if it encrypts with this algorithm. Without a kid, the current encryption
   * key.
   */
  decrypter(kid: string | undefined, algorithm: string): EncryptionKey | undefined {
    if (kid === undefined) return this.#firstValid(this.#encryptionKeys.get(algorithm));
    const key = this.#decrypters.get(kid);
    return key?.algorithm === algorithm ? key : undefined;
  }

  /**
   * Generates a key for each of these algorithms that has none. Algorithms whose key a plugin may hold that cannot be
   * asked now are skipped.
   * @throws HostError `algorithm_unknown` (500)
   */
  async provide(algorithms: readonly string[]): Promise<void> {
    const provideKey = async (algorithm: string) => {
      try {
        await (useOf(algorithm) === 'enc' ? this.encryption(algorithm) : this.active(algorithm));
      } catch (error) {
        if (codeOf(error) !== UNAVAILABLE) throw error;
      }
    };
    await Promise.all(algorithms.map(provideKey));
  }

  /** The ACTIVE or PASSIVE key with exactly this kid, if it is bound to this algorithm. */
  verifier(kid: string, algorithm: string): VerificationKey | undefined {
    const key = this.#verifiers.get(kid);
    return key?.algorithm.name === algorithm ? key : undefined;
  }

  /** True if a key has this kid. Also true for a token without kid, because reloading the keys would not help. */
  has(kid: string | undefined): boolean {
    return kid === undefined || this.#keys.has(kid);
  }

  header(encoded: string): JwtHeader | undefined {
    return this.#headers.get(encoded);
  }

  /** Caches a parsed header. A realm signs only a few different headers: one for each key and `typ`. */
  keepHeader(encoded: string, header: JwtHeader): void {
    if (this.#headers.size < MAX_CACHED_HEADERS) this.#headers.set(encoded, Object.freeze(header));
  }

  /**
   * The JWKS document (RFC 7517 §5): ACTIVE and PASSIVE asymmetric keys. Signing keys come first; within an algorithm,
   * keys are in signing order. The buffer is the same object until a key changes.
   * @param algorithms the algorithms to publish; a missing key is generated first
   */
  jwks(algorithms: readonly string[]): Promise<Buffer> {
    const name = algorithms.join();
    const cached = this.#jwksCache.get(name);
    if (cached !== undefined) return cached;
    const document = this.#writeJwks(algorithms);
    this.#jwksCache.set(name, document);
    document.catch(() => this.#jwksCache.delete(name));
    return document;
  }

  /**
   * The `public_key` of the realm's root document: the signing key's SubjectPublicKeyInfo as base64, without PEM
   * armour.
   * @throws HostError `algorithm_unknown` (500), also for HMAC
   */
  async publicKeyOf(algorithm: string): Promise<string> {
    const { kid } = await this.active(algorithm);
    const key = this.#keys.get(kid)?.publicKey;
    if (key === undefined || key.type !== 'public') throw unknownAlgorithm(algorithm);
    return key.export({ format: 'der', type: 'spki' }).toString('base64');
  }

  /**
   * The keys without material, in signing order. As in Keycloak, an ACTIVE key whose certificate is not valid is listed
   * as PASSIVE: it verifies but does not sign.
   */
  list(): readonly Omit<KeyRecord, 'material'>[] {
    return [...this.#keys.values()].map(({ record, certificate }) =>
      record.status === 'ACTIVE' && !isValidAt(this.#validityOf(record.kid, certificate), this.#parts.now())
        ? { ...record, status: 'PASSIVE' }
        : record,
    );
  }

  /** The component of a key that a plugin holds; undefined for other keys. */
  componentOf(kid: string): ComponentRepresentation | undefined {
    const key = this.#keys.get(kid);
    return key !== undefined && 'sign' in key ? key.component : undefined;
  }

  /** The public half of a key; for a secret, only its type. */
  describe(kid: string): PublicKeyInfo | undefined {
    const key = this.#keys.get(kid);
    return key && describeKey(key);
  }

  /** The size of a key in bits, and its curve. */
  sizeOf(kid: string): ReturnType<typeof sizeOfKey> | undefined {
    const key = this.#keys.get(kid);
    return key && sizeOfKey(key);
  }

  /** The validity of a key's certificate, which is parsed once. */
  #validityOf(kid: string, certificate: string | undefined): Validity | undefined {
    if (certificate === undefined) return undefined;
    let validity = this.#validities.get(kid);
    if (validity === undefined) {
      validity = validityOf(certificate) as Validity;
      this.#validities.set(kid, validity);
    }
    return validity;
  }

  /** The first key whose certificate is valid now. Most keys have no certificate. */
  #firstValid<K extends CertifiedKey>(keys: readonly K[] = []): K | undefined {
    for (const key of keys) {
      if (key.validity === undefined || isValidAt(key.validity, this.#parts.now())) return key;
      if (this.#reported.has(key.kid)) continue;
      this.#reported.add(key.kid);
      this.#parts.onInvalid(key.kid, key.validity);
    }
    return undefined;
  }

  async #firstOrGenerate<K extends CertifiedKey>(
    algorithm: string,
    keysByAlgorithm: ReadonlyMap<string, readonly K[]>,
  ): Promise<K> {
    const invalid = (keysByAlgorithm.get(algorithm) ?? []).map(({ kid }) => kid);
    const pending = this.#pendingGenerations.get(algorithm) ?? this.#generateFirst(algorithm, invalid);
    this.#pendingGenerations.set(algorithm, pending);
    await pending.finally(() => this.#pendingGenerations.delete(algorithm));
    const key = this.#firstValid(keysByAlgorithm.get(algorithm));
    if (key === undefined) throw new HostError('key_unreadable', `realm ${this.realm} has no key for ${algorithm}`);
    return key;
  }

  async #generateFirst(algorithm: string, invalid: readonly string[]): Promise<void> {
    if (useOf(algorithm) === undefined) throw unknownAlgorithm(algorithm);
    this.#addKey(await this.#parts.generate(algorithm, invalid));
    this.#jwksCache.clear();
  }

  #addKey(key: OpenKey | RemoteKey): void {
    const { kid, use, status } = key.record;
    this.#keys.set(kid, key);
    if (status !== 'DISABLED' && use === 'enc' && 'privateKey' in key) this.#addEncryptionKey(key);
    const algorithm = signatureAlgorithm(key.record.algorithm);
    if (status === 'DISABLED' || use !== 'sig' || algorithm === undefined) return;
    this.#verifiers.set(kid, new VerificationKey(kid, algorithm, key.publicKey));
    if (status !== 'ACTIVE') return;
    const validity = this.#validityOf(kid, key.certificate);
    const signingKey =
      'sign' in key
        ? new SigningKey(kid, algorithm, key.publicKey, key.sign, validity)
        : new SigningKey(kid, algorithm, key.privateKey, undefined, validity);
    append(this.#active, algorithm.name, signingKey);
  }

  #addEncryptionKey({ record: { kid, algorithm, status }, publicKey, privateKey, certificate }: OpenKey): void {
    const key = { kid, algorithm, publicKey, privateKey, validity: this.#validityOf(kid, certificate) };
    this.#decrypters.set(kid, key);
    if (status === 'ACTIVE') append(this.#encryptionKeys, algorithm, key);
  }

  async #writeJwks(algorithms: readonly string[]): Promise<Buffer> {
    await this.provide(algorithms);
    const keys = [...this.#keys.values()]
      .filter(({ record, publicKey }) => record.status !== 'DISABLED' && publicKey.type === 'public')
      .sort(({ record: a }, { record: b }) => Number(a.use === 'enc') - Number(b.use === 'enc'))
      .map(({ record, publicKey, certificate }) => publicJwk({ ...record, publicKey, certificate }));
    return Buffer.from(JSON.stringify({ keys }));
  }
}

/** The error if a plugin's key cannot sign at the moment. */
export function keyUnavailable(): HostError {
  return retryLater(UNAVAILABLE, 'A key cannot sign at the moment. Try again later.', 5);
}

function unknownAlgorithm(algorithm: string): HostError {
  return new HostError('algorithm_unknown', `realm keys do not support the algorithm ${algorithm}`);
}

function append<K>(keys: Map<string, K[]>, algorithm: string, key: K): void {
  const list = keys.get(algorithm);
  if (list === undefined) keys.set(algorithm, [key]);
  else list.push(key);
}

/** Sorts ACTIVE keys first, then by priority, then newest first; the kid breaks ties. */
function bySigningOrder({ record: a }: OpenKey | RemoteKey, { record: b }: OpenKey | RemoteKey): number {
  return (
    Number(b.status === 'ACTIVE') - Number(a.status === 'ACTIVE') ||
    b.priority - a.priority ||
    b.createdAt - a.createdAt ||
    (a.kid < b.kid ? -1 : 1)
  );
}
