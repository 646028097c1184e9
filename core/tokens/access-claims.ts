import { randomUUID } from 'node:crypto';
import { OAuthError } from '@keyhost/spi';
import type { Realm } from '../model/realm.js';
import { accessTokenExpiry } from '../sessions/lifespans.js';
import { enabledAudience } from './enabled-audience.js';
import { type Claims, placeClaim } from './place-claim.js';
import type { TokenPlan } from './token-plan.js';

const OFFLINE = 'of';
/**
 * In place of a grant's abbreviation, unlike Keycloak: the token of an exchange for certain audiences, and of each
 * refresh of it.
 */
const FOR_AUDIENCE = 'ta';

/** Keycloak's mark of a lightweight token in its `jti`. */
const LIGHTWEIGHT = 'lt';

/** True if a lightweight access token is to be issued. Direct naked impersonation never gets one. */
export function isLightweight({ client, granted, lightweight }: TokenPlan): boolean {
  return (client.settings.lightweightTokens || lightweight === true) && granted?.exact === undefined;
}

/** True for a lightweight access token, by its `jti`. */
export function isOfLightweightToken(jti: string): boolean {
  return jti.slice(2, 4) === LIGHTWEIGHT;
}

/** True if an access token belongs to the offline session with its `sid`, by its `jti`: the letters are Keycloak's. */
export function isOfOfflineSession(jti: string): boolean {
  return /^of[lr]t/.test(jti);
}

/**
 * True if the `jti` names a client session other than the one that started at `startedAt`. Its own has then ended, for
 * example by a second use of the code, even if the next one started at once. Tokens of an earlier version name none.
 */
export function isOfAnotherClientSession(jti: string, startedAt: number): boolean {
  const [, began] = jti.split('.');
  return began !== undefined && began !== startedAt.toString(36);
}

/** The audience that the client roles of an access token were reduced to; undefined if they were not. */
export function grantedAudience({ jti, aud }: { readonly jti: string; readonly aud?: unknown }): string[] | undefined {
  return jti.slice(4).startsWith(`${FOR_AUDIENCE}:`) ? [aud ?? []].flat().map(String) : undefined;
}

/** The claims of an access token: those of the protocol, and those of mappers or of a plugin's grant. */
export function accessClaims(realm: Realm, plan: TokenPlan, now: number, mapped: Claims): Claims {
  const { client, user, session, granted } = plan;
  const exact = granted?.exact;
  const claims: Claims = {
    exp: accessTokenExpiry(realm, client, now, session, plan.clientSession),
    iat: now,
    jti: idOf(plan),
    iss: realm.issuer,
  };
  if (exact !== undefined) {
    claims.aud = exact.audience;
    claims.sub = session === undefined ? user.id : client.subjectOf(user.id);
    claims.typ = 'Bearer';
    claims.azp = client.clientId;
    if (session !== undefined) claims.sid = session.id;
    claims.scope = exact.scope;
    claims.act = exact.actor;
    return claims;
  }
  const own = granted?.claims === undefined ? undefined : ownClaims(plan);
  if (own?.aud !== undefined) mapped.aud = [...[mapped.aud ?? []].flat(), ...[own.aud].flat()];
  const audience = accessAudience(realm, plan, mapped);
  if (audience !== undefined) claims.aud = audience;
  // In a transient session nothing else names the user, so `sub` must not depend on a mapper.
  const sub =
    session === undefined ? user.id : client.hasPairwiseSubjects ? client.subjectOf(user.id) : (mapped.sub ?? own?.sub);
  if (sub !== undefined) claims.sub = sub;
  claims.typ = 'Bearer';
  claims.azp = client.clientId;
  if (session !== undefined) claims.sid = session.id;
  // The claims of a plugin's grant take precedence over those of mappers.
  for (const more of own === undefined ? [mapped] : [own, mapped]) {
    for (const name of Object.keys(more)) if (!Object.hasOwn(claims, name) && name !== 'aud') claims[name] = more[name];
  }
  claims.scope = plan.selection.displayed;
  return claims;
}

function idOf(plan: TokenPlan): string {
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

/** The claims of a plugin's grant, without those that it may not set. */
function ownClaims({ client, user, granted }: TokenPlan): Claims {
  const own: Claims = {};
  for (const [name, value] of Object.entries(granted?.claims ?? {})) {
    placeClaim(own, name, value, { client, user, session: {} }, 'access');
  }
  return own;
}

/** `aud`: a string for a single audience, undefined for none. */
function accessAudience(realm: Realm, plan: TokenPlan, mapped: Claims): string | string[] | undefined {
  const wanted = plan.granted?.audience;
  if (mapped.aud === undefined && wanted === undefined) return undefined;
  const all = mapped.aud === undefined ? [] : [mapped.aud].flat().map(String);
  let audience = [...new Set(enabledAudience(realm, all))];
  if (wanted !== undefined) {
    const missing = wanted.filter((one) => one !== plan.client.clientId && !audience.includes(one));
    if (missing.length > 0) {
      throw new OAuthError('invalid_request', `Requested audience not available: ${missing.join(', ')}`);
    }
    audience = [...wanted];
  }
  return audience.length < 2 ? audience[0] : audience;
}
