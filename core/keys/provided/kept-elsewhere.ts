import type { ProvidedKey } from '@keyhost/spi';
import type { ComponentRepresentation } from '../../model/representation.js';
import { codeOf } from '../../model/thrown.js';
import type { KeyRecord, KeyStatus } from '../../store/store.js';
import { ASYMMETRIC_ALGORITHMS } from '../algorithms.js';
import { isOwnKeyProvider, stateOf } from '../component-key.js';
import { isOfRealm } from '../default-keys.js';
import type { RememberedKeys } from './remembered-keys.js';

/** A component of a plugin, and what it said last of its keys. */
export interface KeptElsewhere {
  readonly component: ComponentRepresentation;
  readonly status: KeyStatus;
  readonly priority: number;
  /** Undefined: nobody has asked it, with these settings. */
  readonly keys: readonly ProvidedKey[] | undefined;
}

/** A component of a plugin whose keys come before one of the host's own. */
export interface ComesBefore {
  readonly component: ComponentRepresentation;
  readonly priority: number;
  /** True: it had a key of the algorithm when it was asked last. False: nobody has asked it, with these settings. */
  readonly isKnown: boolean;
}

/**
 * What plugins keep for a realm, as far as they have said. No plugin is asked.
 * @param components the realm's key components
 */
export async function keptElsewhere(
  realm: string,
  components: readonly ComponentRepresentation[],
  remembered: Pick<RememberedKeys, 'of'>,
): Promise<KeptElsewhere[]> {
  const found: KeptElsewhere[] = [];
  for (const component of components) {
    const state = isOfRealm(component) && !isOwnKeyProvider(component) ? readableState(component) : undefined;
    if (state === undefined || state.status === 'DISABLED') continue;
    found.push({ component, ...state, keys: await remembered.of(realm, component) });
  }
  return found;
}

/**
 * The component whose keys sign in place of a key of the host's own.
 * @param all those of the realm
 * @returns undefined where the key signs itself
 */
export function comesBefore(
  key: Pick<KeyRecord, 'algorithm' | 'priority'>,
  all: readonly KeptElsewhere[],
): ComesBefore | undefined {
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
    // What cannot be read has no keys; the check of realm files has told of it.
    if (codeOf(error) === 'key_refused') return undefined;
    throw error;
  }
}
