import { COOKIE, clearCookie } from '../http/cookies.js';
import type { RequestEvents } from '../http/request-events.js';
import { BY_SESSION, IMPERSONATION } from '../model/sign-in-counts.js';
import type { AuthorizationCodes } from '../oidc/authorization/authorization-codes.js';
import { PageRefusal } from '../oidc/authorization/authorization-request.js';
import { answerClient } from '../oidc/authorization/authorization-response.js';
import type { DeviceCodes } from '../oidc/devices/device-codes.js';
import type { PageWriter } from '../pages/page-writer.js';
import type { LoginFailures } from '../users/passwords/login-failures.js';
import type { AuthenticationSessions } from './authentication-sessions.js';
import { emitLoginEvent } from './login-events.js';
import type { LoginRequestContext } from './login-request-context.js';
import type { FinishedLogin, LoginSessions } from './login-sessions.js';
import { initiatedAlias } from './required-actions/action.js';
import { writeUsernameCookie } from './username-cookie.js';

export interface LoginEndParts {
  readonly authentications: AuthenticationSessions;
  readonly logins: LoginSessions;
  readonly codes: AuthorizationCodes;
  readonly devices: DeviceCodes;
  readonly events: RequestEvents;
  readonly failures: LoginFailures;
  readonly pages: PageWriter;
}

/** Ends logins: with a user session, with the result of a link, or because the user was deleted. */
export class LoginEnd {
  readonly #parts: LoginEndParts;

  constructor(parts: LoginEndParts) {
    this.#parts = parts;
  }

  /**
   * Starts a user session, or joins the browser's session, and answers the client.
   * @throws PageRefusal if the browser is signed in as another user
   * @throws RedirectedError `login_required` if the session has ended in the meantime
   */
  async finish(login: FinishedLogin): Promise<void> {
    const { authentications, codes, devices, events, failures, logins, pages } = this.#parts;
    const { exchange, authentication, client, user, browser } = login;
    const { request } = authentication;
    if (browser !== undefined && browser.user.id !== user.id) {
      // Another tab has signed in, or the request asked for another user. Two users never share a browser session.
      const key = 'differentUserAuthenticated';
      throw new PageRefusal('different_user_authenticated', { key, params: [browser.user.username] }, { client });
    }
    const userSession = logins.sessionOf(login);
    const [isUserSignIn, code] = await Promise.all([
      logins.attach(login, userSession),
      // After the client session got its start time: the code must not be older than it.
      request.responseType === 'code' ? codes.issue(exchange.realm, client, request, userSession) : undefined,
    ]);
    await logins.setCookie(login, userSession);
    // An existing session proves nothing new, so it does not reset the failed logins.
    if (browser === undefined) await failures.resetAfterLogin(exchange.realm, user);
    authentications.remove(exchange, authentication);
    if (!(await authentications.hasOthers(exchange, authentication)))
      clearCookie(exchange, COOKIE.authenticationSession);
    clearCookie(exchange, COOKIE.restart);
    if (browser === undefined) writeUsernameCookie(exchange, userSession.rememberMe ? user.username : undefined);
    emitLoginEvent(events, exchange, authentication, 'LOGIN', {
      userId: user.id,
      sessionId: userSession.id,
      counted: isUserSignIn ? loginMethod(authentication) : IMPERSONATION,
    });
    if (request.userCode !== undefined) {
      const isApproved = await devices.approve(exchange.realm, request.userCode, userSession);
      return answerClient(pages, exchange, request, isApproved ? {} : { error: 'expired_token' });
    }
    if (request.signsIn !== undefined) return this.#showSignedIn(login, request.signsIn.target);
    const sessionState = client.settings.authorizationResponseSessionState ? userSession.id : undefined;
    const { actionStatus } = authentication;
    // The status is `error` if the action does not exist or has failed. As in Keycloak, the response then has no
    // `kc_action`.
    const action =
      actionStatus === 'success' || actionStatus === 'cancelled' ? initiatedAlias(authentication) : undefined;
    const actionResult = { kc_action: action, kc_action_status: actionStatus };
    await answerClient(pages, exchange, request, { session_state: sessionState, code, ...actionResult });
  }

  /**
   * Redirects to the application after a login by link. The application then starts its own login, which the new user
   * session satisfies. Without an application to return to, shows a page.
   */
  async #showSignedIn({ exchange, client }: LoginRequestContext, target: string | undefined): Promise<void> {
    const { ctx } = exchange;
    if (target === undefined) {
      const message = { severity: 'success', key: 'loginLinkDoneText' } as const;
      return this.#parts.pages.show(
        exchange,
        200,
        { page: 'info', title: { key: 'loginLinkTitle' } },
        { client, message },
      );
    }
    ctx.status = 302;
    ctx.set('Cache-Control', 'no-store, must-revalidate, max-age=0');
    ctx.set('Referrer-Policy', 'no-referrer');
    ctx.set('Location', target);
    ctx.body = '';
  }

  /** Ends a link outside a login after the user has completed its actions. No one is signed in. */
  async finishLink({ exchange, authentication }: LoginRequestContext): Promise<void> {
    this.#parts.authentications.remove(exchange, authentication);
    await answerClient(this.#parts.pages, exchange, authentication.request, {});
  }

  /** Shows that a required action has deleted the user. */
  async showUserDeleted({ exchange, authentication, client }: LoginRequestContext): Promise<void> {
    const { authentications, logins, pages } = this.#parts;
    authentications.remove(exchange, authentication);
    logins.clearCookie(exchange);
    await pages.show(exchange, 200, { page: 'info', title: { key: 'userDeletedSuccessfully' } }, { client });
  }
}

/**
 * The label of a login in statistics: `session` for single sign-on, `identity-provider`, or the types of credentials
 * that were used, joined by `+`.
 */
function loginMethod({ bySession, brokered, credentialTypes }: LoginRequestContext['authentication']): string {
  if (bySession) return BY_SESSION;
  if (brokered !== undefined) return 'identity-provider';
  return [...credentialTypes].sort().join('+');
}
