import type { ProvidedKey } from '@keyhost/spi';
import type { ComponentRepresentation } from '../../model/representation.js';
import { codeOf } from '../../model/thrown.js';
import type { KeyRecord, KeyStatus } from '../../store/store.js';
import { ASYMMETRIC_ALGORITHMS } from '../algorithms.js';
import { isBuiltInKeyProvider, stateOf } from '../component-key.js';
import { isOfRealm } from '../default-keys.js';
import type { StoredPublicKeys } from './stored-public-keys.js';

/** A key component of a plugin's provider, with its last known keys. */
export interface ComponentKeys {
  readonly component: ComponentRepresentation;
  readonly status: KeyStatus;
  readonly priority: number;
  /** Undefined if the provider was not yet asked with these settings. */
  readonly keys: readonly ProvidedKey[] | undefined;
}

/** A component of a plugin whose keys sign before a key of the host. */
export interface PrecedingComponent {
  readonly component: ComponentRepresentation;
  readonly priority: number;
  /**
   * True if the component had a key of the algorithm at the last answer of its provider. False if there is no answer
   * for these settings yet.
   */
  readonly isKnown: boolean;
}

/**
 * The last known keys that plugins hold for a realm, from the store. It calls no plugin.
 * @param components the realm's key components
 */
export async function knownComponentKeys(
  realm: string,
  components: readonly ComponentRepresentation[],
  storedKeys: Pick<StoredPublicKeys, 'of'>,
): Promise<ComponentKeys[]> {
  const componentKeys: ComponentKeys[] = [];
  for (const component of components) {
    const state = isOfRealm(component) && !isBuiltInKeyProvider(component) ? readableState(component) : undefined;
    if (state === undefined || state.status === 'DISABLED') continue;
    componentKeys.push({ component, ...state, keys: await storedKeys.of(realm, component) });
  }
  return componentKeys;
}

/**
 * The component whose keys sign instead of one of the host's keys.
 * @param components the realm's components of plugins
 * @returns undefined if the host's key signs
 */
export function precedingComponent(
  key: Pick<KeyRecord, 'algorithm' | 'priority'>,
  components: readonly ComponentKeys[],
): PrecedingComponent | undefined {
  if (!ASYMMETRIC_ALGORITHMS.includes(key.algorithm)) return undefined;
  return components
    .filter(({ status, priority }) => status === 'ACTIVE' && priority > key.priority)
    .flatMap(({ component, priority, keys }) => {
      const hasAlgorithm = keys?.some(({ algorithm }) => algorithm === key.algorithm);
      return hasAlgorithm === false ? [] : [{ component, priority, isKnown: hasAlgorithm === true }];
    })
    .sort((a, b) => Number(b.isKnown) - Number(a.isKnown) || b.priority - a.priority)[0];
}

function readableState(component: ComponentRepresentation) {
  try {
    return stateOf(component);
  } catch (error) {
    // An unreadable component has no keys; the check of realm files has reported it.
    if (codeOf(error) === 'key_refused') return undefined;
    throw error;
  }
}
