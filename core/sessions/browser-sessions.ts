import { hash, randomUUID } from 'node:crypto';
import { COOKIE, clearCookie, readCookie, setCookie } from '../http/cookies.js';
import type { Exchange } from '../http/exchange.js';
import { INTERNAL_ALGORITHM } from '../keys/algorithms.js';
import { decryptJwt, encryptJwt } from '../keys/encrypted-jwt.js';
import type { KeyRing } from '../keys/key-ring.js';
import { signJwt } from '../keys/sign.js';
import { checkTimes, type JwtPayload, verifyJwt } from '../keys/verify.js';
import type { Clock } from '../model/clock.js';
import { notBeforeOf } from '../model/not-before.js';
import type { User } from '../model/user.js';
import type { Store, UserSessionRecord } from '../store/store.js';
import type { Users } from '../users/users.js';
import { sessionExpiry, ssoMax } from './lifespans.js';

const IDENTITY_TYPE = 'Serialized-ID';

/** A browser's user session, which has been checked, and its user. */
export interface BrowserSession {
  readonly session: UserSessionRecord;
  readonly user: User;
}

/** Single sign-on: finds the user session of a browser by Keycloak's identity cookie. */
export class BrowserSessions {
  readonly #parts: { keys: KeyRing; store: Store; users: Users; clock: Clock };

  constructor(parts: { keys: KeyRing; store: Store; users: Users; clock: Clock }) {
    this.#parts = parts;
  }

  /**
   * The user session of the browser. Undefined if its cookie does not verify, or session or user are no longer valid.
   */
  async current(exchange: Exchange): Promise<BrowserSession | undefined> {
    const { realm } = exchange;
    const cookie = readCookie(exchange, COOKIE.identity);
    if (cookie === undefined) return undefined;
    const payload = await this.verify(exchange, cookie, IDENTITY_TYPE);
    if (typeof payload?.sid !== 'string') return undefined;
    const session = await this.#parts.store.sessions.get({ realm: realm.name, id: payload.sid, offline: false });
    if (session === undefined || session.userId !== payload.sub) return undefined;
    if (sessionExpiry(realm, session) <= this.#parts.clock.now()) return undefined;
    const user = await this.#parts.users.byId(realm, session.userId);
    if (user?.enabled !== true) return undefined;
    return Math.floor(session.startedAt / 1000) < notBeforeOf(realm, user) ? undefined : { session, user };
  }

  /** Sets the browser's cookies for the session. */
  async setCookies(exchange: Exchange, session: UserSessionRecord): Promise<void> {
    const { realm } = exchange;
    const now = Math.floor(this.#parts.clock.now() / 1000);
    const max = Math.floor(session.startedAt / 1000) + ssoMax(realm, session.rememberMe);
    const identity = await this.sign(exchange, {
      exp: max,
      iat: now,
      jti: randomUUID(),
      iss: realm.issuer,
      sub: session.userId,
      typ: IDENTITY_TYPE,
      sid: session.id,
    });
    const persistence = session.rememberMe ? { maxAge: max - now } : {};
    setCookie(exchange, COOKIE.identity, identity, persistence);
    setCookie(exchange, COOKIE.session, sessionCookieValue(session.id), { maxAge: max - now, readable: true });
  }

  clearCookies(exchange: Exchange): void {
    clearCookie(exchange, COOKIE.identity);
    clearCookie(exchange, COOKIE.session);
  }

  /** Signs a token with the realm's internal secret, so that only this realm can verify it. */
  async sign({ realm }: Exchange, payload: object): Promise<string> {
    const keys = await this.#parts.keys.realm(realm.name);
    return signJwt(await keys.active(INTERNAL_ALGORITHM), payload);
  }

  /** The payload of a token of `sign`. Undefined if it does not verify, has expired, or has another type or realm. */
  async verify({ realm }: Exchange, token: string, typ: string): Promise<JwtPayload | undefined> {
    try {
      const { payload } = verifyJwt(token, await this.#parts.keys.forToken(realm.name, token), {
        algorithms: [INTERNAL_ALGORITHM],
      });
      checkTimes(payload, Math.floor(this.#parts.clock.now() / 1000));
      return payload.typ === typ && payload.iss === realm.issuer ? payload : undefined;
    } catch {
      return undefined;
    }
  }

  /** Encrypts a token that only this realm can decrypt. */
  async encrypt({ realm }: Exchange, typ: string, payload: { exp: number; [claim: string]: unknown }): Promise<string> {
    return encryptJwt(await this.#parts.keys.realm(realm.name), typ, payload);
  }

  /**
   * The payload of a token of `encrypt`. Undefined if it cannot be decrypted, has expired, or has another type or
   * realm.
   */
  async decrypt({ realm }: Exchange, typ: string, token: string): Promise<JwtPayload | undefined> {
    const nowSeconds = Math.floor(this.#parts.clock.now() / 1000);
    return decryptJwt(await this.#parts.keys.forToken(realm.name, token), typ, token, {
      issuer: realm.issuer,
      nowSeconds,
    });
  }
}

/** The value of the session cookie that scripts may read. It changes with the session, but does not reveal its ID. */
export function sessionCookieValue(sessionId: string): string {
  return hash('sha256', sessionId, 'base64url');
}
