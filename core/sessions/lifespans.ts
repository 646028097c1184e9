import type { Client } from '../model/client.js';
import type { Realm } from '../model/realm.js';

/** The age of a session. Times are milliseconds since the epoch. */
export interface SessionAge {
  readonly startedAt: number;
  readonly lastRefresh: number;
  readonly offline: boolean;
  /** Whether the user chose “remember me”, for which the realm may have longer lifespans. */
  readonly rememberMe?: boolean;
  /** The notes of the session. */
  readonly notes?: Readonly<Record<string, string>>;
}

/** Note of a session that a client started by direct naked impersonation: the client's `clientId`. */
export const IMPERSONATOR_CLIENT = 'IMPERSONATOR_CLIENT';

export type ClientSessionAge = Pick<SessionAge, 'startedAt' | 'lastRefresh'>;

/** Maximum duration of a login in seconds. */
export function ssoMax({ lifespans, settings }: Realm, rememberMe: boolean | undefined): number {
  const remembered = rememberMe === true ? settings.ssoMaxRememberMe : 0;
  return remembered > 0 ? remembered : lifespans.ssoMax;
}

/** Maximum duration of this session in seconds. */
function sessionMax(realm: Realm, { rememberMe, notes }: SessionAge): number {
  const max = ssoMax(realm, rememberMe);
  return notes?.[IMPERSONATOR_CLIENT] === undefined ? max : least(max, realm.lifespans.impersonatedMax);
}

function ssoIdle({ lifespans, settings }: Realm, rememberMe: boolean | undefined): number {
  const remembered = rememberMe === true ? settings.ssoIdleRememberMe : 0;
  return remembered > 0 ? remembered : lifespans.ssoIdle;
}

/** Seconds for which the refresh tokens of a login are remembered: longer than any of them is valid. */
export function refreshTokenMemory(realm: Realm): number {
  return Math.max(realm.lifespans.ssoMax, ssoMax(realm, true), 2_592_000);
}

/**
 * True if the user chose “remember me” but the realm no longer offers it: all endpoints treat the session as ended
 * (CVE-2025-11429). Offline sessions continue, as in Keycloak.
 */
function isForgotten({ settings }: Realm, { rememberMe, offline }: SessionAge): boolean {
  return rememberMe === true && !offline && !settings.rememberMe;
}

/**
 * When the session reaches its idle or maximum lifespan, in milliseconds since the epoch. 0 if the realm has ended it.
 */
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
 * When the client session or the session itself reaches its idle or maximum lifespan, in milliseconds since the epoch.
 * The client may have shorter lifespans, counted from the start of the client session.
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

/** When an access token issued now expires, in seconds since the epoch: never after its session's maximum. */
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

/** The smaller of the limits that are set; 0 means “not set”. */
function least(a: number, b: number): number {
  return Math.min(a > 0 ? a : Number.POSITIVE_INFINITY, b > 0 ? b : Number.POSITIVE_INFINITY);
}
