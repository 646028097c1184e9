import { didYouMean } from '../config/did-you-mean.js';
import { AES_BYTES, RSA_BITS, SECRET_BYTES } from '../model/key-sizes.js';
import type { ComponentRepresentation } from '../model/representation.js';
import type { KeyStatus } from '../store/store.js';
import { AES, ECDH_ALGORITHMS, keyTypeOf } from './algorithms.js';
import { generateKey, type KeyMaker } from './key-material.js';
import { KeyRefused } from './key-refused.js';
import type { KeyRecordDraft } from './key-ring.js';
import { type Config, keyState, readKey, requireAlgorithm } from './read-key.js';

/** The type of key components. */
export const KEY_PROVIDER = 'org.keycloak.keys.KeyProvider';
export const PROVIDER_ID = 'providerId';
const JAVA_KEYSTORE = 'java-keystore';

interface KeySource {
  readonly use: 'sig' | 'enc';
  readonly algorithm: (config: Config) => string;
  /** Only for algorithms that do not determine the curve. */
  readonly curve?: (config: Config) => string;
  readonly privateKey: string;
  /** True if a component without key material requests a new key, which is generated on first use. */
  readonly isGenerated: boolean;
}

/** A key provider of Keycloak. */
interface KeyProvider {
  /**
   * The config members with key material, or with the way to it. A caller who can send one of them can know the key.
   */
  readonly material: readonly string[];
  /** Absent if Keyhost does not use the key, or cannot read it. */
  readonly source?: KeySource;
}

const configuredAlgorithm =
  (fallback: string) =>
  (config: Config): string =>
    config('algorithm') ?? fallback;
const CURVE_ALGORITHMS: Readonly<Record<string, string>> = { 'P-256': 'ES256', 'P-384': 'ES384', 'P-521': 'ES512' };
const ecdsaAlgorithm = (config: Config): string =>
  String(CURVE_ALGORITHMS[requireCurve(config('ecdsaEllipticCurveKey') ?? 'P-256', 'ecdsaEllipticCurveKey')]);

/** The encryption algorithm of an RSA key. */
function rsaEncryptionAlgorithm(config: Config): string {
  const algorithm = config('algorithm') ?? 'RSA-OAEP';
  return ECDH_ALGORITHMS.includes(algorithm) ? rejectAlgorithm(algorithm, 'algorithm') : algorithm;
}

/** The encryption algorithm of an elliptic-curve key. */
function requireEcdhAlgorithm(algorithm: string): string {
  return ECDH_ALGORITHMS.includes(algorithm) ? algorithm : rejectAlgorithm(algorithm, 'ecdhAlgorithm');
}

function rejectAlgorithm(algorithm: string, field: string): never {
  throw new KeyRefused(`the algorithm ${JSON.stringify(algorithm)} is not supported`, field);
}

function requireCurve(curve: string, field: string): string {
  if (!Object.hasOwn(CURVE_ALGORITHMS, curve)) throw new KeyRefused(`unknown curve ${curve}`, field);
  return curve;
}

const keyProvider = (source: KeySource): KeyProvider => ({ source, material: [source.privateKey] });

/** All built-in key providers. No other place defines which config members contain key material. */
const PROVIDERS: Readonly<Record<string, KeyProvider>> = {
  rsa: keyProvider({
    use: 'sig',
    algorithm: configuredAlgorithm('RS256'),
    privateKey: 'privateKey',
    isGenerated: false,
  }),
  'rsa-generated': keyProvider({
    use: 'sig',
    algorithm: configuredAlgorithm('RS256'),
    privateKey: 'privateKey',
    isGenerated: true,
  }),
  'rsa-enc': keyProvider({
    use: 'enc',
    algorithm: rsaEncryptionAlgorithm,
    privateKey: 'privateKey',
    isGenerated: false,
  }),
  'rsa-enc-generated': keyProvider({
    use: 'enc',
    algorithm: rsaEncryptionAlgorithm,
    privateKey: 'privateKey',
    isGenerated: true,
  }),
  'ecdsa-generated': keyProvider({
    use: 'sig',
    algorithm: ecdsaAlgorithm,
    privateKey: 'ecdsaPrivateKey',
    isGenerated: true,
  }),
  'eddsa-generated': keyProvider({
    use: 'sig',
    algorithm: () => 'EdDSA',
    privateKey: 'eddsaPrivateKey',
    isGenerated: true,
  }),
  'hmac-generated': keyProvider({
    use: 'sig',
    algorithm: configuredAlgorithm('HS256'),
    privateKey: 'secret',
    isGenerated: true,
  }),
  'aes-generated': keyProvider({ use: 'enc', algorithm: () => AES, privateKey: 'secret', isGenerated: true }),
  'ecdh-generated': keyProvider({
    use: 'enc',
    algorithm: (config) => requireEcdhAlgorithm(config('ecdhAlgorithm') ?? 'ECDH-ES'),
    curve: (config) => requireCurve(config('ecdhEllipticCurveKey') ?? 'P-256', 'ecdhEllipticCurveKey'),
    privateKey: 'ecdhPrivateKey',
    isGenerated: true,
  }),
  'java-keystore': { material: ['keystore', 'keystorePassword', 'keyPassword'] },
};

/** The IDs of the key providers. */
export const KEY_PROVIDER_IDS: readonly string[] = Object.keys(PROVIDERS);

/** True if the provider is built in; false for a plugin's or an unknown one. */
export function isBuiltInKeyProvider({ providerId }: Pick<ComponentRepresentation, 'providerId'>): boolean {
  return Object.hasOwn(PROVIDERS, providerId);
}

/** The config members of all key providers that contain key material. */
export const KEY_MATERIAL: ReadonlySet<string> = new Set(Object.values(PROVIDERS).flatMap(({ material }) => material));

