import { X509Certificate } from 'node:crypto';
import { AES, ECDH_ALGORITHMS } from '../keys/algorithms.js';
import { purposeOf } from '../keys/component-key.js';
import { FALLBACK_KEY_PRIORITY, isOfRealm } from '../keys/default-keys.js';
import { kidOf } from '../keys/key-material.js';
import { decodeDer, readPublicKey } from '../model/armour.js';
import { derivedId } from '../model/derived-id.js';
import type { ComponentRepresentation } from '../model/representation.js';
import { codeOf } from '../model/thrown.js';
import type { KeyRecord } from '../store/store.js';

type Key = Omit<KeyRecord, 'material'>;

/**
 * Returns the key components of a realm, each with the kid (key ID) of its key if it has one. These are the stored
 * components, and one for each key that was created on demand. The key's state overrides that of its component.
 */
export function keyComponents(
  realmId: string,
  storedComponents: readonly ComponentRepresentation[],
  keys: readonly Key[],
): ComponentRepresentation[] {
  const unassignedKeys = new Map(keys.map((key) => [key.kid, key]));
  const takeKey = (kid: string | undefined) => {
    const key = kid === undefined ? undefined : unassignedKeys.get(kid);
    if (key !== undefined) unassignedKeys.delete(key.kid);
    return key;
  };
  const takeFor = (
    component: ComponentRepresentation,
    kidOf: (component: ComponentRepresentation) => string | undefined,
  ) => (isOfRealm(component) ? takeKey(kidOf(component)) : undefined);
  const byKid = storedComponents.map((component) => [component, takeFor(component, kidOfComponent)] as const);
  const assignedComponents = byKid.map(([component, key]) =>
    withState(component, key ?? takeFor(component, (one) => kidForPurpose(one, unassignedKeys))),
  );
  return [
    ...assignedComponents,
    ...[...unassignedKeys.values()].map((key) => withState(componentOf(realmId, key), key)),
  ];
}

/** Returns the kid of a stored component, or that of its public key. */
function kidOfComponent({ config = {} }: ComponentRepresentation): string | undefined {
  const { kid, certificate, ecdsaPublicKey, eddsaPublicKey } = config;
  if (kid?.[0]) return kid[0];
  const publicKey = ecdsaPublicKey?.[0] || eddsaPublicKey?.[0];
  try {
    if (certificate?.[0]) return kidOf(new X509Certificate(decodeDer(certificate[0])).publicKey);
    return publicKey ? kidOf(readPublicKey(publicKey)) : undefined;
  } catch {
    // An unreadable key has no kid.
    return undefined;
  }
}

/** Returns the kid of the key that was generated for a component: the first one of the same use and algorithm. */
function kidForPurpose(component: ComponentRepresentation, unassigned: ReadonlyMap<string, Key>): string | undefined {
  try {
    const purpose = purposeOf(component);
    return [...unassigned.values()].find((key) => key.use === purpose?.use && key.algorithm === purpose.algorithm)?.kid;
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
  const defaultName = providerId === 'hmac-generated' ? `${providerId}-${algorithm.toLowerCase()}` : providerId;
  const name = priority === FALLBACK_KEY_PRIORITY ? `fallback-${algorithm}` : defaultName;
  return { id: derivedId(realmId, 'key', kid), name, providerId, config };
}

function providerOf(use: Key['use'], algorithm: string): [providerId: string, config: Record<string, string[]>] {
  const config = { algorithm: [algorithm] };
  if (algorithm === AES) return ['aes-generated', {}];
  if (ECDH_ALGORITHMS.includes(algorithm)) return ['ecdh-generated', { ecdhAlgorithm: [algorithm] }];
  if (use === 'enc') return ['rsa-enc-generated', config];
  if (algorithm.startsWith('HS')) return ['hmac-generated', config];
  if (algorithm.startsWith('ES')) return ['ecdsa-generated', { ecdsaEllipticCurveKey: [CURVES[algorithm] ?? ''] }];
  if (algorithm === 'EdDSA') return ['eddsa-generated', { eddsaEllipticCurveKey: ['Ed25519'] }];
  return ['rsa-generated', config];
}

const CURVES: Readonly<Record<string, string>> = { ES256: 'P-256', ES384: 'P-384', ES512: 'P-521' };
