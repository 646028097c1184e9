export type Claims = Record<string, unknown>;
export type ClaimTarget = 'access' | 'id' | 'userinfo' | 'introspection';

/** Whom the claims are about. */
export interface Subject {
  readonly client: { readonly clientId: string; subjectOf(userId: string): string };
  readonly user: { readonly id: string } | undefined;
  readonly session: { readonly authTime?: number; readonly nonce?: string };
}

/** The part of a mapper's value that goes into the answer; undefined: none of it. */
type Guard = (value: unknown, about: Subject, target: ClaimTarget) => unknown;

const never: Guard = () => undefined;
/** Mappers decide whether the claim is shown, and not what it says. */
const only =
  (truth: (about: Subject) => unknown): Guard =>
  (value, about) =>
    String(value) === String(truth(about)) ? value : undefined;
/** Audiences are added. An ID token is for its client (OpenID Connect Core §2), and userinfo too. */
const added: Guard = (value, _about, target) => {
  return target === 'access' || target === 'introspection' ? [value].flat().map(String) : undefined;
};

/**
 * The claims that the protocol says, and what mappers and plugins' grants may say of them, in every kind of answer. As in
 * Keycloak `acr` is free: a broker's login is told of by it.
 */
const GUARDED: ReadonlyMap<string, Guard> = new Map<string, Guard>([
  ...['exp', 'iat', 'nbf', 'jti', 'iss', 'typ', 'azp', 'sid', 'scope', 'act', 'may_act', 'cnf'].map(
    (name) => [name, never] as const,
  ),
  ...['at_hash', 'c_hash', 's_hash'].map((name) => [name, never] as const),
  // Only the request's own nonce, and only where a mapper adds it to the access token, as older Keycloaks did by themselves.
  [
    'nonce',
    (value, { session }, target) =>
      session.nonce === value && (target === 'access' || target === 'introspection') ? value : undefined,
  ],
  ['sub', only(({ client, user }) => user && client.subjectOf(user.id))],
  ['client_id', only(({ client }) => client.clientId)],
  ['auth_time', only(({ session }) => session.authTime)],
  ['aud', added],
]);

/** `a.b` nests, `\.` is a dot; lists of one name are joined, as are several audiences. */
export function placeClaim(into: Claims, name: string, value: unknown, about: Subject, target: ClaimTarget): void {
  if (value === undefined || value === null) return;
  if (!name.includes('.')) {
    const guard = GUARDED.get(name);
    const allowed = guard === undefined ? value : guard(value, about, target);
    if (allowed !== undefined && !isPrototypeKey(name)) join(into, name, allowed);
    return;
  }
  const [first, ...rest] = name.split(/(?<!\\)\./).map((part) => part.replaceAll('\\.', '.'));
  if (first === undefined || GUARDED.has(first) || [first, ...rest].some(isPrototypeKey)) return;
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

function join(into: Claims, key: string, value: unknown): void {
  const before = Array.isArray(value) && Object.hasOwn(into, key) ? into[key] : undefined;
  into[key] = Array.isArray(before) ? [...new Set([...before, ...(value as unknown[])])] : value;
}

function isPrototypeKey(key: string): boolean {
  return key === '__proto__' || key === 'constructor' || key === 'prototype';
}
