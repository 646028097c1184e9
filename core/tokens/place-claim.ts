import { claimPath } from '../model/claim-path.js';

export type Claims = Record<string, unknown>;
/** `lightweight`: a lightweight access token; `response`: the token endpoint's response itself. */
export type ClaimTarget = 'access' | 'lightweight' | 'id' | 'userinfo' | 'introspection' | 'response';

/** The subject of the claims. */
export interface Subject {
  readonly client: { readonly clientId: string; subjectOf(userId: string): string };
  readonly user: { readonly id: string } | undefined;
  readonly session: { readonly id?: string; readonly authTime?: number; readonly nonce?: string };
}

/** Returns the part of a mapper's value that is allowed; undefined if none is. */
type ClaimGuard = (value: unknown, about: Subject, target: ClaimTarget) => unknown;

const never: ClaimGuard = () => undefined;
/** Mappers decide whether the claim is included, but not its value. */
const only =
  (truth: (about: Subject) => unknown): ClaimGuard =>
  (value, about) =>
    String(value) === String(truth(about)) ? value : undefined;
/** Audiences are added, except to ID tokens and userinfo, which are for the client (OpenID Connect Core §2). */
const added: ClaimGuard = (value, _about, target) =>
  target === 'id' || target === 'userinfo' ? undefined : [value].flat().map(String);

/**
 * The protocol's own claims, and the values that mappers and plugins' grants may set for them. As in Keycloak, `acr`
 * may be any string except at userinfo, so that it can report a brokered login.
 */
const GUARDED: ReadonlyMap<string, ClaimGuard> = new Map<string, ClaimGuard>([
  ...['exp', 'iat', 'nbf', 'jti', 'iss', 'typ', 'azp', 'sid', 'scope', 'act', 'may_act', 'cnf'].map(
    (name) => [name, never] as const,
  ),
  ...['at_hash', 'c_hash', 's_hash'].map((name) => [name, never] as const),
  // Only the request's own nonce, and only if a mapper adds it to the access token, as older Keycloaks did by default.
  [
    'nonce',
    (value, { session }, target) =>
      session.nonce === value && target !== 'id' && target !== 'userinfo' ? value : undefined,
  ],
  ['sub', only(({ client, user }) => user && client.subjectOf(user.id))],
  ['client_id', only(({ client }) => client.clientId)],
  ['auth_time', only(({ session }) => session.authTime)],
  ['session_state', only(({ session }) => session.id)],
  ['acr', (value, _about, target) => (target === 'userinfo' ? undefined : String(value))],
  ['aud', added],
]);
/** Members of the token endpoint's response that mappers may not set. */
const OF_RESPONSE: ReadonlySet<string> = new Set([
  'access_token',
  'refresh_token',
  'id_token',
  'token_type',
  'issued_token_type',
  'expires_in',
  'refresh_expires_in',
  'not-before-policy',
  'session_state',
  'scope',
  'error',
  'error_description',
  'error_uri',
]);

/** True for a claim of the protocol that appears at introspection exactly as in the token. */
export function isOfProtocol(claim: string): boolean {
  return GUARDED.has(claim) && claim !== 'acr' && claim !== 'session_state';
}

/** Places a claim at its path (`claimPath`). Lists under the same name are joined, as are audiences. */
export function placeClaim(into: Claims, name: string, value: unknown, about: Subject, target: ClaimTarget): void {
  if (value === undefined || value === null) return;
  const [first, ...rest] = claimPath(name);
  if (first === undefined || isPrototypeKey(first) || rest.some(isPrototypeKey)) return;
  if (target === 'response' ? OF_RESPONSE.has(first) : GUARDED.has(first)) {
    const allowed = rest.length > 0 ? undefined : GUARDED.get(first)?.(value, about, target);
    if (allowed !== undefined && target !== 'response') join(into, first, allowed);
    return;
  }
  let inside = into;
  let key = first;
  for (const next of rest) {
    const inner = Object.hasOwn(inside, key) ? inside[key] : undefined;
    if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) inside[key] = {};
    inside = inside[key] as Claims;
    key = next;
  }
  join(inside, key, value);
}

/** Adds the audiences of the audience mapper to an ID token, in addition to its client. */
export function addAudiences(into: Claims, value: unknown): void {
  join(into, 'aud', [value].flat().map(String));
}

function join(into: Claims, key: string, value: unknown): void {
  const before = Array.isArray(value) && Object.hasOwn(into, key) ? into[key] : undefined;
  into[key] = Array.isArray(before) ? [...new Set([...before, ...(value as unknown[])])] : value;
}

function isPrototypeKey(key: string): boolean {
  return key === '__proto__' || key === 'constructor' || key === 'prototype';
}
