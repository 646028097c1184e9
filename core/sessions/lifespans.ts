import type { Client } from '../model/client.js';
import type { Realm } from '../model/realm.js';

/** A session's age, as lifespans see it. Milliseconds since the epoch. */
export interface SessionAge {
  readonly startedAt: number;
  readonly lastRefresh: number;
  readonly offline: boolean;
  /** Whether the user wanted to be remembered: the realm may have longer lifespans for that. */
  readonly rememberMe?: boolean;
  /** What is known of how it began. */
  readonly notes?: Readonly<Record<string, string>>;
}

/** The note of a session that a client began as somebody, by a naked exchange: the client's `clientId`. */
export const IMPERSONATOR_CLIENT = 'IMPERSONATOR_CLIENT';

export type ClientSessionAge = Pick<SessionAge, 'startedAt' | 'lastRefresh'>;

/** Seconds that a login lasts at most. */
export function ssoMax({ lifespans, settings }: Realm, rememberMe: boolean | undefined): number {
  const remembered = rememberMe === true ? settings.ssoMaxRememberMe : 0;
  return remembered > 0 ? remembered : lifespans.ssoMax;
}

/** Seconds that this session lasts at most. */
function sessionMax(realm: Realm, { rememberMe, notes }: SessionAge): number {
  const max = ssoMax(realm, rememberMe);
  return notes?.[IMPERSONATOR_CLIENT] === undefined ? max : least(max, realm.lifespans.impersonatedMax);
}

function ssoIdle({ lifespans, settings }: Realm, rememberMe: boolean | undefined): number {
  const remembered = rememberMe === true ? settings.ssoIdleRememberMe : 0;
  return remembered > 0 ? remembered : lifespans.ssoIdle;
}

/** Seconds that the refresh tokens of a login are known, which is longer than any of them is good. */
export function familyLifespan(realm: Realm): number {
  return Math.max(realm.lifespans.ssoMax, ssoMax(realm, true), 2_592_000);
}

/**
 * True if the user asked to be remembered and the realm does not remember users any more: the session has ended, at every door
 * (CVE-2025-11429). Offline sessions go on, as in Keycloak.
 */
function isForgotten({ settings }: Realm, { rememberMe, offline }: SessionAge): boolean {
  return rememberMe === true && !offline && !settings.rememberMe;
}

/** When the session has been idle or alive for too long, in milliseconds since the epoch. 0 if the realm has ended it. */
export function sessionExpiry(realm: Realm, session: SessionAge): number {
  if (isForgotten(realm, session)) return 0;
  if (session.offline) {
    const { offlineIdle, offlineMax } = realm.settings;
    const idle = session.lastRefresh + offlineIdle * 1000;
    return offlineMax === undefined ? idle : Math.min(idle, session.startedAt + offlineMax * 1000);
  }
  const idle = ssoIdle(realm, session.rememberMe);
  const max = sessionMax(realm, session);
  return Math.min(session.lastRefresh + idle * 1000, session.startedAt + max * 1000);
}

/**
 * When the client's part in the session has been idle or alive for too long, or the session itself, in milliseconds
 * since the epoch. The client may have shorter lifespans, counted from when its part began.
 */
export function clientSessionExpiry(
  realm: Realm,
  client: Client,
  session: SessionAge,
  { startedAt, lastRefresh }: ClientSessionAge,
): number {
  const whole = sessionExpiry(realm, session);
  if (session.offline) return whole;
  const { lifespans } = realm;
  const idle = least(lifespans.clientIdle, client.lifespans.sessionIdle);
  const max = least(lifespans.clientMax, client.lifespans.sessionMax);
  return Math.min(whole, lastRefresh + idle * 1000, startedAt + max * 1000);
}

/** Seconds since the epoch at which an access token issued now ends: never after its session's maximum. */
export function accessTokenExpiry(
  realm: Realm,
  client: Client,
  nowSeconds: number,
  session: SessionAge | undefined,
  clientSession: ClientSessionAge | undefined = session,
): number {
  const lifespan = client.lifespans.accessToken || realm.lifespans.accessToken;
  if (session === undefined) return nowSeconds + (lifespan < 0 ? realm.lifespans.accessToken : lifespan);
  const max = least(realm.lifespans.clientMax, client.lifespans.sessionMax);
  const began = clientSession ?? session;
  const end = Math.min(
    Math.floor(session.startedAt / 1000) + sessionMax(realm, session),
    Math.floor(began.startedAt / 1000) + max,
  );
  if (lifespan < 0) return end;
  return session.offline ? nowSeconds + lifespan : Math.min(nowSeconds + lifespan, end);
}

/** The smaller of the limits that are set; 0 is "not set". */
function least(a: number, b: number): number {
  return Math.min(a > 0 ? a : Number.POSITIVE_INFINITY, b > 0 ? b : Number.POSITIVE_INFINITY);
}
