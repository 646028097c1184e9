import { randomUUID } from 'node:crypto';
import { keyTypeOf } from '../../keys/algorithms.js';
import { requireValidCertificate } from '../../keys/certificate-validity.js';
import {
  isGeneratedKey,
  isOwnKeyProvider,
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
import { type Admin, badRequest, conflict } from '../admin.js';
import type { SentConfig } from './component-schema.js';

/**
 * A key of the realm can sign tokens for any user. So a caller who sends key material, to create or to change a key,
 * must already be allowed to do everything in the realm. A masked secret that is sent back is not key material. The
 * component of a plugin may determine which keys the plugin signs with, so it requires the same right.
 * @throws HostError 403
 */
export function requireMayImportKey(
  admin: Admin,
  realm: string,
  providerId: string,
  config: SentConfig | null | undefined,
): void {
  const brings = Object.entries(config ?? {}).some(
    ([name, values]) => KEY_MATERIAL.has(name) && (values ?? []).some((value) => value !== null && value !== MASK),
  );
  if (brings || !isOwnKeyProvider({ providerId })) admin.requireRealmAdmin(realm);
}

/**
 * The key of a new component: the key material that it contains, or a generated key.
 * @returns undefined for a component whose key Keyhost does not use
 * @throws AdminError 400
 */
export async function newKey(component: ComponentRepresentation, now: number): Promise<KeyRecordDraft | undefined> {
  try {
    const brought = keyOfComponent(component, now);
    if (brought !== undefined) requireValidCertificate(brought.material, now);
    return brought ?? (await newKeyOfComponent(component, now));
  } catch (error) {
    throw asBadRequest(error);
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
 * Computes what a changed component means for its key, as in Keycloak. Another size, curve or private key replaces the
 * key, and signatures of the old one become invalid. Another algorithm only changes how the same key is used.
 * @param after the component after the change, with key material if that was sent
 * @param sentKid the kid that was sent with key material
 * @throws AdminError 400, 409
 */
export async function changedKey(
  before: ComponentRepresentation,
  after: ComponentRepresentation,
  { keys, now, sentKid }: { keys: RealmKeys; now: number; sentKid: string | undefined },
): Promise<KeyChange> {
  const kid = before.config?.kid?.[0];
  try {
    const sent = importedKey(after, sentKid, now);
    if (sent === undefined) refuseImmutableChange(before, after);
    else requireValidCertificate(sent.material, now);
    const added = sent ?? (needsNewKey(after, kid, keys) ? await newKeyOfComponent(after, now) : undefined);
    if (added !== undefined && keys.describe(added.kid) !== undefined) {
      throw conflict(added.kid === kid ? 'Another key of the realm has this kid' : KEY_EXISTS);
    }
    if (added !== undefined)
      return { component: withKid(after, added.kid), states: [], added, ...(kid && { removed: kid }) };
    const state = stateOf(after);
    // As in Keycloak, a kid without key material is ignored.
    const { kid: _, ...config } = after.config ?? {};
    if (kid === undefined) return { component: { ...after, config }, states: [] };
    return { component: withKid(after, kid), states: [{ kid, ...state, ...changedAlgorithm(after, kid, keys) }] };
  } catch (error) {
    throw asBadRequest(error);
  }
}

/** Checks a component whose key is not used, such as one below another component. @throws AdminError 400 */
export function checkKey(component: ComponentRepresentation): void {
  try {
    purposeOf(component);
    stateOf(component);
  } catch (error) {
    throw asBadRequest(error);
  }
}

export const KEY_EXISTS = 'The realm already has this key';

export function withKid(component: ComponentRepresentation, kid: string): ComponentRepresentation {
  return { ...component, config: { ...component.config, kid: [kid] } };
}

/** The key whose material was sent. A secret has no kid of its own, so it gets one. */
function importedKey(
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

/** Rejects changes that would need the private key. @throws AdminError 400 */
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

function changedAlgorithm(after: ComponentRepresentation, kid: string, keys: RealmKeys): { algorithm?: string } {
  const purpose = purposeOf(after);
  const standing = keys.list().find((key) => key.kid === kid);
  if (purpose === undefined || standing === undefined || standing.algorithm === purpose.algorithm) return {};
  requireAlgorithm(standing.use, purpose.algorithm);
  const had = keyTypeOf(standing.algorithm);
  const wanted = keyTypeOf(purpose.algorithm);
  if (had.kty !== wanted.kty || had.curve !== wanted.curve) {
    throw badRequest(`config.algorithm: the key does not support ${purpose.algorithm}`);
  }
  return { algorithm: purpose.algorithm };
}

function asBadRequest(error: unknown): unknown {
  if (!(error instanceof KeyRefused)) return error;
  const { key, message, suggestion } = error;
  const place = key === undefined || key === 'providerId' ? (key ?? 'config') : `config.${key}`;
  return badRequest(`${place}: ${message}${suggestion === undefined ? '' : ` (did you mean "${suggestion}"?)`}`);
}
