import { claimPath } from '../model/claim-path.js';

export type Claims = Record<string, unknown>;
/** `lightweight` is a lightweight access token; `response` is the token endpoint's response itself. */
export type ClaimTarget = 'access' | 'lightweight' | 'id' | 'userinfo' | 'introspection' | 'response';

/** The client, user and session that the claims are about. */
export interface ClaimsContext {
  readonly client: { readonly clientId: string; subjectOf(userId: string): string };
  readonly user: { readonly id: string } | undefined;
  readonly session: { readonly id?: string; readonly authTime?: number; readonly nonce?: string };
}

/** Returns the part of a mapper's value that is allowed; undefined if none is. */
type ClaimGuard = (value: unknown, context: ClaimsContext, target: ClaimTarget) => unknown;

const rejectValue: ClaimGuard = () => undefined;
/** Accepts only the true value: a mapper may include the claim, but not change it. */
const onlyValue =
  (actualValue: (context: ClaimsContext) => unknown): ClaimGuard =>
  (value, context) =>
    String(value) === String(actualValue(context)) ? value : undefined;
/**
 * Accepts additional audiences, except in ID tokens and userinfo, which are for the client (OpenID Connect Core §2).
 * `addAudiences` is the exception for one mapper.
 */
const audienceGuard: ClaimGuard = (value, _context, target) =>
  target === 'id' || target === 'userinfo' ? undefined : audienceList(value);

/**
 * The claims of the protocol, each with a guard for the values that mappers and plugins' grants may set. As in
 * Keycloak, `acr` may be any string except at userinfo, so that it can report a brokered login.
 */
const PROTOCOL_CLAIMS: ReadonlyMap<string, ClaimGuard> = new Map<string, ClaimGuard>([
  ...['exp', 'iat', 'nbf', 'jti', 'iss', 'typ', 'azp', 'sid', 'scope', 'act', 'may_act', 'cnf'].map(
    (name) => [name, rejectValue] as const,
  ),
  ...['at_hash', 'c_hash', 's_hash'].map((name) => [name, rejectValue] as const),
  // Accept only the request's own nonce, and only if a mapper adds it to the access token. Older versions of Keycloak
  // added it by default.
  [
    'nonce',
    (value, { session }, target) =>
      session.nonce === value && target !== 'id' && target !== 'userinfo' ? value : undefined,
  ],
  ['sub', onlyValue(({ client, user }) => user && client.subjectOf(user.id))],
  ['client_id', onlyValue(({ client }) => client.clientId)],
  ['auth_time', onlyValue(({ session }) => session.authTime)],
  ['session_state', onlyValue(({ session }) => session.id)],
  ['acr', (value, _context, target) => (target === 'userinfo' ? undefined : String(value))],
  ['aud', audienceGuard],
]);
/** Members of the token endpoint's response that mappers may not set. */
const RESPONSE_MEMBERS: ReadonlySet<string> = new Set([
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

/** True for a claim of the protocol that introspection reports exactly as it is in the token. */
export function isFixedAtIntrospection(claim: string): boolean {
  return PROTOCOL_CLAIMS.has(claim) && claim !== 'acr' && claim !== 'session_state';
}

/** Sets a claim at its path (`claimPath`). Lists with the same name are merged, as are audiences. */
export function placeClaim(
  claims: Claims,
  name: string,
  value: unknown,
  context: ClaimsContext,
  target: ClaimTarget,
): void {
  if (value === undefined || value === null) return;
  const path = claimPath(name);
  const [first] = path;
  if (first === undefined || path.some(isPrototypeKey)) return;
  if (target === 'response') {
    if (RESPONSE_MEMBERS.has(first)) return;
  } else {
    const guard = PROTOCOL_CLAIMS.get(first);
    if (guard !== undefined) {
      const allowed = path.length > 1 ? undefined : guard(value, context, target);
      if (allowed !== undefined) mergeValue(claims, first, allowed);
      return;
    }
  }
  let container = claims;
  let key = first;
  for (let depth = 1; depth < path.length; depth++) {
    const nested = Object.hasOwn(container, key) ? container[key] : undefined;
    if (typeof nested !== 'object' || nested === null || Array.isArray(nested)) container[key] = {};
    container = container[key] as Claims;
    key = path[depth] ?? '';
  }
  mergeValue(container, key, value);
}

/** The audiences of an `aud` claim, which is one or a list of them. */
export function audienceList(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [String(value)];
}

/** Adds audiences to an ID token, in addition to its client. Only for the audience mapper. */
export function addAudiences(claims: Claims, value: unknown): void {
  mergeValue(claims, 'aud', audienceList(value));
}

function mergeValue(container: Claims, key: string, value: unknown): void {
  const previous = Array.isArray(value) && Object.hasOwn(container, key) ? container[key] : undefined;
  container[key] = Array.isArray(previous) ? [...new Set([...previous, ...(value as unknown[])])] : value;
}

function isPrototypeKey(key: string): boolean {
  return key === '__proto__' || key === 'constructor' || key === 'prototype';
}
