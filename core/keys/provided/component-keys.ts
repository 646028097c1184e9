import type { ProvidedKey } from '@keyhost/spi';
import type { ComponentRepresentation } from '../../model/representation.js';
import { codeOf } from '../../model/thrown.js';
import type { KeyRecord, KeyStatus } from '../../store/store.js';
import { ASYMMETRIC_ALGORITHMS } from '../algorithms.js';
import { isOwnKeyProvider, stateOf } from '../component-key.js';
import { isOfRealm } from '../default-keys.js';
import type { StoredPublicKeys } from './stored-public-keys.js';

/** A plugin's key component, and its last known keys. */
export interface ComponentKeys {
  readonly component: ComponentRepresentation;
  readonly status: KeyStatus;
  readonly priority: number;
  /** Undefined if it was not asked yet with these settings. */
  readonly keys: readonly ProvidedKey[] | undefined;
}

/** A plugin's component whose keys precede a key of the host. */
export interface PrecedingComponent {
  readonly component: ComponentRepresentation;
  readonly priority: number;
  /** True if it had a key of the algorithm when last asked; false if it was not asked yet with these settings. */
  readonly isKnown: boolean;
}

/**
 * The last known keys that plugins hold for a realm. Calls no plugin.
 * @param components the realm's key components
 */
export async function knownComponentKeys(
  realm: string,
  components: readonly ComponentRepresentation[],
  remembered: Pick<StoredPublicKeys, 'of'>,
): Promise<ComponentKeys[]> {
  const found: ComponentKeys[] = [];
  for (const component of components) {
    const state = isOfRealm(component) && !isOwnKeyProvider(component) ? readableState(component) : undefined;
    if (state === undefined || state.status === 'DISABLED') continue;
    found.push({ component, ...state, keys: await remembered.of(realm, component) });
  }
  return found;
}

/**
 * The component whose keys sign in place of one of the host's keys.
 * @param all those of the realm
 * @returns undefined if the host's key signs
 */
export function precedingComponent(
  key: Pick<KeyRecord, 'algorithm' | 'priority'>,
  all: readonly ComponentKeys[],
): PrecedingComponent | undefined {
  if (!ASYMMETRIC_ALGORITHMS.includes(key.algorithm)) return undefined;
  return all
    .filter(({ status, priority }) => status === 'ACTIVE' && priority > key.priority)
    .flatMap(({ component, priority, keys }) => {
      const has = keys?.some(({ algorithm }) => algorithm === key.algorithm);
      return has === false ? [] : [{ component, priority, isKnown: has === true }];
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
