import { randomUUID } from 'node:crypto';
import { OAuthError } from '@keyhost/spi';
import { INTERNAL_ALGORITHM } from '../keys/algorithms.js';
import type { KeyRing } from '../keys/key-ring.js';
import { checkTimes, verifyJwt } from '../keys/verify.js';
import { KEYHOST_DESK } from '../model/built-in-names.js';
import type { Client } from '../model/client.js';
import type { Clock } from '../model/clock.js';
import { notBeforeOf } from '../model/not-before.js';
import type { Realm } from '../model/realm.js';
import { memberOf } from '../model/thrown.js';
import type { User } from '../model/user.js';
import { clientSessionExpiry, familyLifespan, sessionExpiry } from '../sessions/lifespans.js';
import { type RefreshTokenIds, refreshTokenHash } from '../sessions/token-sessions.js';
import type { ClientSessionRecord, SessionKey, Store, UserSessionRecord } from '../store/store.js';
import type { Users } from '../users/users.js';
import type { Granted } from './granted.js';
import { mayHaveOfflineTokens } from './offline-access.js';

/** What a refresh token says. */
export interface RefreshPayload {
  readonly jti: string;
  readonly sub: string;
  readonly sid: string;
  readonly iat: number;
  readonly azp: string;
  readonly scope: string;
  readonly typ: 'Refresh' | 'Offline';
  readonly reuse_id?: string;
  /** When the client session began that it is of, in milliseconds since the epoch; those of an earlier version do not say it. */
  readonly began?: number;
  readonly nonce?: string;
  /** Absent in tokens of before it was written. */
  readonly granted?: Granted;
}

/** What a refresh token that is good now stands on. */
export interface RefreshableLogin {
  readonly user: User;
  readonly session: UserSessionRecord;
  readonly clientSession: ClientSessionRecord;
}

/** Judges refresh tokens of this host, wherever they come in. */
export class RefreshTokens {
  readonly #keys: KeyRing;
  readonly #users: Users;
  readonly #store: Store;
  readonly #clock: Clock;

  constructor(parts: { keys: KeyRing; users: Users; store: Store; clock: Clock }) {
    this.#keys = parts.keys;
    this.#users = parts.users;
    this.#store = parts.store;
    this.#clock = parts.clock;
  }

