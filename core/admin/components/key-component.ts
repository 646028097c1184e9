import { randomUUID } from 'node:crypto';
import { keyTypeOf } from '../../keys/algorithms.js';
import { requireValidCertificate } from '../../keys/certificate-validity.js';
import {
  isBuiltInKeyProvider,
  isGeneratedKey,
  KEY_MATERIAL,
  keyOfComponent,
  newKeyOfComponent,
  purposeOf,
  stateOf,
} from '../../keys/component-key.js';
import { KeyRefused } from '../../keys/key-refused.js';
import type { KeyRecordDraft } from '../../keys/key-ring.js';
import { requireAlgorithm } from '../../keys/read-key.js';
import type { RealmKeys } from '../../keys/realm-keys.js';
import { MASK } from '../../model/mask.js';
import type { ComponentRepresentation } from '../../model/representation.js';
import type { KeyState } from '../../store/store.js';
import { type Admin, badRequest, conflictError } from '../admin.js';
import type { ConfigInput } from './component-schema.js';

/**
 * Requires all rights in the realm for key material, because a key of the realm can sign tokens for any user. A masked
 * secret that is sent back is not key material. A plugin's component may determine which keys the plugin signs with, so
 * it requires the same rights.
 * @throws HostError 403
 */
export function requireMayImportKey(
  admin: Admin,
  realm: string,
  providerId: string,
  config: ConfigInput | null | undefined,
): void {
  const hasKeyMaterial = Object.entries(config ?? {}).some(
    ([name, values]) => KEY_MATERIAL.has(name) && (values ?? []).some((value) => value !== null && value !== MASK),
  );
  if (hasKeyMaterial || !isBuiltInKeyProvider({ providerId })) admin.requireRealmAdmin(realm);
}

/**
 * Creates the key of a new component, from the key material in it or by generating one.
 * @returns undefined for a component whose key Keyhost does not use
 * @throws AdminError 400
 */
export async function createKey(component: ComponentRepresentation, now: number): Promise<KeyRecordDraft | undefined> {
  try {
    const importedKey = keyOfComponent(component, now);
    if (importedKey !== undefined) requireValidCertificate(importedKey.material, now);
    return importedKey ?? (await newKeyOfComponent(component, now));
  } catch (error) {
    throw toBadRequest(error);
  }
}

/** The effect of a changed component on the keys of its realm. */
export interface KeyChange {
  /** The component, with the kid of its key. */
  readonly component: ComponentRepresentation;
  readonly states: readonly KeyState[];
  /** The key that replaces `removed`. */
  readonly added?: KeyRecordDraft;
  readonly removed?: string;
}

/**
 * Computes the effect of a changed component on its key, as in Keycloak. Another size, curve or private key replaces
 * the key, and signatures of the old one become invalid. Another algorithm only changes the use of the same key.
 * @param after the component after the change, with the key material if any was sent
 * @param sentKid the kid that was sent with the key material
 * @throws AdminError 400, 409
 */
export async function computeKeyChange(
  before: ComponentRepresentation,
  after: ComponentRepresentation,
  { keys, now, sentKid }: { keys: RealmKeys; now: number; sentKid: string | undefined },
): Promise<KeyChange> {
  const kid = before.config?.kid?.[0];
  try {
    const importedKey = importKey(after, sentKid, now);
    if (importedKey === undefined) refuseImmutableChange(before, after);
    else requireValidCertificate(importedKey.material, now);
    const addedKey = importedKey ?? (needsNewKey(after, kid, keys) ? await newKeyOfComponent(after, now) : undefined);
    if (addedKey !== undefined && keys.describe(addedKey.kid) !== undefined) {
      throw conflictError(addedKey.kid === kid ? 'Another key of the realm has this kid' : KEY_EXISTS);
    }
    if (addedKey !== undefined)
      return { component: withKid(after, addedKey.kid), states: [], added: addedKey, ...(kid && { removed: kid }) };
    const state = stateOf(after);
    // As in Keycloak, a kid without key material is ignored.
    const { kid: _, ...config } = after.config ?? {};
    if (kid === undefined) return { component: { ...after, config }, states: [] };
    return { component: withKid(after, kid), states: [{ kid, ...state, ...algorithmChange(after, kid, keys) }] };
  } catch (error) {
    throw toBadRequest(error);
  }
}

