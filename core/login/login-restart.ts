import type { Exchange } from '../http/exchange.js';
import type { Clock } from '../model/clock.js';
import type { AuthorizationRequest } from '../oidc/authorization-request.js';
import type { BrowserSessions } from './browser-sessions.js';
import { COOKIE, clearCookie, readCookie, setCookie } from './cookies.js';

const TYPE = 'KC_RESTART';
/** Longest cookie that every browser keeps, with room for its name and attributes. */
const MOST_CHARACTERS = 3800;

/** Lets a login begin again that this host no longer knows: after a restart, or when too many were under way. */
export class LoginRestart {
  readonly #browsers: BrowserSessions;
  readonly #clock: Clock;

  constructor(parts: { browsers: BrowserSessions; clock: Clock }) {
    this.#browsers = parts.browsers;
    this.#clock = parts.clock;
  }

  /** Gives the request to the browser, signed. One that is too long for a cookie cannot begin again. */
  async keep(exchange: Exchange, request: AuthorizationRequest): Promise<void> {
    const { realm } = exchange;
    const exp = Math.floor(this.#clock.now() / 1000) + Number(realm.representation.accessCodeLifespanLogin ?? 1800);
    const value = await this.#browsers.signed(exchange, { exp, iss: realm.issuer, typ: TYPE, request });
    if (value.length <= MOST_CHARACTERS) setCookie(exchange, COOKIE.restart, value);
  }

  /** The request that the browser was given; its client must be the one that is asked for now. */
  async read(exchange: Exchange, clientId: string | undefined): Promise<AuthorizationRequest | undefined> {
    const cookie = readCookie(exchange, COOKIE.restart);
    const payload = cookie === undefined ? undefined : await this.#browsers.verified(exchange, cookie, TYPE);
    const request = payload?.request as AuthorizationRequest | undefined;
    return request?.clientId === clientId ? request : undefined;
  }

  forget(exchange: Exchange): void {
    if (readCookie(exchange, COOKIE.restart) !== undefined) clearCookie(exchange, COOKIE.restart);
  }
}
