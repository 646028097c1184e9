import { hash } from 'node:crypto';
import type { Message } from '@keyhost/spi';
import { clearCookie, readCookie, setCookie } from '../http/cookies.js';
import type { Exchange } from '../http/exchange.js';
import type { Clock } from '../model/clock.js';
import { randomToken } from '../model/random-token.js';
import { isSameSecret } from '../model/same-secret.js';
import type { BrowserSession, BrowserSessions } from '../sessions/browser-sessions.js';
import { ssoMax } from '../sessions/lifespans.js';

/** The path of the account page below its realm; its cookies are limited to it. */
export const ACCOUNT = '/account';

const SESSION_COOKIE = 'KEYHOST_ACCOUNT';
const NOTICE_COOKIE = 'KEYHOST_ACCOUNT_NOTICE';
const SESSION_TOKEN_TYPE = 'Account-Session';
const NOTICE_TOKEN_TYPE = 'Account-Notice';
const NOTICE_SECONDS = 60;

/** A message that the next page shows once. */
export type Notice = Message & { readonly severity: 'success' | 'info' | 'error' };

/** The account page's session in one browser. */
export interface AccountSession {
  readonly browser: BrowserSession;
  /** A secret in every form of the page (CSRF protection). */
  readonly formToken: string;
}

/**
 * The account page's sessions. The cookie contains a user session's ID and a secret. It is valid only while the browser
 * is signed in with the same session, and that session is active and its user enabled.
 */
export class AccountSessions {
  readonly #parts: { readonly browsers: BrowserSessions; readonly clock: Clock };

  constructor(parts: { readonly browsers: BrowserSessions; readonly clock: Clock }) {
    this.#parts = parts;
  }

  async current(exchange: Exchange): Promise<AccountSession | undefined> {
    const cookie = readCookie(exchange, SESSION_COOKIE);
    if (cookie === undefined) return undefined;
    const payload = await this.#parts.browsers.verify(exchange, cookie, SESSION_TOKEN_TYPE);
    if (payload === undefined) return undefined;
    const browser = await this.#parts.browsers.current(exchange);
    if (browser === undefined || browser.session.id !== payload.sid) return undefined;
    return { browser, formToken: hash('sha256', `form ${payload.jti}`, 'base64url') };
  }

  /**
   * Starts the page's session. If the browser already has one for the same login, it continues, so that forms in other
   * tabs still work.
   */
  async begin(exchange: Exchange, { session }: BrowserSession): Promise<void> {
    const current = await this.current(exchange);
    if (current?.browser.session.id === session.id) return;
    const { realm } = exchange;
    const now = Math.floor(this.#parts.clock.now() / 1000);
    const exp = Math.floor(session.startedAt / 1000) + ssoMax(realm, session.rememberMe);
    const payload = {
      typ: SESSION_TOKEN_TYPE,
      iss: realm.issuer,
      iat: now,
      exp,
      sid: session.id,
      jti: newAccountSecret(),
    };
    setCookie(exchange, SESSION_COOKIE, await this.#parts.browsers.sign(exchange, payload), { page: ACCOUNT });
  }

  /** Stores a message in a cookie for the page that the browser is redirected to. */
  async storeNotice(exchange: Exchange, notice: Notice): Promise<void> {
    const now = Math.floor(this.#parts.clock.now() / 1000);
    const payload = { typ: NOTICE_TOKEN_TYPE, iss: exchange.realm.issuer, iat: now, exp: now + NOTICE_SECONDS, notice };
    const token = await this.#parts.browsers.sign(exchange, payload);
    setCookie(exchange, NOTICE_COOKIE, token, { page: ACCOUNT, maxAge: NOTICE_SECONDS });
  }

  async takeNotice(exchange: Exchange): Promise<Notice | undefined> {
    const cookie = readCookie(exchange, NOTICE_COOKIE);
    if (cookie === undefined) return undefined;
    clearCookie(exchange, NOTICE_COOKIE, ACCOUNT);
    const payload = await this.#parts.browsers.verify(exchange, cookie, NOTICE_TOKEN_TYPE);
    return payload?.notice as Notice | undefined;
  }
}

export function newAccountSecret(): string {
  return randomToken(24);
}

/** Compares in constant time. */
export function isFormToken({ formToken }: AccountSession, submitted: string | undefined): boolean {
  return isSameSecret(submitted, formToken);
}

/** True if the browser reports that a page of this host sent the form, or reports no origin. */
export function isSameOrigin({ ctx, realm }: Exchange): boolean {
  const site = ctx.get('sec-fetch-site');
  if (site !== '') return site === 'same-origin';
  const origin = ctx.get('origin');
  // The pages send no referrer, so browsers omit the origin of a form or send `null`.
  return origin === '' || origin === 'null' || origin === new URL(realm.issuer).origin;
}