/** The config members of this key provider that contain key material; empty for an unknown provider. */
export function keyMaterialOf(providerId: string): readonly string[] {
  return Object.hasOwn(PROVIDERS, providerId) ? (PROVIDERS[providerId]?.material ?? []) : [];
}

/** True if the component's key can be generated. Otherwise the component is useless without its private key. */
export function isGeneratedKey({ providerId }: ComponentRepresentation): boolean {
  if (!Object.hasOwn(PROVIDERS, providerId) || providerId === JAVA_KEYSTORE) return false;
  return PROVIDERS[providerId]?.source?.isGenerated !== false;
}

/**
 * Reads the key that a component contains.
 * @param now milliseconds since the epoch, for `createdAt`
 * @returns undefined if the component requests a new key, if its key is unused on this host, or if its provider is a
 * plugin's
 * @throws KeyRefused
 */
export function keyOfComponent(component: ComponentRepresentation, now: number): KeyRecordDraft | undefined {
  const source = sourceOf(component);
  if (source === undefined) return undefined;
  const config = configOf(component);
  if (config(source.privateKey) === undefined) {
    if (source.isGenerated) return undefined;
    throw new KeyRefused(`${source.privateKey} is missing`, source.privateKey);
  }
  const { use, algorithm } = purposeIn(source, config);
  return readKey({ config, algorithm, use, field: source.privateKey, curve: source.curve?.(config), now });
}

/**
 * Generates the key that a component requests. `keySize` is in bits for RSA; `secretSize` is in bytes.
 * @param now milliseconds since the epoch, for `createdAt`
 * @returns undefined for a component whose key is unused on this host
 * @throws KeyRefused
 */
export async function newKeyOfComponent(
  component: ComponentRepresentation,
  now: number,
  makeKey: KeyMaker = generateKey,
): Promise<KeyRecordDraft | undefined> {
  const request = requestedKey(component);
  if (request === undefined) return undefined;
  const { use, algorithm, curve, state, ...size } = request;
  const { kid, material } = await makeKey(keyTypeOf(algorithm, curve), size);
  return { kid, use, algorithm, ...state, createdAt: now, material: JSON.stringify(material) };
}

/**
 * The parameters of the key that a component requests.
 * @returns undefined for a component whose key is unused on this host
 * @throws KeyRefused if the key cannot be generated
 */
export function requestedKey(component: ComponentRepresentation) {
  const source = sourceOf(component);
  if (source === undefined) return undefined;
  const config = configOf(component);
  const { use, algorithm } = purposeIn(source, config);
  requireAlgorithm(use, algorithm);
  const edwards = config('eddsaEllipticCurveKey') ?? 'Ed25519';
  if (edwards !== 'Ed25519') throw new KeyRefused(`the curve ${edwards} is not supported`, 'eddsaEllipticCurveKey');
  const bits = sizeOf(config, 'keySize', RSA_BITS);
  const bytes = sizeOf(config, 'secretSize', algorithm === AES ? AES_BYTES : SECRET_BYTES);
  return { use, algorithm, curve: source.curve?.(config), state: keyState(config), bits, bytes };
}

/**
 * The use and algorithm of a component's key.
 * @returns undefined if the key is unused on this host
 * @throws KeyRefused
 */
export function purposeOf(component: ComponentRepresentation): { use: 'sig' | 'enc'; algorithm: string } | undefined {
  const source = sourceOf(component);
  return source && purposeIn(source, configOf(component));
}

/**
 * The use and algorithm of a key. Before `rsa-enc-generated` existed, `keyUse` of `rsa-generated` distinguished the
 * uses. Each realm of Keycloak 13 to 15 has an encryption key of this kind, without an algorithm.
 */
function purposeIn(source: KeySource, config: Config): { use: 'sig' | 'enc'; algorithm: string } {
  const isEncryption = source.use === 'sig' && config('keyUse')?.toLowerCase() === 'enc';
  if (isEncryption) return { use: 'enc', algorithm: config('algorithm') ?? 'RSA-OAEP' };
  return { use: source.use, algorithm: source.algorithm(config) };
}

/**
 * The status and priority of a component's key.
 * @throws KeyRefused
 */
export function stateOf(component: ComponentRepresentation): { status: KeyStatus; priority: number } {
  return keyState(configOf(component));
}

function sourceOf({ providerId }: ComponentRepresentation): KeySource | undefined {
  if (providerId === JAVA_KEYSTORE) {
    throw new KeyRefused('keys in Java keystores are not supported: use an rsa component with privateKey');
  }
  return Object.hasOwn(PROVIDERS, providerId) ? PROVIDERS[providerId]?.source : undefined;
}

/**
 * Checks that a component's provider exists.
 * @param plugins IDs of the plugins' key providers
 * @throws KeyRefused for an unknown provider
 */
export function requireKeyProvider({ providerId }: ComponentRepresentation, plugins: readonly string[]): void {
  const knownIds = [...KEY_PROVIDER_IDS, ...plugins];
  if (knownIds.includes(providerId)) return;
  const message = `unknown key provider ${JSON.stringify(providerId)}`;
  throw new KeyRefused(message, PROVIDER_ID, didYouMean(providerId, knownIds));
}

function configOf(component: ComponentRepresentation): Config {
  return (key) => {
    const value = component.config?.[key]?.[0];
    return value === undefined || value === '' ? undefined : value;
  };
}

function sizeOf(config: Config, key: string, allowed: readonly number[]): number | undefined {
  const text = config(key);
  if (text === undefined) return undefined;
  if (!allowed.includes(Number(text))) throw new KeyRefused(`${key} must be one of ${allowed.join(', ')}`, key);
  return Number(text);
}
