import { randomUUID } from 'node:crypto';
import { OAuthError } from '@keyhost/spi';
import type { Realm } from '../model/realm.js';
import { accessTokenExpiry } from '../sessions/lifespans.js';
import { enabledAudience } from './enabled-audience.js';
import { audienceList, type Claims, placeClaim } from './place-claim.js';
import type { TokenPlan } from './token-plan.js';

const OFFLINE = 'of';
/**
 * Replaces a grant's abbreviation in the `jti`, unlike Keycloak, if a token exchange requested certain audiences. Each
 * refresh of that token has it too.
 */
const FOR_AUDIENCE = 'ta';

/** Keycloak's letters for a lightweight token in its `jti`. */
const LIGHTWEIGHT = 'lt';

/** True if a lightweight access token is to be issued. Direct naked impersonation never gets one. */
export function isLightweight({ client, granted, lightweight }: TokenPlan): boolean {
  return (client.settings.lightweightTokens || lightweight === true) && granted?.exact === undefined;
}

/** True if the `jti` is that of a lightweight access token. */
export function isOfLightweightToken(jti: string): boolean {
  return jti.slice(2, 4) === LIGHTWEIGHT;
}

/** True if the `jti` is that of an access token of an offline session. The letters are Keycloak's. */
export function isOfOfflineSession(jti: string): boolean {
  return /^of[lr]t/.test(jti);
}

/**
 * True if the `jti` belongs to a client session other than the one that started at `startedAt`. Its own has then ended,
 * for example by a second use of the code, even if the next one started at once. Tokens of earlier versions contain no
 * start.
 */
export function isOfAnotherClientSession(jti: string, startedAt: number): boolean {
  const [, encodedStart] = jti.split('.');
  return encodedStart !== undefined && encodedStart !== startedAt.toString(36);
}

/** The audience that restricts the client roles of an access token; undefined if nothing restricts them. */
export function grantedAudience({ jti, aud }: { readonly jti: string; readonly aud?: unknown }): string[] | undefined {
  return jti.slice(4).startsWith(`${FOR_AUDIENCE}:`) ? [aud ?? []].flat().map(String) : undefined;
}

/** The claims of an access token: those of the protocol, then those of a plugin's grant and of mappers. */
export function accessClaims(realm: Realm, plan: TokenPlan, now: number, mapped: Claims): Claims {
  const { client, user, session, granted } = plan;
  const impersonation = granted?.exact;
  const claims: Claims = {
    exp: accessTokenExpiry(realm, client, now, session, plan.clientSession),
    iat: now,
    jti: jtiOf(plan),
    iss: realm.issuer,
  };
  if (impersonation !== undefined) {
    claims.aud = impersonation.audience;
    claims.sub = session === undefined ? user.id : client.subjectOf(user.id);
    claims.typ = 'Bearer';
    claims.azp = client.clientId;
    if (session !== undefined) claims.sid = session.id;
    claims.scope = impersonation.scope;
    claims.act = impersonation.actor;
    return claims;
  }
  const grantClaims = granted?.claims === undefined ? undefined : claimsOfGrant(plan);
  if (grantClaims?.aud !== undefined) mapped.aud = [...[mapped.aud ?? []].flat(), ...[grantClaims.aud].flat()];
  const audience = accessAudience(realm, plan, mapped);
  if (audience !== undefined) claims.aud = audience;
  // A token of a transient session has no other claim for the user, so `sub` must not depend on a mapper.
  const sub =
    session === undefined
      ? user.id
      : client.hasPairwiseSubjects
        ? client.subjectOf(user.id)
        : (mapped.sub ?? grantClaims?.sub);
  if (sub !== undefined) claims.sub = sub;
  claims.typ = 'Bearer';
  claims.azp = client.clientId;
  if (session !== undefined) claims.sid = session.id;
  // The claims of a plugin's grant take precedence over those of mappers.
  for (const source of grantClaims === undefined ? [mapped] : [grantClaims, mapped]) {
    for (const name of Object.keys(source))
      if (!Object.hasOwn(claims, name) && name !== 'aud') claims[name] = source[name];
  }
  claims.scope = plan.selection.tokenScope;
  return claims;
}

function jtiOf(plan: TokenPlan): string {
  const { session, clientSession, grant, granted } = plan;
  const letters = `${isLightweight(plan) ? LIGHTWEIGHT : 'rt'}${granted?.audience === undefined ? grant : FOR_AUDIENCE}`;
  const id = `${session === undefined ? 'tr' : session.offline ? OFFLINE : 'on'}${letters}:${randomUUID()}`;
  return clientSession === undefined ? id : `${id}.${clientSession.startedAt.toString(36)}`;
}

/**
 * RFC 9068 §2.2: adds the mandatory claims of an `at+jwt` token even if no mapper sets them. The default audience
 * is the issuer.
 */
export function addProfileClaims(realm: Realm, { client, user }: TokenPlan, access: Claims): void {
  access.sub ??= client.subjectOf(user.id);
  access.client_id = client.clientId;
  access.aud ??= realm.issuer;
}

/** The claims that a plugin's grant requested, without those that it must not set. */
function claimsOfGrant({ client, user, granted }: TokenPlan): Claims {
  const claims: Claims = {};
  for (const [name, value] of Object.entries(granted?.claims ?? {})) {
    placeClaim(claims, name, value, { client, user, session: {} }, 'access');
  }
  return claims;
}

function withoutDuplicates(values: readonly string[]): readonly string[] {
  return values.length < 2 ? values : [...new Set(values)];
}

/** The `aud` claim: a string for a single audience, undefined for none. */
function accessAudience(realm: Realm, plan: TokenPlan, mapped: Claims): string | readonly string[] | undefined {
  const requestedAudience = plan.granted?.audience;
  if (mapped.aud === undefined && requestedAudience === undefined) return undefined;
  const mappedAudience = mapped.aud === undefined ? [] : audienceList(mapped.aud);
  let audience = withoutDuplicates(enabledAudience(realm, mappedAudience));
  if (requestedAudience !== undefined) {
    const missing = requestedAudience.filter((value) => value !== plan.client.clientId && !audience.includes(value));
    if (missing.length > 0) {
      throw new OAuthError('invalid_request', `Requested audience not available: ${missing.join(', ')}`);
    }
    audience = [...requestedAudience];
  }
  return audience.length < 2 ? audience[0] : audience;
}
