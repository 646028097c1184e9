import { hash } from 'node:crypto';
import { OAuthError } from '@keyhost/spi';
import { readCookie, setCookie } from '../http/cookies.js';
import type { Exchange } from '../http/exchange.js';
import { parseForm } from '../http/form.js';
import { ACCOUNT_CONSOLE } from '../model/built-in-names.js';
import type { Clock } from '../model/clock.js';
import { defined } from '../model/defined.js';
import type { AuthorizationCodes } from '../oidc/authorization/authorization-codes.js';
import type { BrowserSessions } from '../sessions/browser-sessions.js';
import { ACCOUNT, type AccountSessions, type Notice, newAccountSecret } from './account-session.js';

/** Path of the redirect URI, below the realm. */
export const CALLBACK = `${ACCOUNT}/callback`;

const BROWSER_COOKIE = 'KEYHOST_ACCOUNT_BROWSER';
const STATE_TOKEN_TYPE = 'Account-Login';
/** Maximum duration of a login in seconds. */
const LOGIN_SECONDS = 86_400;

/** The parameters of a login. */
export interface AccountLoginRequest {
  /** The page to return to: path and query below `/account`. */
  readonly to: string;
  /** Keycloak's `kc_action`. */
  readonly action?: string;
  /** Maximum age of the login in seconds. */
  readonly maxAge?: number;
}

/** The result of a login at the account page. */
export type LoginOutcome = { readonly to: string } & (
  | { readonly outcome: 'done' }
  /**
   * The login did not start a session. `cookies`: the browser stored none. `refused`: the login or the code was
   * refused. `action-refused`: the login ended in an error while an action was requested.
   */
  | { readonly outcome: 'failed'; readonly reason: 'cookies' | 'refused' | 'action-refused' }
);

/**
 * Signs users in to the account page by the realm's own login, as the client `account-console`, with the authorization
 * code flow and PKCE. So the realm's flows, required actions and step-up apply to the account page as to any
 * application.
 */
export class AccountLogin {
  readonly #parts: {
    readonly browsers: BrowserSessions;
    readonly codes: AuthorizationCodes;
    readonly accounts: AccountSessions;
    readonly clock: Clock;
  };

  constructor(parts: {
    readonly browsers: BrowserSessions;
    readonly codes: AuthorizationCodes;
    readonly accounts: AccountSessions;
    readonly clock: Clock;
  }) {
    this.#parts = parts;
  }

  /** Redirects to the realm's login. */
  async begin(exchange: Exchange, { to, action, maxAge }: AccountLoginRequest): Promise<void> {
    const { ctx, realm } = exchange;
    const nonce = newAccountSecret();
    // One secret for all tabs of a browser; each login derives its own verifier from it.
    const secret = readCookie(exchange, BROWSER_COOKIE) ?? newAccountSecret();
    setCookie(exchange, BROWSER_COOKIE, secret, { page: ACCOUNT });
    const iat = Math.floor(this.#parts.clock.now() / 1000);
    const state = { typ: STATE_TOKEN_TYPE, iss: realm.issuer, iat, exp: iat + LOGIN_SECONDS, jti: nonce, to, action };
    const query = new URLSearchParams({
      client_id: ACCOUNT_CONSOLE,
      redirect_uri: `${realm.issuer}${CALLBACK}`,
      response_type: 'code',
      scope: 'openid',
      state: await this.#parts.browsers.sign(exchange, state),
      code_challenge: hash('sha256', verifierOf(secret, nonce), 'base64url'),
      code_challenge_method: 'S256',
      ...defined({ kc_action: action, max_age: maxAge?.toString() }),
    });
    const locale = new URLSearchParams(ctx.querystring).get('kc_locale');
    if (locale !== null) query.set('ui_locales', locale);
    ctx.status = 302;
    ctx.set('Cache-Control', 'no-store, must-revalidate, max-age=0');
    ctx.set('Location', `${realm.issuer}/protocol/openid-connect/auth?${query}`);
    ctx.body = '';
  }

  /**
   * Handles the login's response: redeems the code, starts the page's session, and stores a notice about the result of
   * an action.
   */
  async finish(exchange: Exchange): Promise<LoginOutcome> {
    const { realm, ctx } = exchange;
    const query = parseForm(ctx.querystring);
    const state = await this.#parts.browsers.verify(exchange, query.get('state') ?? '', STATE_TOKEN_TYPE);
    const to = typeof state?.to === 'string' ? state.to : '/';
    const failure = (reason: 'cookies' | 'refused' | 'action-refused'): LoginOutcome => ({
      outcome: 'failed',
      reason,
      to,
    });
    const code = query.get('code');
    const client = realm.clients.get(ACCOUNT_CONSOLE);
    if (state?.action !== undefined && query.get('error') !== undefined) return failure('action-refused');
    if (state === undefined || code === undefined || client === undefined) return failure('refused');
    const secret = readCookie(exchange, BROWSER_COOKIE);
    if (secret === undefined) return failure('cookies');
    const verifier = verifierOf(secret, String(state.jti));
    let sessionId: string;
    try {
      ({ sessionId } = await this.#parts.codes.redeem(realm, client, {
        code,
        redirectUri: `${realm.issuer}${CALLBACK}`,
        verifier,
      }));
    } catch (error) {
      if (error instanceof OAuthError) return failure('refused');
      throw error;
    }
    const browser = await this.#parts.browsers.current(exchange);
    if (browser?.session.id !== sessionId) return failure('refused');
    await this.#parts.accounts.begin(exchange, browser);
    const notice = NOTICES.get(query.get('kc_action_status'));
    if (state.action !== undefined && notice !== undefined) await this.#parts.accounts.storeNotice(exchange, notice);
    return { outcome: 'done', to };
  }
}

/** The notices by Keycloak's `kc_action_status`. */
const NOTICES: ReadonlyMap<string | undefined, Notice> = new Map([
  ['success', { key: 'accountUpdatedMessage', severity: 'success' }],
  ['error', { key: 'accountNotUpdatedMessage', severity: 'error' }],
]);

function verifierOf(secret: string, nonce: string): string {
  return hash('sha256', `${secret} ${nonce}`, 'base64url');
}
