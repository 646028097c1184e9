import { callerOf, type Exchange } from '../http/exchange.js';
import { parseForm, readForm } from '../http/form.js';
import { notFound } from '../http/not-found.js';
import { acceptsHtml } from '../http/page.js';
import { type Fallback, methodNotAllowed } from '../http/realm-dispatch.js';
import type { LogoutConfirmations } from '../login/logout/logout-confirmation.js';
import { ACCOUNT_CONSOLE } from '../model/built-in-names.js';
import type { AuthorizationCodes } from '../oidc/authorization/authorization-codes.js';
import type { SessionFactory } from '../registry/sessions/session-factory.js';
import type { BrowserSessions } from '../sessions/browser-sessions.js';
import { sessionExpiry } from '../sessions/lifespans.js';
import type { AccessTokens } from '../tokens/access-tokens.js';
import { type AccountParts, accountRoles, isRecentLogin, MAX_LOGIN_AGE_SECONDS } from './account.js';
import { AccountLogin, CALLBACK } from './account-login.js';
import { type AccountPage, type AccountRequest, addressOf, FORM_TOKEN, redirectWithNotice } from './account-request.js';
import { ACCOUNT, AccountSessions, isFormToken, isSameOrigin } from './account-session.js';
import { applicationsPage } from './applications/applications-page.js';
import { devicesPage } from './devices/devices-page.js';
import { linkedAccountsPage } from './linked-accounts/linked-accounts-page.js';
import { unlinkPage } from './linked-accounts/unlink-page.js';
import { pluginPages } from './plugin-pages/plugin-page.js';
import { profilePage } from './profile/profile-page.js';
import { accountRest } from './rest/account-rest.js';
import { removeCredentialPage } from './signing-in/remove-credential-page.js';
import { signingInPage } from './signing-in/signing-in-page.js';
import { canStartAction } from './startable-actions.js';

/** The pages in the navigation, in its order. */
const NAVIGATION_PAGES: readonly AccountPage[] = [
  profilePage,
  signingInPage,
  devicesPage,
  linkedAccountsPage,
  applicationsPage,
];
/** Pages that are not in the navigation; other pages link to them. */
const UNLISTED_PAGES: readonly AccountPage[] = [removeCredentialPage, unlinkPage];
/** Starts a required action, then returns to a page: `?action=…&to=…`. */
const START_PATH = '/start';

/** The services of the account page and of the Account REST API. */
export interface AccountEndpointParts {
  readonly account: AccountParts;
  readonly browsers: BrowserSessions;
  readonly codes: AuthorizationCodes;
  readonly sessions: SessionFactory;
  readonly accessTokens: AccessTokens;
  readonly confirmations: LogoutConfirmations;
}

/**
 * Serves the account page to browsers, and Keycloak's Account REST API to requests with a token. Paths begin below
 * `/account`.
 */
export function accountEndpoint(parts: AccountEndpointParts): Fallback {
  const { account, browsers, codes, sessions, accessTokens, confirmations } = parts;
  const { clock } = account;
  const accounts = new AccountSessions({ browsers, clock });
  const login = new AccountLogin({ browsers, codes, accounts, clock });
  const site = new AccountSite({ account, accounts, login, sessions, confirmations });
  const restApi = accountRest(account, accessTokens);
  return async function serveAccount(exchange: Exchange, path: string): Promise<void> {
    const { ctx } = exchange;
    const isBrowser = ctx.get('authorization') === '' && ctx.method !== 'OPTIONS' && acceptsHtml(ctx);
    if (isBrowser) await site.serve(exchange, path);
    else await restApi(exchange, path);
  };
}

/** The account page: finds the requested page, checks the session and the rights, and lets the page answer. */
class AccountSite {
  readonly #parts: AccountParts;
  readonly #accounts: AccountSessions;
  readonly #login: AccountLogin;
  readonly #sessions: SessionFactory;
  readonly #confirmations: LogoutConfirmations;

  constructor(parts: {
    account: AccountParts;
    accounts: AccountSessions;
    login: AccountLogin;
    sessions: SessionFactory;
    confirmations: LogoutConfirmations;
  }) {
    this.#parts = parts.account;
    this.#accounts = parts.accounts;
    this.#login = parts.login;
    this.#sessions = parts.sessions;
    this.#confirmations = parts.confirmations;
  }

