import { KEY_MATERIAL, keyOfComponent, newKeyOfComponent, stateOf } from '../../keys/component-key.js';
import { KeyRefused } from '../../keys/key-refused.js';
import type { KeyRecordDraft } from '../../keys/key-ring.js';
import type { ComponentRepresentation } from '../../model/representation.js';
import type { KeyState } from '../../store/store.js';
import { type Admin, badRequest } from '../admin.js';
import { MASK } from '../mask-representation.js';

/** What makes a key the key it is. */
const FIXED = [
  ...['algorithm', 'keySize', 'secretSize', 'ecdsaEllipticCurveKey', 'eddsaEllipticCurveKey', 'keyUse', 'kid'],
  ...['certificate', ...KEY_MATERIAL],
];

/**
 * Whoever knows a key of the realm makes tokens of everybody there. So who sends key material, to create or to change, may
 * do everything in the realm already. A secret that comes back masked is nobody's knowledge.
 * @throws HostError 403
 */
export function requireMayBringKey(
  admin: Admin,
  realm: string,
  config: Readonly<Record<string, readonly (string | null)[] | null>> | null | undefined,
): void {
  const brings = Object.entries(config ?? {}).some(
    ([name, values]) => KEY_MATERIAL.has(name) && (values ?? []).some((value) => value !== null && value !== MASK),
  );
  if (brings) admin.requireEverything(realm);
}

/**
 * The key of a new component: the one that it brings, or a new one.
 * @returns undefined for a component whose key nothing here uses
 * @throws AdminError 400
 */
export async function newKey(component: ComponentRepresentation, now: number): Promise<KeyRecordDraft | undefined> {
  try {
    return keyOfComponent(component, now) ?? (await newKeyOfComponent(component, now));
  } catch (error) {
    throw told(error);
  }
}

/**
 * The state that a key gets with its changed component; none for a component without a key.
 * @throws AdminError 400 when more than the state would change
 */
export function changedKey(before: ComponentRepresentation, after: ComponentRepresentation): KeyState[] {
  const kid = before.config?.kid?.[0];
  const changed = FIXED.find((key) => String(before.config?.[key] ?? '') !== String(after.config?.[key] ?? ''));
  if (changed !== undefined) {
    throw badRequest(
      `config.${changed}: cannot be changed; create another key, and remove this one when it is not used`,
    );
  }
  try {
    const state = stateOf(after);
    return kid === undefined ? [] : [{ kid, ...state }];
  } catch (error) {
    throw told(error);
  }
}

function told(error: unknown): unknown {
  if (!(error instanceof KeyRefused)) return error;
  const { key, message, suggestion } = error;
  const place = key === undefined || key === 'providerId' ? (key ?? 'config') : `config.${key}`;
  return badRequest(`${place}: ${message}${suggestion === undefined ? '' : ` (did you mean "${suggestion}"?)`}`);
}
