import { didYouMean } from '../config/did-you-mean.js';
import { AES_BYTES, RSA_BITS, SECRET_BYTES } from '../model/key-sizes.js';
import type { ComponentRepresentation } from '../model/representation.js';
import type { KeyStatus } from '../store/store.js';
import { AES, ECDH_ALGORITHMS, keyTypeOf } from './algorithms.js';
import { generateKey, type KeyMaker } from './key-material.js';
import { KeyRefused } from './key-refused.js';
import type { KeyRecordDraft } from './key-ring.js';
import { type Config, keyState, readKey, requireAlgorithm } from './read-key.js';

/** The type of the components that stand for keys. */
export const KEY_PROVIDER = 'org.keycloak.keys.KeyProvider';
export const PROVIDER_ID = 'providerId';
const JAVA_KEYSTORE = 'java-keystore';

interface KeySource {
  readonly use: 'sig' | 'enc';
  readonly algorithm: (config: Config) => string;
  /** Of a key whose algorithm does not say it. */
  readonly curve?: (config: Config) => string;
  readonly privateKey: string;
  /** A component without key material asks for a new key: it is made on first use. */
  readonly generated: boolean;
}

/** A key provider of Keycloak. */
interface KeyProvider {
  /** The members of its configuration by which a key, or the way to it, comes from outside: whoever sends one knows the key. */
  readonly material: readonly string[];
  /** Absent where nothing in Keyhost uses the key, or where it cannot be read. */
  readonly source?: KeySource;
}

const asStated =
  (fallback: string) =>
  (config: Config): string =>
    config('algorithm') ?? fallback;
const CURVE_ALGORITHMS: Readonly<Record<string, string>> = { 'P-256': 'ES256', 'P-384': 'ES384', 'P-521': 'ES512' };
const byCurve = (config: Config): string =>
  String(CURVE_ALGORITHMS[requireCurve(config('ecdsaEllipticCurveKey') ?? 'P-256', 'ecdsaEllipticCurveKey')]);

/** What a key of RSA encrypts with. */
function byRsa(config: Config): string {
  const algorithm = config('algorithm') ?? 'RSA-OAEP';
  return ECDH_ALGORITHMS.includes(algorithm) ? notFor(algorithm, 'algorithm') : algorithm;
}

/** What a key of an elliptic curve encrypts with. */
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

/** Every key provider that a realm may name. What is key material is said here, and nowhere else. */
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

/** The ids of the key providers. */
export const KEY_PROVIDER_IDS: readonly string[] = Object.keys(PROVIDERS);

/** False for a provider of a plugin, or one that nobody has. */
export function isOwnKeyProvider({ providerId }: Pick<ComponentRepresentation, 'providerId'>): boolean {
  return Object.hasOwn(PROVIDERS, providerId);
}

/** The members of a key component's configuration that hold key material, whatever its provider. */
export const KEY_MATERIAL: ReadonlySet<string> = new Set(Object.values(PROVIDERS).flatMap(({ material }) => material));

/** The members of this key provider's configuration that hold key material; none for one that is not known. */
export function keyMaterialOf(providerId: string): readonly string[] {
  return Object.hasOwn(PROVIDERS, providerId) ? (PROVIDERS[providerId]?.material ?? []) : [];
}

/** False for a component that says nothing without its private key. */
export function isGeneratedKey({ providerId }: ComponentRepresentation): boolean {
  if (!Object.hasOwn(PROVIDERS, providerId) || providerId === JAVA_KEYSTORE) return false;
  return PROVIDERS[providerId]?.source?.generated !== false;
}

/**
 * The key that a component brings.
 * @param now milliseconds: `createdAt`
 * @returns undefined for a component without key material, which asks for a new key, for one that nothing here uses, and for one
 *   whose provider is not the host's own
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
 * A new key, as a component without key material asks for it: `keySize` in bits for RSA, `secretSize` in bytes for secrets.
 * @param now milliseconds: `createdAt`
 * @returns undefined for a component whose key nothing here uses
 * @throws KeyRefused
 */
export async function newKeyOfComponent(
  component: ComponentRepresentation,
  now: number,
  makeKey: KeyMaker = generateKey,
): Promise<KeyRecordDraft | undefined> {
  const asked = askedKey(component);
  if (asked === undefined) return undefined;
  const { use, algorithm, curve, state, ...size } = asked;
  const { kid, material } = await makeKey(keyTypeOf(algorithm, curve), size);
  return { kid, use, algorithm, ...state, createdAt: now, material: JSON.stringify(material) };
}

/**
 * The key that a component without key material asks for.
 * @returns undefined for a component whose key nothing here uses
 * @throws KeyRefused if no such key can be made
 */
export function askedKey(component: ComponentRepresentation) {
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

/** What the key of a component is for. @returns undefined where nothing here uses it @throws KeyRefused */
export function purposeOf(component: ComponentRepresentation): { use: 'sig' | 'enc'; algorithm: string } | undefined {
  const source = sourceOf(component);
  return source && purpose(source, configOf(component));
}

/**
 * Before `rsa-enc-generated` existed, `rsa-generated` said in keyUse what its key is for: each realm of Keycloak 13 to 15 has one
 * that encrypts and names no algorithm.
 */
function purpose(source: KeySource, config: Config): { use: 'sig' | 'enc'; algorithm: string } {
  const encrypts = source.use === 'sig' && config('keyUse')?.toLowerCase() === 'enc';
  if (encrypts) return { use: 'enc', algorithm: config('algorithm') ?? 'RSA-OAEP' };
  return { use: source.use, algorithm: source.algorithm(config) };
}

/** What a component says of its key's state. @throws KeyRefused */
export function stateOf(component: ComponentRepresentation): { status: KeyStatus; priority: number } {
  return keyState(configOf(component));
}

function sourceOf({ providerId }: ComponentRepresentation): KeySource | undefined {
  if (providerId === JAVA_KEYSTORE) {
    throw new KeyRefused('keys in Java keystores are not supported: use an rsa component with privateKey');
  }
  return Object.hasOwn(PROVIDERS, providerId) ? PROVIDERS[providerId]?.source : undefined;
}

/** @param plugins IDs of the key providers that plugins bring @throws KeyRefused for a provider that nobody has */
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
