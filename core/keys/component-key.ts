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
  /** A component without key material requests a new key, which is generated on first use. */
  readonly generated: boolean;
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

const asStated =
  (fallback: string) =>
  (config: Config): string =>
    config('algorithm') ?? fallback;
const CURVE_ALGORITHMS: Readonly<Record<string, string>> = { 'P-256': 'ES256', 'P-384': 'ES384', 'P-521': 'ES512' };
const byCurve = (config: Config): string =>
  String(CURVE_ALGORITHMS[requireCurve(config('ecdsaEllipticCurveKey') ?? 'P-256', 'ecdsaEllipticCurveKey')]);

/** The encryption algorithm of an RSA key. */
function byRsa(config: Config): string {
  const algorithm = config('algorithm') ?? 'RSA-OAEP';
  return ECDH_ALGORITHMS.includes(algorithm) ? notFor(algorithm, 'algorithm') : algorithm;
}

/** The encryption algorithm of an elliptic-curve key. */
function agreed(algorithm: string): string {
  return ECDH_ALGORITHMS.includes(algorithm) ? algorithm : notFor(algorithm, 'ecdhAlgorithm');
}

function notFor(algorithm: string, field: string): never {
  throw new KeyRefused(`the algorithm ${JSON.stringify(algorithm)} is not supported`, field);
}

function requireCurve(curve: string, field: string): string {
  if (!Object.hasOwn(CURVE_ALGORITHMS, curve)) throw new KeyRefused(`unknown curve ${curve}`, field);
  return curve;
}

const provider = (source: KeySource): KeyProvider => ({ source, material: [source.privateKey] });

/** All key providers that a realm may name. This is the only place that defines which members are key material. */
const PROVIDERS: Readonly<Record<string, KeyProvider>> = {
  rsa: provider({ use: 'sig', algorithm: asStated('RS256'), privateKey: 'privateKey', generated: false }),
  'rsa-generated': provider({ use: 'sig', algorithm: asStated('RS256'), privateKey: 'privateKey', generated: true }),
  'rsa-enc': provider({ use: 'enc', algorithm: byRsa, privateKey: 'privateKey', generated: false }),
  'rsa-enc-generated': provider({
    use: 'enc',
    algorithm: byRsa,
    privateKey: 'privateKey',
    generated: true,
  }),
  'ecdsa-generated': provider({ use: 'sig', algorithm: byCurve, privateKey: 'ecdsaPrivateKey', generated: true }),
  'eddsa-generated': provider({ use: 'sig', algorithm: () => 'EdDSA', privateKey: 'eddsaPrivateKey', generated: true }),
  'hmac-generated': provider({ use: 'sig', algorithm: asStated('HS256'), privateKey: 'secret', generated: true }),
  'aes-generated': provider({ use: 'enc', algorithm: () => AES, privateKey: 'secret', generated: true }),
  'ecdh-generated': provider({
    use: 'enc',
    algorithm: (config) => agreed(config('ecdhAlgorithm') ?? 'ECDH-ES'),
    curve: (config) => requireCurve(config('ecdhEllipticCurveKey') ?? 'P-256', 'ecdhEllipticCurveKey'),
    privateKey: 'ecdhPrivateKey',
    generated: true,
  }),
  'java-keystore': { material: ['keystore', 'keystorePassword', 'keyPassword'] },
};

/** The IDs of the key providers. */
export const KEY_PROVIDER_IDS: readonly string[] = Object.keys(PROVIDERS);

/** False for a plugin's provider or an unknown one. */
export function isOwnKeyProvider({ providerId }: Pick<ComponentRepresentation, 'providerId'>): boolean {
  return Object.hasOwn(PROVIDERS, providerId);
}

/** The config members of key components that hold key material, of all providers. */
export const KEY_MATERIAL: ReadonlySet<string> = new Set(Object.values(PROVIDERS).flatMap(({ material }) => material));

/** The config members of this key provider that hold key material; empty for an unknown provider. */
export function keyMaterialOf(providerId: string): readonly string[] {
  return Object.hasOwn(PROVIDERS, providerId) ? (PROVIDERS[providerId]?.material ?? []) : [];
}

/** False for a component that is useless without its private key. */
export function isGeneratedKey({ providerId }: ComponentRepresentation): boolean {
  if (!Object.hasOwn(PROVIDERS, providerId) || providerId === JAVA_KEYSTORE) return false;
  return PROVIDERS[providerId]?.source?.generated !== false;
}

