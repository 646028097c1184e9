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
 * Whoever knows a key of the realm makes tokens of everybody there. So who sends key material, to create or to change, may
 * do everything in the realm already. A secret that comes back masked is nobody's knowledge. Which keys a plugin signs with is said
 * by its component, and may be as much.
 * @throws HostError 403
 */
export function requireMayBringKey(
  admin: Admin,
  realm: string,
  providerId: string,
  config: SentConfig | null | undefined,
): void {
  const brings = Object.entries(config ?? {}).some(
    ([name, values]) => KEY_MATERIAL.has(name) && (values ?? []).some((value) => value !== null && value !== MASK),
  );
  if (brings || !isOwnKeyProvider({ providerId })) admin.requireEverything(realm);
}

/**
 * The key of a new component: the one that it brings, or a new one.
 * @returns undefined for a component whose key nothing here uses
 * @throws AdminError 400
 */
export async function newKey(component: ComponentRepresentation, now: number): Promise<KeyRecordDraft | undefined> {
  try {
    const brought = keyOfComponent(component, now);
    if (brought !== undefined) requireValidCertificate(brought.material, now);
    return brought ?? (await newKeyOfComponent(component, now));
  } catch (error) {
    throw told(error);
  }
}

/** What a changed component means for the keys of its realm. */
export interface KeyChange {
  /** The component, with the kid of its key. */
  readonly component: ComponentRepresentation;
  readonly states: readonly KeyState[];
  /** A key that takes the place of `removed`. */
  readonly added?: KeyRecordDraft;
  readonly removed?: string;
}

/**
 * What becomes of a key with its changed component, as in Keycloak: another size, another curve or another private key is
 * another key, and what the old one signed is worth nothing any more. Another algorithm is another use of the same key.
 * @param after what it is to be; with key material where that was sent
 * @param sentKid the kid that came with key material
 * @throws AdminError 400, 409
 */
export async function changedKey(
  before: ComponentRepresentation,
  after: ComponentRepresentation,
  { keys, now, sentKid }: { keys: RealmKeys; now: number; sentKid: string | undefined },
): Promise<KeyChange> {
  const kid = before.config?.kid?.[0];
  try {
    const sent = broughtKey(after, sentKid, now);
    if (sent === undefined) refuseFixed(before, after);
    else requireValidCertificate(sent.material, now);
    const added = sent ?? (isGrown(after, kid, keys) ? await newKeyOfComponent(after, now) : undefined);
    if (added !== undefined && keys.describe(added.kid) !== undefined) {
      throw conflict(added.kid === kid ? 'Another key of the realm has this kid' : HAS_IT);
    }
    if (added !== undefined)
      return { component: withKid(after, added.kid), states: [], added, ...(kid && { removed: kid }) };
    const state = stateOf(after);
    // A kid that is sent without a key says nothing, as in Keycloak.
    const { kid: _, ...config } = after.config ?? {};
    if (kid === undefined) return { component: { ...after, config }, states: [] };
    return { component: withKid(after, kid), states: [{ kid, ...state, ...changedAlgorithm(after, kid, keys) }] };
  } catch (error) {
    throw told(error);
  }
}

/** What nothing makes of a component whose key nothing uses, such as one that stands in another. @throws AdminError 400 */
export function checkKey(component: ComponentRepresentation): void {
  try {
    purposeOf(component);
    stateOf(component);
  } catch (error) {
    throw told(error);
  }
}

export const HAS_IT = 'The realm already has this key';

export function withKid(component: ComponentRepresentation, kid: string): ComponentRepresentation {
  return { ...component, config: { ...component.config, kid: [kid] } };
}

/** The key whose material was sent; a secret, which has no name of its own, gets one. */
function broughtKey(
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

/** What is said of a key that is there, and cannot be said otherwise without the key itself. @throws AdminError 400 */
function refuseFixed(before: ComponentRepresentation, after: ComponentRepresentation): void {
  for (const name of ['certificate', 'keyUse']) {
    if (String(before.config?.[name] ?? '') === String(after.config?.[name] ?? '')) continue;
    throw badRequest(`config.${name}: cannot be changed without the private key`);
  }
}

/** True when a generated key is not of the size, or not on the curve, that its component now asks for. */
function isGrown(after: ComponentRepresentation, kid: string | undefined, keys: RealmKeys): boolean {
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
  const [had, wanted] = [keyTypeOf(standing.algorithm), keyTypeOf(purpose.algorithm)];
  if (had.kty !== wanted.kty || had.curve !== wanted.curve) {
    throw badRequest(`config.algorithm: the key does not support ${purpose.algorithm}`);
  }
  return { algorithm: purpose.algorithm };
}

function told(error: unknown): unknown {
  if (!(error instanceof KeyRefused)) return error;
  const { key, message, suggestion } = error;
  const place = key === undefined || key === 'providerId' ? (key ?? 'config') : `config.${key}`;
  return badRequest(`${place}: ${message}${suggestion === undefined ? '' : ` (did you mean "${suggestion}"?)`}`);
}
