import { randomUUID } from 'node:crypto';
import type { Exchange } from '../../http/exchange.js';
import type { Clock } from '../../model/clock.js';
import { PageRefusal } from '../../oidc/authorization/authorization-request.js';
import { type BrowserSession, type BrowserSessions, sessionCookieValue } from '../../sessions/browser-sessions.js';
import { clientOf, type LogoutTarget, requireRegisteredUri } from './logout-request.js';

/** The type of the token. The registry reserves this name: no plugin may use it for its action tokens. */
const TOKEN_TYPE = 'Logout-Confirmation';

/**
 * Creates and reads the `session_code` of confirmation pages: a token of this realm that contains the request and the
 * browser's session. Another site can post a form here, but has no code for the victim's session.
 */
export class LogoutConfirmations {
  readonly #parts: { browsers: BrowserSessions; clock: Clock };

  constructor(parts: { browsers: BrowserSessions; clock: Clock }) {
    this.#parts = parts;
  }

  /** Returns a code that expires after `seconds`. */
  async createCode(
    exchange: Exchange,
    target: LogoutTarget,
    browser: BrowserSession | undefined,
    seconds = exchange.realm.settings.accessCodeLifespanLogin,
  ): Promise<string> {
    const { realm } = exchange;
    const now = Math.floor(this.#parts.clock.now() / 1000);
    return this.#parts.browsers.sign(exchange, {
      exp: now + seconds,
      iat: now,
      jti: randomUUID(),
      iss: realm.issuer,
      typ: TOKEN_TYPE,
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
    const payload = code === undefined ? undefined : await this.#parts.browsers.verify(exchange, code, TOKEN_TYPE);
    if (payload === undefined) throw invalidCode();
    // If the session has ended in the meantime, for example by a double click, the request is already fulfilled.
    if (browser !== undefined && payload.session !== sessionCookieValue(browser.session.id)) throw invalidCode();
    const client = clientOf(exchange.realm, optionalText(payload.client_id));
    const redirectUri = optionalText(payload.post_logout_redirect_uri);
    return {
      client,
      redirectUri: redirectUri === undefined ? undefined : requireRegisteredUri(client, redirectUri),
      state: optionalText(payload.state),
      uiLocales: optionalText(payload.ui_locales),
    };
  }
}

function invalidCode(): PageRefusal {
  return new PageRefusal('session_expired', { key: 'failedLogout' });
}

function optionalText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