/**
 * The key in a component.
 * @param now milliseconds: `createdAt`
 * @returns undefined for a component that requests a new key, whose key is unused here, or whose provider is a plugin's
 * @throws KeyRefused
 */
export function keyOfComponent(component: ComponentRepresentation, now: number): KeyRecordDraft | undefined {
  const source = sourceOf(component);
  if (source === undefined) return undefined;
  const config = configOf(component);
  if (config(source.privateKey) === undefined) {
    if (source.generated) return undefined;
    throw new KeyRefused(`${source.privateKey} is missing`, source.privateKey);
  }
  const { use, algorithm } = purpose(source, config);
  return readKey({ config, algorithm, use, field: source.privateKey, curve: source.curve?.(config), now });
}

/**
 * Generates the key that a component requests: `keySize` in bits for RSA, `secretSize` in bytes for secrets.
 * @param now milliseconds: `createdAt`
 * @returns undefined for a component whose key is unused here
 * @throws KeyRefused
 */
export async function newKeyOfComponent(
  component: ComponentRepresentation,
  now: number,
  makeKey: KeyMaker = generateKey,
): Promise<KeyRecordDraft | undefined> {
  const asked = requestedKey(component);
  if (asked === undefined) return undefined;
  const { use, algorithm, curve, state, ...size } = asked;
  const { kid, material } = await makeKey(keyTypeOf(algorithm, curve), size);
  return { kid, use, algorithm, ...state, createdAt: now, material: JSON.stringify(material) };
}

/**
 * The parameters of the key that a component requests.
 * @returns undefined for a component whose key is unused here
 * @throws KeyRefused if the key cannot be generated
 */
export function requestedKey(component: ComponentRepresentation) {
  const source = sourceOf(component);
  if (source === undefined) return undefined;
  const config = configOf(component);
  const { use, algorithm } = purpose(source, config);
  requireAlgorithm(use, algorithm);
  const edwards = config('eddsaEllipticCurveKey') ?? 'Ed25519';
  if (edwards !== 'Ed25519') throw new KeyRefused(`the curve ${edwards} is not supported`, 'eddsaEllipticCurveKey');
  const bits = sizeOf(config, 'keySize', RSA_BITS);
  const bytes = sizeOf(config, 'secretSize', algorithm === AES ? AES_BYTES : SECRET_BYTES);
  return { use, algorithm, curve: source.curve?.(config), state: keyState(config), bits, bytes };
}

/** The use and algorithm of a component's key. @returns undefined if it is unused here @throws KeyRefused */
export function purposeOf(component: ComponentRepresentation): { use: 'sig' | 'enc'; algorithm: string } | undefined {
  const source = sourceOf(component);
  return source && purpose(source, configOf(component));
}

/**
 * Before `rsa-enc-generated` existed, keyUse of `rsa-generated` distinguished the use of keys. Each realm of Keycloak
 * 13 to 15 has an encryption key of this kind, without an algorithm.
 */
function purpose(source: KeySource, config: Config): { use: 'sig' | 'enc'; algorithm: string } {
  const encrypts = source.use === 'sig' && config('keyUse')?.toLowerCase() === 'enc';
  if (encrypts) return { use: 'enc', algorithm: config('algorithm') ?? 'RSA-OAEP' };
  return { use: source.use, algorithm: source.algorithm(config) };
}

/** The state of a component's key. @throws KeyRefused */
export function stateOf(component: ComponentRepresentation): { status: KeyStatus; priority: number } {
  return keyState(configOf(component));
}

function sourceOf({ providerId }: ComponentRepresentation): KeySource | undefined {
  if (providerId === JAVA_KEYSTORE) {
    throw new KeyRefused('keys in Java keystores are not supported: use an rsa component with privateKey');
  }
  return Object.hasOwn(PROVIDERS, providerId) ? PROVIDERS[providerId]?.source : undefined;
}

/** @param plugins IDs of the plugins' key providers @throws KeyRefused for an unknown provider */
export function requireKeyProvider({ providerId }: ComponentRepresentation, plugins: readonly string[]): void {
  const known = [...KEY_PROVIDER_IDS, ...plugins];
  if (known.includes(providerId)) return;
  const message = `unknown key provider ${JSON.stringify(providerId)}`;
  throw new KeyRefused(message, PROVIDER_ID, didYouMean(providerId, known));
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
