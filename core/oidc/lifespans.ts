import type { Client } from '../model/client.js';
import type { Realm } from '../model/realm.js';

/** A session's age, as lifespans see it. Milliseconds since the epoch. */
export interface SessionAge {
  readonly startedAt: number;
  readonly lastRefresh: number;
  readonly offline: boolean;
  readonly rememberMe?: boolean;
}

/** When the session has been idle or alive for too long, in milliseconds since the epoch; undefined: never. */
export function sessionExpiry(realm: Realm, client: Client | undefined, session: SessionAge): number {
  const { lifespans, representation } = realm;
  if (session.offline) {
    const idle = session.lastRefresh + (representation.offlineSessionIdleTimeout ?? 2_592_000) * 1000;
    const limited = representation.offlineSessionMaxLifespanEnabled === true;
    const max = Number(representation.offlineSessionMaxLifespan ?? 5_184_000) * 1000;
    return limited ? Math.min(idle, session.startedAt + max) : idle;
  }
  const remembered = session.rememberMe === true;
  const ssoIdle = remembered ? lifespans.ssoIdleRemembered : lifespans.ssoIdle;
  const ssoMax = remembered ? lifespans.ssoMaxRemembered : lifespans.ssoMax;
  const idle = least(ssoIdle, lifespans.clientIdle, client?.lifespans.sessionIdle ?? 0);
  const max = least(ssoMax, lifespans.clientMax, client?.lifespans.sessionMax ?? 0);
  return Math.min(session.lastRefresh + idle * 1000, session.startedAt + max * 1000);
}

/** Seconds since the epoch at which an access token issued now ends: never after its session's maximum. */
export function accessTokenExpiry(
  realm: Realm,
  client: Client,
  nowSeconds: number,
  session: SessionAge | undefined,
): number {
  const lifespan = client.lifespans.accessToken || realm.lifespans.accessToken;
  if (session === undefined) return nowSeconds + (lifespan < 0 ? realm.lifespans.accessToken : lifespan);
  const ssoMax = session.rememberMe === true ? realm.lifespans.ssoMaxRemembered : realm.lifespans.ssoMax;
  const max = least(ssoMax, realm.lifespans.clientMax, client.lifespans.sessionMax);
  const end = Math.floor(session.startedAt / 1000) + max;
  if (lifespan < 0) return end;
  return session.offline ? nowSeconds + lifespan : Math.min(nowSeconds + lifespan, end);
}

/** The smallest of the limits that are set; 0 is "not set". */
function least(a: number, b: number, c: number): number {
  let least = Number.POSITIVE_INFINITY;
  if (a > 0) least = a;
  if (b > 0 && b < least) least = b;
  return c > 0 && c < least ? c : least;
}
