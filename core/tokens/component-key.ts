import { didYouMean } from '../config/did-you-mean.js';
import type { ComponentRepresentation } from '../model/representation.js';
import type { KeyStatus } from '../store/store.js';
import { generateKey } from './key-material.js';
import { KeyRefused } from './key-refused.js';
import type { KeyRecordDraft } from './key-ring.js';
import { algorithmOf, type Config, keyState, readKey } from './read-key.js';

/** The type of the components that stand for keys. */
export const KEY_PROVIDER = 'org.keycloak.keys.KeyProvider';
export const PROVIDER_ID = 'providerId';

interface KeySource {
  readonly use: 'sig' | 'enc';
  readonly algorithm: (config: Config) => string;
  readonly privateKey: string;
  /** A component without key material asks for a new key: it is made on first use. */
  readonly generated: boolean;
}

const asStated =
  (fallback: string) =>
  (config: Config): string =>
    config('algorithm') ?? fallback;
const CURVE_ALGORITHMS: Readonly<Record<string, string>> = { 'P-256': 'ES256', 'P-384': 'ES384', 'P-521': 'ES512' };
const byCurve = (config: Config): string => {
  const curve = config('ecdsaEllipticCurveKey') ?? 'P-256';
  const algorithm = CURVE_ALGORITHMS[curve];
  if (algorithm === undefined) throw new KeyRefused(`the curve ${curve} is not known`, 'ecdsaEllipticCurveKey');
  return algorithm;
};

const SOURCES: Readonly<Record<string, KeySource>> = {
  rsa: { use: 'sig', algorithm: asStated('RS256'), privateKey: 'privateKey', generated: false },
  'rsa-generated': { use: 'sig', algorithm: asStated('RS256'), privateKey: 'privateKey', generated: true },
  'rsa-enc': { use: 'enc', algorithm: asStated('RSA-OAEP'), privateKey: 'privateKey', generated: false },
  'rsa-enc-generated': { use: 'enc', algorithm: asStated('RSA-OAEP'), privateKey: 'privateKey', generated: true },
  'ecdsa-generated': { use: 'sig', algorithm: byCurve, privateKey: 'ecdsaPrivateKey', generated: true },
  'eddsa-generated': { use: 'sig', algorithm: () => 'EdDSA', privateKey: 'eddsaPrivateKey', generated: true },
  'hmac-generated': { use: 'sig', algorithm: asStated('HS256'), privateKey: 'secret', generated: true },
};
/** Keys that nothing in Keyhost uses: AES encrypts Keycloak's own cookies, ECDH its JWE answers. */
const UNUSED = ['aes-generated', 'ecdh-generated'];

/** False for a component that says nothing without its private key. */
export function isGeneratedKey({ providerId }: ComponentRepresentation): boolean {
  return UNUSED.includes(providerId) || (Object.hasOwn(SOURCES, providerId) && SOURCES[providerId]?.generated === true);
}

/**
 * The key that a component brings.
 * @param now milliseconds: `createdAt`
 * @returns undefined for a component without key material, which asks for a new key, and for one that nothing here uses
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
  // Before `rsa-enc` existed, the rsa provider said in keyUse what its key is for.
  const use = config('keyUse')?.toLowerCase() === 'enc' ? 'enc' : source.use;
  return readKey(config, source.algorithm(config), use, source.privateKey, now);
}

/**
 * A new key, as a component without key material asks for it: `keySize` in bits for RSA, `secretSize` in bytes for HMAC.
 * @param now milliseconds: `createdAt`
 * @returns undefined for a component whose key nothing here uses
 * @throws KeyRefused
 */
export async function newKeyOfComponent(
  component: ComponentRepresentation,
  now: number,
): Promise<KeyRecordDraft | undefined> {
  const source = sourceOf(component);
  if (source === undefined) return undefined;
  const config = configOf(component);
  const { use } = source;
  const algorithm = source.algorithm(config);
  const spec = algorithmOf(use, algorithm) ?? { kty: 'RSA' };
  const curve = config('eddsaEllipticCurveKey') ?? 'Ed25519';
  if (curve !== 'Ed25519') throw new KeyRefused(`the curve ${curve} is not supported`, 'eddsaEllipticCurveKey');
  const bits = sizeOf(config, 'keySize', [2048, 3072, 4096]);
  const bytes = sizeOf(config, 'secretSize', [32, 48, 64, 128, 256, 512]);
  const state = keyState(config);
  const size = { ...(bits === undefined ? {} : { bits }), ...(bytes === undefined ? {} : { bytes }) };
  const { kid, material } = await generateKey(spec, size);
  return { kid, use, algorithm, ...state, createdAt: now, material: JSON.stringify(material) };
}

/** What the key of a component is for. @returns undefined where nothing here uses it @throws KeyRefused */
export function purposeOf(component: ComponentRepresentation): { use: 'sig' | 'enc'; algorithm: string } | undefined {
  const source = sourceOf(component);
  return source && { use: source.use, algorithm: source.algorithm(configOf(component)) };
}

/** What a component says of its key's state. @throws KeyRefused */
export function stateOf(component: ComponentRepresentation): { status: KeyStatus; priority: number } {
  return keyState(configOf(component));
}

function sourceOf({ providerId }: ComponentRepresentation): KeySource | undefined {
  if (UNUSED.includes(providerId)) return undefined;
  if (providerId === 'java-keystore') {
    throw new KeyRefused('a key in a Java keystore cannot be read; give it as an rsa component with privateKey');
  }
  const source = Object.hasOwn(SOURCES, providerId) ? SOURCES[providerId] : undefined;
  if (source !== undefined) return source;
  const suggestion = didYouMean(providerId, [...Object.keys(SOURCES), ...UNUSED]);
  throw new KeyRefused(`the key provider ${JSON.stringify(providerId)} is not known`, PROVIDER_ID, suggestion);
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
