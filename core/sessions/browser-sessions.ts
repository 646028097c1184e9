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

const IDENTITY = 'Serialized-ID';

/** A browser's valid user session. */
export interface BrowserSession {
  readonly session: UserSessionRecord;
  readonly user: User;
}

/** Single sign-on: finds the user session of a browser by Keycloak's identity cookie. */
export class BrowserSessions {
  readonly #keys: KeyRing;
  readonly #store: Store;
  readonly #users: Users;
  readonly #clock: Clock;

  constructor(parts: { keys: KeyRing; store: Store; users: Users; clock: Clock }) {
    this.#keys = parts.keys;
    this.#store = parts.store;
    this.#users = parts.users;
    this.#clock = parts.clock;
  }

  /** The user session of the browser, if its cookie verifies and session and user are valid. */
  async current(exchange: Exchange): Promise<BrowserSession | undefined> {
    const { realm } = exchange;
    const cookie = readCookie(exchange, COOKIE.identity);
    if (cookie === undefined) return undefined;
    const payload = await this.verified(exchange, cookie, IDENTITY);
    if (typeof payload?.sid !== 'string') return undefined;
    const session = await this.#store.sessions.get({ realm: realm.name, id: payload.sid, offline: false });
    if (session === undefined || session.userId !== payload.sub) return undefined;
    if (sessionExpiry(realm, session) <= this.#clock.now()) return undefined;
    const user = await this.#users.byId(realm, session.userId);
    if (user?.enabled !== true) return undefined;
    return Math.floor(session.startedAt / 1000) < notBeforeOf(realm, user) ? undefined : { session, user };
  }

  /** Sets the browser's cookies for the session. */
  async setCookies(exchange: Exchange, session: UserSessionRecord): Promise<void> {
    const { realm } = exchange;
    const now = Math.floor(this.#clock.now() / 1000);
    const max = Math.floor(session.startedAt / 1000) + ssoMax(realm, session.rememberMe);
    const identity = await this.signed(exchange, {
      exp: max,
      iat: now,
      jti: randomUUID(),
      iss: realm.issuer,
      sub: session.userId,
      typ: IDENTITY,
      sid: session.id,
    });
    const lasting = session.rememberMe ? { maxAge: max - now } : {};
    setCookie(exchange, COOKIE.identity, identity, lasting);
    setCookie(exchange, COOKIE.session, sessionCookieValue(session.id), { maxAge: max - now, readable: true });
  }

  clearCookies(exchange: Exchange): void {
    clearCookie(exchange, COOKIE.identity);
    clearCookie(exchange, COOKIE.session);
  }

  /** A token that only this realm can verify: signed with its internal secret. */
  async signed({ realm }: Exchange, payload: object): Promise<string> {
    const keys = await this.#keys.realm(realm.name);
    return signJwt(await keys.active(INTERNAL_ALGORITHM), payload);
  }

  /** The payload of a `signed` token of that type and of this realm; undefined if it does not verify or has expired. */
  async verified({ realm }: Exchange, token: string, typ: string): Promise<JwtPayload | undefined> {
    try {
      const { payload } = verifyJwt(token, await this.#keys.forToken(realm.name, token), {
        algorithms: [INTERNAL_ALGORITHM],
      });
      checkTimes(payload, Math.floor(this.#clock.now() / 1000));
      return payload.typ === typ && payload.iss === realm.issuer ? payload : undefined;
    } catch {
      return undefined;
    }
  }

  /** Like `signed`, but encrypted. */
  async encrypted(
    { realm }: Exchange,
    typ: string,
    payload: { exp: number; [claim: string]: unknown },
  ): Promise<string> {
    return encryptJwt(await this.#keys.realm(realm.name), typ, payload);
  }

  /** The payload of an `encrypted` token of that type and of this realm; undefined if it has expired. */
  async decrypted({ realm }: Exchange, typ: string, token: string): Promise<JwtPayload | undefined> {
    const nowSeconds = Math.floor(this.#clock.now() / 1000);
    return decryptJwt(await this.#keys.forToken(realm.name, token), typ, token, { issuer: realm.issuer, nowSeconds });
  }
}

/** The value of the session cookie that scripts may read: it changes with the session, but cannot be used as its ID. */
export function sessionCookieValue(sessionId: string): string {
  return hash('sha256', sessionId, 'base64url');
}
