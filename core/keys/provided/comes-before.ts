import type { ComponentRepresentation } from '../../model/representation.js';
import { codeOf } from '../../model/thrown.js';
import type { KeyRecord } from '../../store/store.js';
import { ASYMMETRIC_ALGORITHMS } from '../algorithms.js';
import { isOwnKeyProvider, stateOf } from '../component-key.js';
import { isOfRealm } from '../default-keys.js';
import type { RememberedKeys } from './remembered-keys.js';

/** A component of a plugin whose keys come before one of the host's own. */
export interface ComesBefore {
  readonly component: ComponentRepresentation;
  readonly priority: number;
  /** True: it had a key of the algorithm when it was asked last. False: nobody has asked it, with these settings. */
  readonly isKnown: boolean;
}

/**
 * The component whose keys sign in place of a key of the host's own. No plugin is asked.
 * @param components the realm's key components
 * @returns undefined where the key signs itself
 */
export async function comesBefore(
  key: Pick<KeyRecord, 'realm' | 'algorithm' | 'priority'>,
  components: readonly ComponentRepresentation[],
  remembered: Pick<RememberedKeys, 'of'>,
): Promise<ComesBefore | undefined> {
  if (!ASYMMETRIC_ALGORITHMS.includes(key.algorithm)) return undefined;
  const found: ComesBefore[] = [];
  for (const component of components) {
    const priority = isOfRealm(component) && !isOwnKeyProvider(component) ? activePriority(component) : undefined;
    if (priority === undefined || priority <= key.priority) continue;
    const keys = await remembered.of(key.realm, component);
    const has = keys?.some(({ algorithm }) => algorithm === key.algorithm);
    if (has !== false) found.push({ component, priority, isKnown: has === true });
  }
  return found.sort((a, b) => Number(b.isKnown) - Number(a.isKnown) || b.priority - a.priority)[0];
}

function activePriority(component: ComponentRepresentation): number | undefined {
  try {
    const { status, priority } = stateOf(component);
    return status === 'ACTIVE' ? priority : undefined;
  } catch (error) {
    // What cannot be read has no keys; the check of realm files has told of it.
    if (codeOf(error) === 'key_refused') return undefined;
    throw error;
  }
}
