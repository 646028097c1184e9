import { identityProvidersOf } from '../model/identity-provider.js';
import type { Realm } from '../model/realm.js';
import { ASYMMETRIC_ALGORITHMS, ENCRYPTION_ALGORITHMS } from './algorithms.js';
import { KEY_PROVIDER } from './component-key.js';
import { keysToGenerate } from './default-keys.js';

const PUBLISHED_ALGORITHMS = Symbol('published algorithms');

/**
 * The algorithms whose public keys the realm publishes. They are its default, those of its key components and clients,
 * those for authentication at identity providers, and those with which others encrypt. Their keys are in the JWKS
 * before their first use, so that no verifier finds an unknown kid. The array is the same object until the realm
 * changes.
 */
export function publishedAlgorithms(realm: Realm): readonly string[] {
  return realm.derive(PUBLISHED_ALGORITHMS, () => {
    const algorithms = new Set<string | undefined>([realm.defaultSignatureAlgorithm]);
    for (const { settings } of realm.clients.values()) {
      algorithms.add(settings.accessTokenAlgorithm).add(settings.idTokenAlgorithm).add(settings.userinfoAlgorithm);
    }
    for (const { assertionAlgorithm } of identityProvidersOf(realm).values()) algorithms.add(assertionAlgorithm);
    for (const { algorithm } of keysToGenerate(realm.components(KEY_PROVIDER))) algorithms.add(algorithm);
    return [...ASYMMETRIC_ALGORITHMS, ...ENCRYPTION_ALGORITHMS].filter((algorithm) => algorithms.has(algorithm));
  });
}
