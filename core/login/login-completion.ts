import { RedirectedError, SilentRequestRefusal } from '../oidc/authorization/authorization-request.js';
import type { Users } from '../users/users.js';
import type { AuthenticationSessions } from './authentication-sessions.js';
import type { BrokeredLogins } from './flows/brokered-logins.js';
import { isHintedUser } from './flows/browser-flow-run.js';
import { reachedLevel } from './flows/levels.js';
import { unmetRequirementsError } from './flows/new-authentication.js';
import { RESET_CREDENTIALS } from './links/browser-link-logins.js';
import type { SingleUseLinks } from './links/single-use-links.js';
import { type LoginConsent, requiresConsent } from './login-consent.js';
import type { LoginEnd } from './login-end.js';
import type { LoginPages } from './login-pages.js';
import { type LoginRequestContext, userOfLogin } from './login-request-context.js';
import { requireActiveUserSession } from './require-session.js';
import type { PendingActionPage, RequiredActions } from './required-actions/required-actions.js';

export interface LoginCompletionParts {
  readonly users: Users;
  readonly authentications: AuthenticationSessions;
  readonly actions: RequiredActions;
  readonly brokering: BrokeredLogins;
  readonly pages: LoginPages;
  readonly consent: LoginConsent;
  readonly end: LoginEnd;
  readonly singleUseLinks: SingleUseLinks;
}

/** The part of a login after its flow: required actions and consent, then the response to the client. */
export class LoginCompletion {
  readonly #parts: LoginCompletionParts;

  constructor(parts: LoginCompletionParts) {
    this.#parts = parts;
  }

  /**
   * Shows the next required action or the consent page, or else finishes the login.
   * @throws RedirectedError or PageRefusal
   */
  async continue(loginContext: LoginRequestContext): Promise<void> {
    const { authentications, actions, consent, end, users } = this.#parts;
    const { request } = loginContext.authentication;
    requireActiveUserSession(authentications, loginContext);
    this.#requireRequestedUserAndLevel(loginContext);
    const isSilent = request.prompts.includes('none');
    // A silent request (`prompt=none`) shows nothing and sends no mail, because its user may be absent.
    if (isSilent && (await actions.hasPending(loginContext)))
      throw new SilentRequestRefusal(request, 'interaction_required');
    const pendingPage = isSilent ? undefined : await actions.next(loginContext);
    if (pendingPage !== undefined) return this.#askAction(loginContext, pendingPage);
    await this.#useUpLink(loginContext);
    const { linkOnly, signsIn: signIn } = request;
    if (linkOnly === true && signIn === undefined) return end.finishLink(loginContext);
    const user = await userOfLogin(users, loginContext);
    // A login by link gives the application nothing. Consent is part of the application's own request.
    if (signIn !== undefined || !requiresConsent(loginContext, user)) return end.finish({ ...loginContext, user });
    if (isSilent) throw new SilentRequestRefusal(request, 'interaction_required');
    await consent.showConsentPage(loginContext, user);
  }

  /** Handles the posted page of a required action. @throws RedirectedError or PageRefusal */
  async submitRequiredAction(loginContext: LoginRequestContext, form: Readonly<Record<string, string>>): Promise<void> {
    requireActiveUserSession(this.#parts.authentications, loginContext);
    const pendingPage = await this.#parts.actions.answer(loginContext, form);
    if (pendingPage !== undefined) await this.#askAction(loginContext, pendingPage);
    else if (await this.#isUserDeleted(loginContext)) await this.#parts.end.showUserDeleted(loginContext);
    else await this.continue(loginContext);
  }

  /** Handles the posted consent page. @throws RedirectedError or PageRefusal */
  async submitConsent(loginContext: LoginRequestContext, hasAgreed: boolean): Promise<void> {
    const user = await this.#parts.consent.handleAnswer(loginContext, hasAgreed);
    await this.#parts.end.finish({ ...loginContext, user });
  }

  /**
   * Uses up the link for forgotten credentials, if no execution of its flow has done so.
   * @throws PageRefusal if the link is no longer valid
   */
  async #useUpLink(loginContext: LoginRequestContext): Promise<void> {
    const { link } = loginContext.authentication;
    if (link?.type !== RESET_CREDENTIALS || link.spent) return;
    const user = await userOfLogin(this.#parts.users, loginContext);
    await this.#parts.singleUseLinks.run(loginContext, user, async () => ({ outcome: 'success' }));
  }

  /**
   * Checks that the login is of the requested user and has the required level.
   * @throws RedirectedError if not
   */
  #requireRequestedUserAndLevel({ exchange, authentication, client }: LoginRequestContext): void {
    const { request } = authentication;
    if (request.hintedSubject !== undefined && !isHintedUser(request, client, authentication.userId)) {
      this.#parts.authentications.remove(exchange, authentication);
      throw new RedirectedError(request, 'login_required');
    }
    if ((request.acr?.least ?? 0) > reachedLevel(authentication) && request.linkOnly !== true) {
      this.#parts.authentications.remove(exchange, authentication);
      throw unmetRequirementsError(request);
    }
  }

  async #askAction(loginContext: LoginRequestContext, pendingPage: PendingActionPage): Promise<void> {
    const { exchange, authentication, client, session } = loginContext;
    authentication.waitsFor = pendingPage.action;
    authentication.at = 'required-action';
    if (pendingPage.outcome === 'identity-provider') {
      return this.#parts.brokering.redirectToProvider(exchange, authentication, client, pendingPage);
    }
    const { page, message } = pendingPage;
    const pageMessage = message === undefined ? undefined : { severity: 'error' as const, ...message };
    await this.#parts.pages.show(exchange, authentication, client, page, { session, message: pageMessage });
  }

  /** True if a required action has deleted the user. */
  async #isUserDeleted({ exchange, authentication: { userId } }: LoginRequestContext): Promise<boolean> {
    return userId !== undefined && (await this.#parts.users.byId(exchange.realm, userId)) === undefined;
  }
}
