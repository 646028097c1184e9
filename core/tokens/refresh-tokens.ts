import { randomUUID } from 'node:crypto';
import { OAuthError } from '@keyhost/spi';
import { INTERNAL_ALGORITHM } from '../keys/algorithms.js';
import type { KeyRing } from '../keys/key-ring.js';
import { checkTimes, verifyJwt } from '../keys/verify.js';
import { KEYHOST_ADMIN_CONSOLE } from '../model/built-in-names.js';
import type { Client } from '../model/client.js';
import type { Clock } from '../model/clock.js';
import { notBeforeOf } from '../model/not-before.js';
import type { Realm } from '../model/realm.js';
import { memberOf } from '../model/thrown.js';
import type { User } from '../model/user.js';
import { clientSessionExpiry, refreshTokenRetention, sessionExpiry } from '../sessions/lifespans.js';
import { type RefreshTokenIds, refreshTokenHash } from '../sessions/token-sessions.js';
import type { ClientSessionRecord, SessionKey, Store, UserSessionRecord } from '../store/store.js';
import type { Users } from '../users/users.js';
import type { GrantLimits } from './grant-limits.js';
import { mayHaveOfflineTokens } from './offline-access.js';

/** The claims of a refresh token. */
export interface RefreshPayload {
  readonly jti: string;
  readonly sub: string;
  readonly sid: string;
  readonly iat: number;
  readonly azp: string;
  readonly scope: string;
  readonly typ: 'Refresh' | 'Offline';
  readonly reuse_id?: string;
  /**
   * When the token's client session started, in milliseconds since the epoch; absent in tokens of an earlier version.
   */
  readonly began?: number;
  readonly nonce?: string;
  /** Absent in tokens of versions that did not store it. */
  readonly granted?: GrantLimits;
}

/** The user and sessions of a valid refresh token. */
export interface RefreshableLogin {
  readonly user: User;
  readonly session: UserSessionRecord;
  readonly clientSession: ClientSessionRecord;
}

/** Verifies refresh tokens of this host, for all endpoints. */
export class RefreshTokens {
  readonly #parts: { keys: KeyRing; users: Users; store: Store; clock: Clock };

  constructor(parts: { keys: KeyRing; users: Users; store: Store; clock: Clock }) {
    this.#parts = parts;
  }

