import { randomUUID } from 'node:crypto';
import { OAuthError } from '@keyhost/spi';
import type { Realm } from '../model/realm.js';
import { accessTokenExpiry } from '../sessions/lifespans.js';
import type { Issuance } from './issuance.js';
import { type Claims, placeClaim } from './place-claim.js';

const OFFLINE = 'of';

/** Which of the sessions with its `sid` an access token is of, by its `jti`: the letters are Keycloak's. */
export function isOfOfflineSession(jti: string): boolean {
  return jti.startsWith(`${OFFLINE}rt`);
}

/**
 * True when the client session that an access token says it is of, by its `jti`, is another than the one that began then: one that
 * has ended, as by a second use of its code, however soon the next began. Tokens of an earlier version do not say it.
 */
export function isOfAnotherClientSession(jti: string, startedAt: number): boolean {
  const [, began] = jti.split('.');
  return began !== undefined && began !== startedAt.toString(36);
}

/** The claims of an access token: those of the protocol, and those that mappers or a plugin's grant gave it. */
export function accessClaims(realm: Realm, plan: Issuance, now: number, mapped: Claims): Claims {
  const { client, user, session, exact } = plan;
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
  const own = plan.claims === undefined ? undefined : ownClaims(plan);
  if (own?.aud !== undefined) mapped.aud = [...[mapped.aud ?? []].flat(), ...[own.aud].flat()];
  const audience = accessAudience(plan, mapped);
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
    for (const name of Object.keys(more)) if (!(name in claims) && name !== 'aud') claims[name] = more[name];
  }
  claims.scope = plan.selection.displayed;
  return claims;
}

function idOf({ session, clientSession, grant }: Issuance): string {
  const id = `${session === undefined ? 'tr' : session.offline ? OFFLINE : 'on'}rt${grant}:${randomUUID()}`;
  return clientSession === undefined ? id : `${id}.${clientSession.startedAt.toString(36)}`;
}

/** RFC 9068 §2.2: what an `at+jwt` token must say, whatever mappers the client has. Without an audience it is for the issuer. */
export function completeProfile(realm: Realm, { client, user }: Issuance, access: Claims): void {
  access.sub ??= client.subjectOf(user.id);
  access.client_id = client.clientId;
  access.aud ??= realm.issuer;
}

/** The claims of a plugin's grant, as far as they are its to make. */
function ownClaims({ client, user, claims = {} }: Issuance): Claims {
  const own: Claims = {};
  for (const [name, value] of Object.entries(claims)) {
    placeClaim(own, name, value, { client, user, session: {} }, 'access');
  }
  return own;
}

/** `aud`: a string when it is one, absent when it is none. */
function accessAudience(plan: Issuance, mapped: Claims): string | string[] | undefined {
  if (mapped.aud === undefined && plan.audience === undefined) return undefined;
  const all = mapped.aud === undefined ? [] : [mapped.aud].flat().map(String);
  let audience = [...new Set(all)];
  if (plan.audience !== undefined && plan.audience.length > 0) {
    const missing = plan.audience.filter((wanted) => wanted !== plan.client.clientId && !audience.includes(wanted));
    if (missing.length > 0) {
      throw new OAuthError('invalid_request', `Requested audience not available: ${missing.join(', ')}`);
    }
    audience = [...plan.audience];
    const access = mapped.resource_access;
    if (typeof access === 'object' && access !== null) {
      for (const clientId of Object.keys(access)) {
        if (!audience.includes(clientId)) delete (access as Record<string, unknown>)[clientId];
      }
    }
  }
  return audience.length < 2 ? audience[0] : audience;
}
