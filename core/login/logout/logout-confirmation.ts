import { randomUUID } from 'node:crypto';
import type { Exchange } from '../../http/exchange.js';
import type { Clock } from '../../model/clock.js';
import { PageRefusal } from '../../oidc/authorization/authorization-request.js';
import { type BrowserSession, type BrowserSessions, sessionCookieValue } from '../../sessions/browser-sessions.js';
import { clientOf, type LogoutTarget, requireRegisteredUri } from './logout-request.js';

/** The registry reserves this name: no plugin may use it for its action tokens. */
const TYPE = 'Logout-Confirmation';

/**
 * The `session_code` of confirmation pages: a token of this realm with the request and the browser's session at the
 * time. Another site can post a form here, but has no code for its victim's session.
 */
export class LogoutConfirmations {
  readonly #browsers: BrowserSessions;
  readonly #clock: Clock;

  constructor(parts: { browsers: BrowserSessions; clock: Clock }) {
    this.#browsers = parts.browsers;
    this.#clock = parts.clock;
  }

  /** Returns a code that expires after `seconds`. */
  async code(
    exchange: Exchange,
    target: LogoutTarget,
    browser: BrowserSession | undefined,
    seconds = exchange.realm.settings.accessCodeLifespanLogin,
  ): Promise<string> {
    const { realm } = exchange;
    const now = Math.floor(this.#clock.now() / 1000);
    return this.#browsers.sign(exchange, {
      exp: now + seconds,
      iat: now,
      jti: randomUUID(),
      iss: realm.issuer,
      typ: TYPE,
      session: browser && sessionCookieValue(browser.session.id),
      client_id: target.client?.clientId,
      post_logout_redirect_uri: target.redirectUri,
      state: target.state,
      ui_locales: target.uiLocales,
    });
  }

  /**
   * The confirmed request.
   * @throws PageRefusal if the code is not valid, or the browser has another session than the code
   */
  async read(exchange: Exchange, code: string | undefined, browser: BrowserSession | undefined): Promise<LogoutTarget> {
    const payload = code === undefined ? undefined : await this.#browsers.verify(exchange, code, TYPE);
    if (payload === undefined) throw failed();
    // If the session has ended meanwhile, for example by a double click, the request is fulfilled.
    if (browser !== undefined && payload.session !== sessionCookieValue(browser.session.id)) throw failed();
    const client = clientOf(exchange.realm, text(payload.client_id));
    const redirectUri = text(payload.post_logout_redirect_uri);
    return {
      client,
      redirectUri: redirectUri === undefined ? undefined : requireRegisteredUri(client, redirectUri),
      state: text(payload.state),
      uiLocales: text(payload.ui_locales),
    };
  }
}

function failed(): PageRefusal {
  return new PageRefusal('session_expired', { key: 'failedLogout' });
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
