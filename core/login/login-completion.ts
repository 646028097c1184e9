import type { User } from '../model/user.js';
import { RedirectedError } from '../oidc/authorization/authorization-request.js';
import { answerClient } from '../oidc/authorization/authorization-response.js';
import { shownUserCode } from '../oidc/devices/user-codes.js';
import { consentTexts, grantConsent, missingConsents } from '../sessions/consents.js';
import type { Users } from '../users/users.js';
import { type FinishLoginParts, finishLogin } from './finish-login.js';
import type { BrokeredLogins } from './flows/brokered-logins.js';
import { isHinted } from './flows/browser-flow-run.js';
import { reachedLevel } from './flows/levels.js';
import { unmet } from './flows/new-authentication.js';
import { type LoginVisit, userOfVisit } from './login-visit.js';
import { requireSession } from './require-session.js';
import type { AskedAction, RequiredActions } from './required-actions/required-actions.js';
import { showLoginPage } from './show-login-page.js';

export interface LoginCompletionParts extends FinishLoginParts {
  readonly users: Users;
  readonly actions: RequiredActions;
  readonly brokering: BrokeredLogins;
}

/** What `waitsFor` says while the consent page is shown. */
export const CONSENT = 'consent';

/** What follows the flow of a login: required actions and consent, then the answer to the client. */
export class LoginCompletion {
  readonly #parts: LoginCompletionParts;

  constructor(parts: LoginCompletionParts) {
    this.#parts = parts;
  }

  /** Asks for what is missing still, else finishes the login. @throws RedirectedError or PageRefusal */
  async goOn(visit: LoginVisit): Promise<void> {
    const { authentications, actions, pages, users } = this.#parts;
    const { exchange, authentication } = visit;
    const { request } = authentication;
    requireSession(authentications, visit);
    this.#requireWhatWasAsked(visit);
    const isSilent = request.prompts.includes('none');
    // A silent request asks for nothing and mails nothing: its user may not be there.
    if (isSilent && (await actions.arePending(visit))) throw new RedirectedError(request, 'interaction_required');
    const asked = await actions.next(visit);
    if (asked !== undefined) return this.#askAction(visit, asked);
    if (request.linkOnly === true) {
      authentications.remove(exchange, authentication);
      return answerClient(pages, exchange, request, {});
    }
    const user = await userOfVisit(users, visit);
    if (!mustAgree(visit, user)) return finishLogin(this.#parts, { ...visit, user });
    if (isSilent) throw new RedirectedError(request, 'interaction_required');
    await this.#askConsent(visit, user);
  }

  /** The answer to the page of a required action. @throws RedirectedError or PageRefusal */
  async acted(visit: LoginVisit, form: Readonly<Record<string, string>>): Promise<void> {
    requireSession(this.#parts.authentications, visit);
    const asked = await this.#parts.actions.answer(visit, form);
    if (asked !== undefined) await this.#askAction(visit, asked);
    else if (await this.#isGone(visit)) await this.#showGone(visit);
    else await this.goOn(visit);
  }

  /** The answer to the consent page. @throws RedirectedError or PageRefusal */
  async consented(visit: LoginVisit, agreed: boolean): Promise<void> {
    const { authentications, devices, users, clock } = this.#parts;
    const { exchange, authentication, client } = visit;
    const { request } = authentication;
    const user = await userOfVisit(users, visit);
    if (!agreed) {
      authentications.remove(exchange, authentication);
      const { userCode } = request;
      const denied = userCode === undefined || (await devices.deny(exchange.realm, userCode));
      throw new RedirectedError(request, denied ? 'access_denied' : 'expired_token');
    }
    requireSession(authentications, visit);
    if (client.consentRequired) await grantConsent(users, clock, exchange.realm, user, client, request.scope);
    await finishLogin(this.#parts, { ...visit, user: await userOfVisit(users, visit) });
  }

  /** @throws RedirectedError when the flow has shown another user, or less, than the client asked for */
  #requireWhatWasAsked({ exchange, authentication, client }: LoginVisit): void {
    const { request } = authentication;
    if (request.hintedSubject !== undefined && !isHinted(request, client, authentication.userId)) {
      this.#parts.authentications.remove(exchange, authentication);
      throw new RedirectedError(request, 'login_required');
    }
    if ((request.acr?.least ?? 0) > reachedLevel(authentication) && request.linkOnly !== true) {
      this.#parts.authentications.remove(exchange, authentication);
      throw unmet(request);
    }
  }

  async #askAction(visit: LoginVisit, asked: AskedAction): Promise<void> {
    const { exchange, authentication, client, session } = visit;
    authentication.waitsFor = asked.action;
    authentication.at = 'required-action';
    if (asked.outcome === 'identity-provider') {
      return this.#parts.brokering.leave(exchange, authentication, client, asked.alias);
    }
    const { page, message } = asked;
    const shown = message === undefined ? undefined : { severity: 'error' as const, ...message };
    await showLoginPage(this.#parts, exchange, authentication, client, page, { session, message: shown });
  }

  async #askConsent({ exchange, authentication, client, session }: LoginVisit, { username }: User): Promise<void> {
    const { scope, userCode } = authentication.request;
    authentication.waitsFor = CONSENT;
    authentication.at = CONSENT;
    const page = {
      page: 'consent',
      scopes: consentTexts(client, scope),
      username,
      userCode: userCode && shownUserCode(userCode),
    } as const;
    await showLoginPage(this.#parts, exchange, authentication, client, page, { session });
  }

  /** True when an action has removed the user. */
  async #isGone({ exchange, authentication: { userId } }: LoginVisit): Promise<boolean> {
    return userId !== undefined && (await this.#parts.users.byId(exchange.realm, userId)) === undefined;
  }

  async #showGone({ exchange, authentication, client }: LoginVisit): Promise<void> {
    const { authentications, browsers, pages } = this.#parts;
    authentications.remove(exchange, authentication);
    browsers.forget(exchange);
    await pages.show(exchange, 200, { page: 'info', title: { key: 'userDeletedSuccessfully' } }, { client });
  }
}

/** True when the user is asked before the client gets anything. */
function mustAgree({ authentication: { request }, client }: LoginVisit, user: User): boolean {
  // Whoever sends somebody a device's code wants its approval unseen (RFC 8628 §5.4): the user is always asked.
  if (request.userCode !== undefined) return true;
  if (!client.consentRequired) return false;
  return request.prompts.includes('consent') || missingConsents(user, client, request.scope).length > 0;
}