  /**
   * Reads an unexpired refresh token of this realm, without checking its session.
   * @throws OAuthError `invalid_grant`
   */
  async read(realm: Realm, text: string, options: { expired?: 'accept' } = {}): Promise<RefreshPayload> {
    let payload: Partial<RefreshPayload> & { iss?: unknown };
    try {
      payload = verifyJwt(text, await this.#parts.keys.forToken(realm.name, text), {
        algorithms: [INTERNAL_ALGORITHM],
      }).payload;
    } catch (cause) {
      if (memberOf(cause, 'status') === 500) throw cause;
      throw invalidGrant('Invalid refresh token');
    }
    if (payload.typ !== 'Refresh' && payload.typ !== 'Offline') throw invalidGrant('Invalid refresh token');
    if (payload.iss !== realm.issuer) {
      throw invalidGrant(`Invalid token issuer. Expected '${realm.issuer}', but was '${String(payload.iss)}'`);
    }
    const { jti, sub, sid, iat, azp, scope } = payload;
    for (const claim of [jti, sub, sid, azp, scope])
      if (typeof claim !== 'string') throw invalidGrant('Invalid refresh token');
    if (typeof iat !== 'number') throw invalidGrant('Invalid refresh token');
    if (iat < realm.notBefore) throw invalidGrant('Stale token');
    if (options.expired !== 'accept') {
      try {
        checkTimes(payload, Math.floor(this.#parts.clock.now() / 1000), { unlimited: payload.typ === 'Offline' });
      } catch {
        throw invalidGrant('Token is not active');
      }
    }
    return payload as RefreshPayload;
  }

  /** Like `read`, for a token that was issued to this client. @throws OAuthError `invalid_grant` */
  async readOf(
    realm: Realm,
    client: Client,
    text: string,
    options: { expired?: 'accept' } = {},
  ): Promise<RefreshPayload> {
    const token = await this.read(realm, text, options);
    if (token.azp === client.clientId) return token;
    throw invalidGrant("Invalid refresh token. Token client and authorized client don't match");
  }

  /** The session of the token; undefined if it has ended. The session may have expired, and its user may be removed. */
  sessionOf(realm: Realm, token: RefreshPayload): Promise<UserSessionRecord | undefined> {
    return this.#parts.store.sessions.get(sessionKeyOf(realm, token));
  }

  /**
   * Checks that session, client session and user of a token are still valid, in Keycloak's order.
   * @param options.expired `end`: also end the session if it has expired; a refresh needs this
   * @throws OAuthError `invalid_grant`
   */
  async check(
    realm: Realm,
    client: Client,
    token: RefreshPayload,
    options: { expired?: 'end' } = {},
  ): Promise<RefreshableLogin> {
    const now = this.#parts.clock.now();
    const offline = token.typ === 'Offline';
    const records = await this.#parts.store.sessions.find(sessionKeyOf(realm, token), client.id);
    if (records === undefined) {
      throw invalidGrant(offline ? 'Offline user session not found' : 'Session not active');
    }
    const { session, clientSession } = records;
    if (sessionExpiry(realm, session) <= now) {
      if (options.expired === 'end') await this.#parts.store.sessions.end(session);
      throw invalidGrant(offline ? 'Offline session not active' : 'Session not active');
    }
    const isOfUser = client.matchesSubject(token.sub, session.userId);
    const user = isOfUser ? await this.#parts.users.byId(realm, session.userId) : undefined;
    if (user === undefined) throw invalidGrant('Invalid refresh token');
    if (!user.enabled) throw new OAuthError('invalid_grant', 'User disabled', { eventError: 'user_disabled' });
    if ((token.iat + 1) * 1000 < session.startedAt) {
      throw invalidGrant('Refresh token issued before the user session started');
    }
    if (clientSession === undefined) throw invalidGrant("Session doesn't have required client");
    if (clientSessionExpiry(realm, client, session, clientSession) <= now) {
      throw invalidGrant('Client session not active');
    }
    // `iat` has seconds only. It cannot distinguish a client session that has ended, for example by a second use of its
    // code, from one that started right after.
    const isOfOtherClientSession = token.began !== undefined && token.began !== clientSession.startedAt;
    if (isOfOtherClientSession || (token.iat + 1) * 1000 < clientSession.startedAt) {
      throw invalidGrant('refresh token issued before the client session started');
    }
    if (token.iat < notBeforeOf(realm, client, user)) throw invalidGrant('Stale token');
    if (offline && !mayHaveOfflineTokens(realm, client, user)) {
      throw invalidGrant('Offline session invalid because offline access not granted anymore');
    }
    return { user, session, clientSession };
  }

  /**
   * Uses up the token, if the realm rotates refresh tokens, and records the refresh of its session. The store decides
   * in one transaction: if the token was used before, the client session ends too.
   * @returns the IDs of the next refresh token
   * @throws OAuthError `invalid_grant`
   */
  async rotate(
    realm: Realm,
    client: Client,
    token: RefreshPayload,
    session: UserSessionRecord,
  ): Promise<RefreshTokenIds> {
    const now = this.#parts.clock.now();
    const next = await this.#rotateFamily(realm, client, token, session.startedAt, now);
    this.#parts.store.sessions.touch(session, client.id, now, sessionExpiry(realm, { ...session, lastRefresh: now }));
    return next;
  }

  async #rotateFamily(
    realm: Realm,
    client: Client,
    token: RefreshPayload,
    startedAt: number,
    now: number,
  ): Promise<RefreshTokenIds> {
    const family = token.reuse_id ?? token.jti;
    // Always rotate tokens of the admin console, because a browser holds them (RFC 10017) and they allow
    // administration. Without rotation all refresh tokens of a login share one jti, so that the token stays current if
    // rotation is enabled later.
    if (!realm.revokeRefreshToken && client.clientId !== KEYHOST_ADMIN_CONSOLE) return { jti: token.jti, family };
    const jti = randomUUID();
    const { families, sessions } = this.#parts.store;
    const result = await families.rotate({
      realm: realm.name,
      family,
      presented: refreshTokenHash(token.jti),
      next: refreshTokenHash(jti),
      maxReuse: realm.refreshTokenMaxReuse,
      now,
      expiresAt: Math.max(now, startedAt) + refreshTokenRetention(realm, token.typ === 'Offline') * 1000,
    });
    if (result.outcome === 'rotated') return { jti, family };
    if (result.outcome === 'reused') throw invalidGrant('Maximum allowed refresh token reuse exceeded');
    if (result.outcome === 'absent') await sessions.detach(sessionKeyOf(realm, token), client.id, { endIfLast: true });
    throw invalidGrant('Stale token');
  }
}

function sessionKeyOf(realm: Realm, { sid, typ }: RefreshPayload): SessionKey {
  return { realm: realm.name, id: sid, offline: typ === 'Offline' };
}

function invalidGrant(description: string): OAuthError {
  return new OAuthError('invalid_grant', description, { eventError: 'invalid_token' });
}
