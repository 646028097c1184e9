import type { Client } from '../model/client.js';
import type { Realm } from '../model/realm.js';

/** The properties of a session that decide when it expires. Times are milliseconds since the epoch. */
export interface SessionExpiryInput {
  readonly startedAt: number;
  readonly lastRefresh: number;
  readonly offline: boolean;
  /** Whether the user chose “remember me”. The realm may have longer lifespans for it. */
  readonly rememberMe?: boolean;
  /** Only IMPERSONATOR_CLIENT is read. */
  readonly notes?: Readonly<Record<string, string>>;
}

/** Session note with the `clientId` of the client that started the session by direct naked impersonation. */
export const IMPERSONATOR_CLIENT = 'IMPERSONATOR_CLIENT';

export type ClientSessionExpiryInput = Pick<SessionExpiryInput, 'startedAt' | 'lastRefresh'>;

/** Maximum duration of a user session in seconds. */
export function ssoMax({ lifespans, settings }: Realm, isRememberMe: boolean | undefined): number {
  const rememberMeMax = isRememberMe === true ? settings.ssoMaxRememberMe : 0;
  return rememberMeMax > 0 ? rememberMeMax : lifespans.ssoMax;
}

/** Maximum duration of this session in seconds, which is shorter for an impersonation. */
function sessionMax(realm: Realm, { rememberMe: isRememberMe, notes }: SessionExpiryInput): number {
  const max = ssoMax(realm, isRememberMe);
  return notes?.[IMPERSONATOR_CLIENT] === undefined ? max : smallerLimit(max, realm.lifespans.impersonatedMax);
}

function ssoIdle({ lifespans, settings }: Realm, isRememberMe: boolean | undefined): number {
  const rememberMeIdle = isRememberMe === true ? settings.ssoIdleRememberMe : 0;
  return rememberMeIdle > 0 ? rememberMeIdle : lifespans.ssoIdle;
}

/** 30 days in seconds: the least retention, so that a realm may raise its lifespans for existing logins. */
const MIN_RETENTION_SECONDS = 2_592_000;

/**
 * How long the store holds a refresh token after its last use, in seconds. It is at least as long as the realm's
 * present lifespans allow.
 */
export function refreshTokenRetention(realm: Realm, isOffline: boolean): number {
  const longest = isOffline ? realm.settings.offlineIdle : Math.max(realm.lifespans.ssoMax, ssoMax(realm, true));
  return Math.max(longest, MIN_RETENTION_SECONDS);
}

/**
 * True if the user chose “remember me” but the realm no longer offers it. All endpoints then treat the session as ended
 * (CVE-2025-11429). Offline sessions continue, as in Keycloak.
 */
function isRememberMeRevoked({ settings }: Realm, { rememberMe: isRememberMe, offline }: SessionExpiryInput): boolean {
  return isRememberMe === true && !offline && !settings.rememberMe;
}

/** When the session reaches its idle or maximum lifespan, in milliseconds since the epoch; 0 if it counts as ended. */
export function sessionExpiry(realm: Realm, session: SessionExpiryInput): number {
  if (isRememberMeRevoked(realm, session)) return 0;
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
 * When the client session or its user session reaches its idle or maximum lifespan, in milliseconds since the epoch.
 * The client may have shorter lifespans, counted from the start of the client session.
 */
export function clientSessionExpiry(
  realm: Realm,
  client: Client,
  session: SessionExpiryInput,
  { startedAt, lastRefresh }: ClientSessionExpiryInput,
): number {
  const sessionEnd = sessionExpiry(realm, session);
  if (session.offline) return sessionEnd;
  const { lifespans } = realm;
  const idle = smallerLimit(lifespans.clientIdle, client.lifespans.sessionIdle);
  const max = smallerLimit(lifespans.clientMax, client.lifespans.sessionMax);
  return Math.min(sessionEnd, lastRefresh + idle * 1000, startedAt + max * 1000);
}

/**
 * When an access token issued now expires, in seconds since the epoch. Never after its session's maximum, except for
 * offline sessions.
 */
export function accessTokenExpiry(
  realm: Realm,
  client: Client,
  nowSeconds: number,
  session: SessionExpiryInput | undefined,
  clientSession: ClientSessionExpiryInput | undefined = session,
): number {
  const lifespan = client.lifespans.accessToken || realm.lifespans.accessToken;
  if (session === undefined) return nowSeconds + (lifespan < 0 ? realm.lifespans.accessToken : lifespan);
  const max = smallerLimit(realm.lifespans.clientMax, client.lifespans.sessionMax);
  const age = clientSession ?? session;
  const end = Math.min(
    Math.floor(session.startedAt / 1000) + sessionMax(realm, session),
    Math.floor(age.startedAt / 1000) + max,
  );
  if (lifespan < 0) return end;
  return session.offline ? nowSeconds + lifespan : Math.min(nowSeconds + lifespan, end);
}

/** The smaller of the limits that are set; 0 means “not set”. */
function smallerLimit(a: number, b: number): number {
  return Math.min(a > 0 ? a : Number.POSITIVE_INFINITY, b > 0 ? b : Number.POSITIVE_INFINITY);
}
