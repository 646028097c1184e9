import { randomUUID } from 'node:crypto';
import { OAuthError } from '@keyhost/spi';
import type { Realm } from '../model/realm.js';
import { accessTokenExpiry } from '../sessions/lifespans.js';
import { enabledAudience } from './enabled-audience.js';
import type { Issuance } from './issuance.js';
import { type Claims, placeClaim } from './place-claim.js';

const OFFLINE = 'of';
/** Among the letters of the grants, where Keycloak has none: of an exchange for some audience, and of each refresh of it. */
const FOR_AUDIENCE = 'ta';

/** Keycloak's letters of a token that says little, in its `jti`. */
const LIGHTWEIGHT = 'lt';

/** True when the access token to make says little; one of a plugin's own claims says what these are. */
export function isLightweight({ client, granted, lightweight }: Issuance): boolean {
  return (client.settings.lightweightTokens || lightweight === true) && granted?.exact === undefined;
}

/** True for an access token that says little, by its `jti`. */
export function isOfLightweightToken(jti: string): boolean {
  return jti.slice(2, 4) === LIGHTWEIGHT;
}

/** Which of the sessions with its `sid` an access token is of, by its `jti`: the letters are Keycloak's. */
export function isOfOfflineSession(jti: string): boolean {
  return /^of[lr]t/.test(jti);
}

/**
 * True when the client session that an access token says it is of, by its `jti`, is another than the one that began then: one that
 * has ended, as by a second use of its code, however soon the next began. Tokens of an earlier version do not say it.
 */
export function isOfAnotherClientSession(jti: string, startedAt: number): boolean {
  const [, began] = jti.split('.');
  return began !== undefined && began !== startedAt.toString(36);
}

/** The audience that the client roles of an access token were reduced to; undefined: they were not. */
export function grantedAudience({ jti, aud }: { readonly jti: string; readonly aud?: unknown }): string[] | undefined {
  return jti.slice(4).startsWith(`${FOR_AUDIENCE}:`) ? [aud ?? []].flat().map(String) : undefined;
}

/** The claims of an access token: those of the protocol, and those that mappers or a plugin's grant gave it. */
export function accessClaims(realm: Realm, plan: Issuance, now: number, mapped: Claims): Claims {
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
  // A transient session has no other trace of the user, so `sub` does not depend on a mapper there.
  const sub =
    session === undefined ? user.id : client.hasPairwiseSubjects ? client.subjectOf(user.id) : (mapped.sub ?? own?.sub);
  if (sub !== undefined) claims.sub = sub;
  claims.typ = 'Bearer';
  claims.azp = client.clientId;
  if (session !== undefined) claims.sid = session.id;
  // What a plugin's grant says comes before what mappers say.
  for (const more of own === undefined ? [mapped] : [own, mapped]) {
    for (const name of Object.keys(more)) if (!Object.hasOwn(claims, name) && name !== 'aud') claims[name] = more[name];
  }
  claims.scope = plan.selection.displayed;
  return claims;
}

function idOf(plan: Issuance): string {
  const { session, clientSession, grant, granted } = plan;
  const letters = `${isLightweight(plan) ? LIGHTWEIGHT : 'rt'}${granted?.audience === undefined ? grant : FOR_AUDIENCE}`;
  const id = `${session === undefined ? 'tr' : session.offline ? OFFLINE : 'on'}${letters}:${randomUUID()}`;
  return clientSession === undefined ? id : `${id}.${clientSession.startedAt.toString(36)}`;
}

/** RFC 9068 §2.2: what an `at+jwt` token must say, whatever mappers the client has. Without an audience it is for the issuer. */
export function completeProfile(realm: Realm, { client, user }: Issuance, access: Claims): void {
  access.sub ??= client.subjectOf(user.id);
  access.client_id = client.clientId;
  access.aud ??= realm.issuer;
}

/** The claims of a plugin's grant, as far as they are its to make. */
function ownClaims({ client, user, granted }: Issuance): Claims {
  const own: Claims = {};
  for (const [name, value] of Object.entries(granted?.claims ?? {})) {
    placeClaim(own, name, value, { client, user, session: {} }, 'access');
  }
  return own;
}

/** `aud`: a string when it is one, absent when it is none. */
function accessAudience(realm: Realm, plan: Issuance, mapped: Claims): string | string[] | undefined {
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
