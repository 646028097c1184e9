import { X509Certificate } from 'node:crypto';
import { AES, ECDH_ALGORITHMS } from '../keys/algorithms.js';
import { purposeOf } from '../keys/component-key.js';
import { FALLBACK_KEY_PRIORITY, isOfRealm } from '../keys/default-keys.js';
import { kidOf } from '../keys/key-material.js';
import { derOf, readPublicKey } from '../model/armour.js';
import { derivedId } from '../model/derived-id.js';
import type { ComponentRepresentation } from '../model/representation.js';
import { codeOf } from '../model/thrown.js';
import type { KeyRecord } from '../store/store.js';

type Key = Omit<KeyRecord, 'material'>;

/**
 * The key components of a realm, each with the kid of its key if it has one: the stored ones, and one for each key that
 * was created on demand. The key's state overrides that of its component.
 */
export function keyComponents(
  realmId: string,
  stored: readonly ComponentRepresentation[],
  keys: readonly Key[],
): ComponentRepresentation[] {
  const free = new Map(keys.map((key) => [key.kid, key]));
  const take = (kid: string | undefined) => {
    const key = kid === undefined ? undefined : free.get(kid);
    if (key !== undefined) free.delete(key.kid);
    return key;
  };
  const takeFor = (
    component: ComponentRepresentation,
    kidOf: (component: ComponentRepresentation) => string | undefined,
  ) => (isOfRealm(component) ? take(kidOf(component)) : undefined);
  const named = stored.map((component) => [component, takeFor(component, kidOfComponent)] as const);
  const linked = named.map(([component, key]) =>
    withState(component, key ?? takeFor(component, (one) => kidForPurpose(one, free))),
  );
  return [...linked, ...[...free.values()].map((key) => withState(componentOf(realmId, key), key))];
}

/** The kid that a stored component names, or that its public key has. */
function kidOfComponent({ config = {} }: ComponentRepresentation): string | undefined {
  const { kid, certificate, ecdsaPublicKey, eddsaPublicKey } = config;
  if (kid?.[0]) return kid[0];
  const publicKey = ecdsaPublicKey?.[0] || eddsaPublicKey?.[0];
  try {
    if (certificate?.[0]) return kidOf(new X509Certificate(derOf(certificate[0])).publicKey);
    return publicKey ? kidOf(readPublicKey(publicKey)) : undefined;
  } catch {
    // An unreadable key has no kid.
    return undefined;
  }
}

/** A component that asked for a new key has the one that was made for its algorithm. */
function kidForPurpose(component: ComponentRepresentation, free: ReadonlyMap<string, Key>): string | undefined {
  try {
    const purpose = purposeOf(component);
    return [...free.values()].find((key) => key.use === purpose?.use && key.algorithm === purpose.algorithm)?.kid;
  } catch (error) {
    if (codeOf(error) === 'key_refused') return undefined;
    throw error;
  }
}

function withState(component: ComponentRepresentation, key: Key | undefined): ComponentRepresentation {
  if (key === undefined) return component;
  const { kid, status, priority } = key;
  return {
    ...component,
    config: {
      ...component.config,
      kid: [kid],
      priority: [String(priority)],
      enabled: [String(status !== 'DISABLED')],
      // A disabled key may have been active before.
      active: status === 'DISABLED' ? (component.config?.active ?? ['true']) : [String(status === 'ACTIVE')],
    },
  };
}

function componentOf(realmId: string, { kid, use, algorithm, priority }: Key): ComponentRepresentation {
  const [providerId, config] = providerOf(use, algorithm);
  const ofDefault = providerId === 'hmac-generated' ? `${providerId}-${algorithm.toLowerCase()}` : providerId;
  const name = priority === FALLBACK_KEY_PRIORITY ? `fallback-${algorithm}` : ofDefault;
  return { id: derivedId(realmId, 'key', kid), name, providerId, config };
}

function providerOf(use: Key['use'], algorithm: string): [providerId: string, config: Record<string, string[]>] {
  const stated = { algorithm: [algorithm] };
  if (algorithm === AES) return ['aes-generated', {}];
  if (ECDH_ALGORITHMS.includes(algorithm)) return ['ecdh-generated', { ecdhAlgorithm: [algorithm] }];
  if (use === 'enc') return ['rsa-enc-generated', stated];
  if (algorithm.startsWith('HS')) return ['hmac-generated', stated];
  if (algorithm.startsWith('ES')) return ['ecdsa-generated', { ecdsaEllipticCurveKey: [CURVES[algorithm] ?? ''] }];
  if (algorithm === 'EdDSA') return ['eddsa-generated', { eddsaEllipticCurveKey: ['Ed25519'] }];
  return ['rsa-generated', stated];
}

const CURVES: Readonly<Record<string, string>> = { ES256: 'P-256', ES384: 'P-384', ES512: 'P-521' };