/** Checks a component whose key is not used, such as one inside another component. @throws AdminError 400 */
export function checkKeyComponent(component: ComponentRepresentation): void {
  try {
    purposeOf(component);
    stateOf(component);
  } catch (error) {
    throw toBadRequest(error);
  }
}

export const KEY_EXISTS = 'The realm already has this key';

export function withKid(component: ComponentRepresentation, kid: string): ComponentRepresentation {
  return { ...component, config: { ...component.config, kid: [kid] } };
}

/** The key from the sent key material; undefined if none was sent. A secret without a kid gets a random one. */
function importKey(
  after: ComponentRepresentation,
  sentKid: string | undefined,
  now: number,
): KeyRecordDraft | undefined {
  const { kid: _, ...config } = after.config ?? {};
  const isSecret = config.secret !== undefined;
  const kid = sentKid ?? (isSecret ? randomUUID() : undefined);
  if (!Object.keys(config).some((name) => KEY_MATERIAL.has(name))) return undefined;
  return keyOfComponent({ ...after, config: { ...config, ...(kid === undefined ? {} : { kid: [kid] }) } }, now);
}

/** Rejects changes that are not possible without the private key. @throws AdminError 400 */
function refuseImmutableChange(before: ComponentRepresentation, after: ComponentRepresentation): void {
  for (const name of ['certificate', 'keyUse']) {
    if (String(before.config?.[name] ?? '') === String(after.config?.[name] ?? '')) continue;
    throw badRequest(`config.${name}: cannot be changed without the private key`);
  }
}

/** True if a generated key differs from the size or curve that its component now requires. */
function needsNewKey(after: ComponentRepresentation, kid: string | undefined, keys: RealmKeys): boolean {
  const size = kid === undefined ? undefined : keys.sizeOf(kid);
  if (size === undefined || !isGeneratedKey(after)) return false;
  const { keySize, secretSize, ecdsaEllipticCurveKey, ecdhEllipticCurveKey, eddsaEllipticCurveKey } =
    after.config ?? {};
  const curve = ecdsaEllipticCurveKey ?? ecdhEllipticCurveKey ?? eddsaEllipticCurveKey;
  const { bits } = size;
  if (size.curve !== undefined) return curve !== undefined && curve[0] !== size.curve;
  if (keySize !== undefined && keys.describe(kid ?? '')?.type === 'RSA') return Number(keySize[0]) !== bits;
  return secretSize !== undefined && Number(secretSize[0]) * 8 !== bits;
}

function algorithmChange(after: ComponentRepresentation, kid: string, keys: RealmKeys): { algorithm?: string } {
  const purpose = purposeOf(after);
  const currentKey = keys.list().find((key) => key.kid === kid);
  if (purpose === undefined || currentKey === undefined || currentKey.algorithm === purpose.algorithm) return {};
  requireAlgorithm(currentKey.use, purpose.algorithm);
  const currentType = keyTypeOf(currentKey.algorithm);
  const newType = keyTypeOf(purpose.algorithm);
  if (currentType.kty !== newType.kty || currentType.curve !== newType.curve) {
    throw badRequest(`config.algorithm: the key does not support ${purpose.algorithm}`);
  }
  return { algorithm: purpose.algorithm };
}

function toBadRequest(error: unknown): unknown {
  if (!(error instanceof KeyRefused)) return error;
  const { key, message, suggestion } = error;
  const location = key === undefined || key === 'providerId' ? (key ?? 'config') : `config.${key}`;
  return badRequest(`${location}: ${message}${suggestion === undefined ? '' : ` (did you mean "${suggestion}"?)`}`);
}