  async serve(exchange: Exchange, path: string): Promise<void> {
    const { ctx } = exchange;
    const pages = [...NAVIGATION_PAGES, ...pluginPages(exchange)];
    const page = [...pages, ...UNLISTED_PAGES].find((candidate) => candidate.path === path);
    const isPost = ctx.method === 'POST';
    const methods = page?.post === undefined ? ['GET', 'HEAD'] : ['GET', 'HEAD', 'POST'];
    if (page === undefined && path !== START_PATH && `${ACCOUNT}${path}` !== CALLBACK) {
      throw notFound();
    }
    if (!methods.includes(ctx.method)) throw methodNotAllowed(methods.join(', '));
    if (`${ACCOUNT}${path}` === CALLBACK) {
      // HEAD must not redeem the code.
      if (ctx.method === 'HEAD') ctx.status = 200;
      else await this.#finishLogin(exchange);
      return;
    }
    const accountSession = await this.#accounts.current(exchange);
    if (accountSession === undefined) {
      return isPost
        ? this.#showSessionEnded(exchange, path)
        : this.#login.begin(exchange, { to: returnPathOf(exchange, path) });
    }
    const { realm } = exchange;
    const hostSession = this.#sessions.create(realm, callerOf(exchange), 'keyhost');
    try {
      const { user, session } = accountSession.browser;
      const roles = accountRoles(exchange, accountSession.browser);
      const accountContext = { exchange, user, session, roles, clientId: ACCOUNT_CONSOLE, parts: this.#parts };
      const signInAgain = (back: string) => this.#login.begin(exchange, { to: back, maxAge: 0 });
      const pageContext = { accounts: this.#accounts, confirmations: this.#confirmations };
      const requestContext = { ...accountContext, ...pageContext, accountSession, hostSession, signInAgain };
      const request = {
        ...requestContext,
        navigation: pages.filter((candidate) => candidate.isOffered(requestContext)),
      };
      this.#touch(request);
      if (path === START_PATH) await this.#startAction(request);
      else if (page?.isOffered(requestContext) !== true) await this.#showForbidden(exchange);
      else if (isPost) await this.#post(request, page);
      else await page.get(request, parseForm(ctx.querystring));
    } finally {
      await hostSession.close();
    }
  }

  async #post(request: AccountRequest, page: AccountPage): Promise<void> {
    const { exchange } = request;
    const form = await readForm(exchange.ctx.req);
    const isGenuine = isSameOrigin(exchange) && isFormToken(request.accountSession, form.get(FORM_TOKEN));
    if (isGenuine) return page.post?.(request, form);
    // The form is from an earlier session, or forged.
    const message = { key: 'accountFormInvalid', severity: 'error' as const };
    await this.#parts.pages.show(
      exchange,
      400,
      { page: 'error', backUrl: publicUrl(exchange, page.path) },
      { message },
    );
  }

  /** Starts a required action of the realm. Users whose login is not recent must sign in again first. */
  async #startAction(request: AccountRequest): Promise<void> {
    const { exchange } = request;
    const query = parseForm(exchange.ctx.querystring);
    const action = query.get('action') ?? '';
    const returnPath = NAVIGATION_PAGES.find(({ path }) => path === query.get('to'))?.path ?? '/';
    if (!canStartAction(request, action))
      return redirectWithNotice(request, returnPath, { key: 'accountForbidden', severity: 'error' });
    const maxAge = isRecentLogin(this.#parts, request) ? MAX_LOGIN_AGE_SECONDS : 0;
    await this.#login.begin(exchange, { to: returnPath, action, maxAge });
  }

  async #finishLogin(exchange: Exchange): Promise<void> {
    const outcome = await this.#login.finish(exchange);
    const { to: path } = outcome;
    if (outcome.outcome === 'done') return redirectWithNotice({ exchange, accounts: this.#accounts }, path);
    if (outcome.reason === 'action-refused' && (await this.#accounts.current(exchange)) !== undefined) {
      // The description in the URL may be forged, so it is not repeated.
      return redirectWithNotice({ exchange, accounts: this.#accounts }, path, {
        key: 'accountNotUpdatedMessage',
        severity: 'error',
      });
    }
    const key = outcome.reason === 'cookies' ? 'cookieNotFoundMessage' : 'accountLoginFailed';
    const message = { key, severity: 'error' as const };
    await this.#parts.pages.show(
      exchange,
      400,
      { page: 'error', backUrl: publicUrl(exchange, path) },
      { message, address: addressOf({ exchange }, path) },
    );
  }

  /**
   * Answers a form of an expired session with a link that starts a login. A form's response may not redirect to another
   * host.
   */
  #showSessionEnded(exchange: Exchange, path: string): Promise<void> {
    const message = { key: 'accountSessionEnded', severity: 'warning' as const };
    const continueUrl = publicUrl(exchange, path);
    return this.#parts.pages.show(
      exchange,
      401,
      { page: 'info', title: { key: 'signInAgainTitle' }, continueUrl },
      { message },
    );
  }

  #showForbidden(exchange: Exchange): Promise<void> {
    const message = { key: 'accountForbidden', severity: 'error' as const };
    return this.#parts.pages.show(exchange, 403, { page: 'error' }, { message });
  }

  /** Records the use of the page in the session, which prolongs its idle lifespan. */
  #touch({ exchange: { realm }, session }: AccountRequest): void {
    const client = realm.clients.get(ACCOUNT_CONSOLE);
    if (client === undefined || session === undefined) return;
    const now = this.#parts.clock.now();
    const expiresAt = sessionExpiry(realm, { ...session, lastRefresh: now });
    this.#parts.store.sessions.touch(session, client.id, now, expiresAt);
  }
}

function publicUrl({ realm }: Exchange, path: string): string {
  return `${realm.issuer}${ACCOUNT}${path}`;
}

/** The requested page, as the path to return to after a login. */
function returnPathOf({ ctx }: Exchange, path: string): string {
  return path === START_PATH ? '/' : `${path}${ctx.search.slice(0, 500)}`;
}