  /**
   * A refresh token of this realm that has not expired. It says nothing of the session behind it.
   * @throws OAuthError `invalid_grant`
   */
  async read(realm: Realm, text: string, options: { expired?: 'accept' } = {}): Promise<RefreshPayload> {
    let payload: Partial<RefreshPayload> & { iss?: unknown };
    try {
      payload = verifyJwt(text, await this.#keys.forToken(realm.name, text), {
        algorithms: [INTERNAL_ALGORITHM],
      }).payload;
    } catch (cause) {
      if (memberOf(cause, 'status') === 500) throw cause;
      throw invalid('Invalid refresh token');
    }
    if (payload.typ !== 'Refresh' && payload.typ !== 'Offline') throw invalid('Invalid refresh token');
    if (payload.iss !== realm.issuer) {
      throw invalid(`Invalid token issuer. Expected '${realm.issuer}', but was '${String(payload.iss)}'`);
    }
    const { jti, sub, sid, iat, azp, scope } = payload;
    for (const claim of [jti, sub, sid, azp, scope])
      if (typeof claim !== 'string') throw invalid('Invalid refresh token');
    if (typeof iat !== 'number') throw invalid('Invalid refresh token');
    if (iat < realm.notBefore) throw invalid('Stale token');
    if (options.expired !== 'accept') {
      try {
        checkTimes(payload, Math.floor(this.#clock.now() / 1000), { unlimited: payload.typ === 'Offline' });
      } catch {
        throw invalid('Token is not active');
      }
    }
    return payload as RefreshPayload;
  }

  /** As `read`, of a token that was issued to this client. @throws OAuthError `invalid_grant` */
  async readOf(
    realm: Realm,
    client: Client,
    text: string,
    options: { expired?: 'accept' } = {},
  ): Promise<RefreshPayload> {
    const token = await this.read(realm, text, options);
    if (token.azp === client.clientId) return token;
    throw invalid("Invalid refresh token. Token client and authorized client don't match");
  }

  /** The session that the token is of, while it stands; expired or not, and whosever it is. */
  sessionOf(realm: Realm, token: RefreshPayload): Promise<UserSessionRecord | undefined> {
    return this.#store.sessions.get(keyOf(realm, token));
  }

  /**
   * That session, client session and user of a token still stand, in Keycloak's order of checks.
   * @param options.expired `end`: a session that has expired is ended, as where it is to be refreshed
   * @throws OAuthError `invalid_grant`
   */
  async check(
    realm: Realm,
    client: Client,
    token: RefreshPayload,
    options: { expired?: 'end' } = {},
  ): Promise<RefreshableLogin> {
    const now = this.#clock.now();
    const offline = token.typ === 'Offline';
    const found = await this.#store.sessions.find(keyOf(realm, token), client.id);
    if (found === undefined) {
      throw invalid(offline ? 'Offline user session not found' : 'Session not active');
    }
    const { session, clientSession } = found;
    if (sessionExpiry(realm, session) <= now) {
      if (options.expired === 'end') await this.#store.sessions.end(session);
      throw invalid(offline ? 'Offline session not active' : 'Session not active');
    }
    const isOfUser = client.isSubject(token.sub, session.userId);
    const user = isOfUser ? await this.#users.byId(realm, session.userId) : undefined;
    if (user === undefined) throw invalid('Invalid refresh token');
    if (!user.enabled) throw new OAuthError('invalid_grant', 'User disabled', { eventError: 'user_disabled' });
    if ((token.iat + 1) * 1000 < session.startedAt) {
      throw invalid('Refresh token issued before the user session started');
    }
    if (clientSession === undefined) throw invalid("Session doesn't have required client");
    if (clientSessionExpiry(realm, client, session, clientSession) <= now) {
      throw invalid('Client session not active');
    }
    // Seconds do not tell a client session that has ended, as by a second use of its code, from one that began right after.
    const isOfAnother = token.began !== undefined && token.began !== clientSession.startedAt;
    if (isOfAnother || (token.iat + 1) * 1000 < clientSession.startedAt) {
      throw invalid('refresh token issued before the client session started');
    }
    if (token.iat < notBeforeOf(realm, client, user)) throw invalid('Stale token');
    if (offline && !mayHaveOfflineTokens(realm, client, user)) {
      throw invalid('Offline session invalid because offline access not granted anymore');
    }
    return { user, session, clientSession };
  }

  /**
   * Uses the token up, where the realm has it so, and notes that its session was refreshed. The store decides in one
   * transaction: a token that was used before takes the client session along.
   * @returns what the next refresh token is known by
   * @throws OAuthError `invalid_grant`
   */
  async rotate(
    realm: Realm,
    client: Client,
    token: RefreshPayload,
    session: UserSessionRecord,
  ): Promise<RefreshTokenIds> {
    const now = this.#clock.now();
    const next = await this.#next(realm, client, token, session.startedAt, now);
    this.#store.sessions.touch(session, client.id, now, sessionExpiry(realm, { ...session, lastRefresh: now }));
    return next;
  }

  async #next(
    realm: Realm,
    client: Client,
    token: RefreshPayload,
    startedAt: number,
    now: number,
  ): Promise<RefreshTokenIds> {
    const family = token.reuse_id ?? token.jti;
    // A browser's are rotated whatever the realm says (RFC 10017): those of the desk administer.
    // Without rotation a login's refresh tokens share one jti: switching rotation on later finds it current.
    if (!realm.revokeRefreshToken && client.clientId !== KEYHOST_DESK) return { jti: token.jti, family };
    const jti = randomUUID();
    const { families, sessions } = this.#store;
    const result = await families.rotate({
      realm: realm.name,
      family,
      presented: refreshTokenHash(token.jti),
      next: refreshTokenHash(jti),
      maxReuse: realm.refreshTokenMaxReuse,
      now,
      expiresAt: Math.max(now, startedAt) + familyLifespan(realm) * 1000,
    });
    if (result.outcome === 'rotated') return { jti, family };
    if (result.outcome === 'reused') throw invalid('Maximum allowed refresh token reuse exceeded');
    if (result.outcome === 'absent') await sessions.detach(keyOf(realm, token), client.id, { endIfLast: true });
    throw invalid('Stale token');
  }
}

function keyOf(realm: Realm, { sid, typ }: RefreshPayload): SessionKey {
  return { realm: realm.name, id: sid, offline: typ === 'Offline' };
}

function invalid(description: string): OAuthError {
  return new OAuthError('invalid_grant', description, { eventError: 'invalid_token' });
}
