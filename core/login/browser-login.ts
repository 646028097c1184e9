import type { OtherWay } from '@keyhost/spi';
import type { MailedLinks } from '../action-tokens/mailed-links.js';
import { callerOf, type Exchange } from '../http/exchange.js';
import type { Client } from '../model/client.js';
import type { User } from '../model/user.js';
import type { BrowserLogin as Login } from '../oidc/authorization/authorization-endpoint.js';
import {
  type AuthorizationRequest,
  PageRefusal,
  RedirectedError,
} from '../oidc/authorization/authorization-request.js';
import { answerClient } from '../oidc/authorization/authorization-response.js';
import { shownUserCode } from '../oidc/devices/user-codes.js';
import { type Execution, flowOf } from '../realms/flows/flow-model.js';
import type { HostSession, SessionFactory } from '../registry/sessions/session.js';
import type { BrowserSession } from '../sessions/browser-sessions.js';
import { consentTexts, grantConsent, missingConsents } from '../sessions/consents.js';
import type { Users } from '../users/users.js';
import { answerableClient } from './answerable-client.js';
import type { HostAuthenticationSession } from './authentication-sessions.js';
import { emitOfLogin } from './emit-of-login.js';
import { type FinishLoginParts, finishLogin } from './finish-login.js';
import {
  type BrokeredLogins,
  brokeredFlow,
  brokeredStage,
  eventTypeOf,
  leaveFlow,
  refusalOf,
} from './flows/brokered-logins.js';
import { flowRunOf, isHinted } from './flows/flow-run-of-login.js';
import { reachedLevel } from './flows/levels.js';
import { newAuthentication, unmet } from './flows/new-authentication.js';
import { otherWays } from './flows/other-ways.js';
import { type FlowResult, type FlowRun, runAction, runFlow } from './flows/run-flow.js';
import type { SessionEnding } from './logout/session-ending.js';
import { requireSession } from './require-session.js';
import { type AskedAction, RequiredActions } from './required-actions/required-actions.js';
import { showLoginPage } from './show-login-page.js';

export interface BrowserLoginParts extends FinishLoginParts {
  readonly sessions: SessionFactory;
  readonly users: Users;
  readonly ending: SessionEnding;
  readonly links: MailedLinks;
  readonly brokering: BrokeredLogins;
}

/** What `waitsFor` says while the consent page is shown. */
export const CONSENT = 'consent';

/**
 * Logs a user in for an authorization request: the realm's browser flow, then required actions and consent, then
 * the answer to the client.
 * Between pages an authentication session waits.
 */
export class BrowserLogin implements Login {
  readonly #parts: BrowserLoginParts;
  readonly #actions: RequiredActions;

  constructor(parts: BrowserLoginParts) {
    this.#parts = parts;
    this.#actions = new RequiredActions(parts);
  }

  /** @throws RedirectedError or PageRefusal */
  async begin(exchange: Exchange, request: AuthorizationRequest, client: Client): Promise<void> {
    await this.proceed(exchange, newAuthentication(this.#parts.authentications, exchange, request, client), client);
  }

  takePushed(
    exchange: Exchange,
    name: string,
    clientId: string | undefined,
  ): { request: AuthorizationRequest; client: Client } | undefined {
    const { authentications } = this.#parts;
    const authentication = authentications.findPushed(exchange, name);
    if (authentication === undefined || authentication.clientId !== clientId) return undefined;
    authentications.remove(exchange, authentication);
    const client = answerableClient(exchange.realm, authentication.request);
    return client === undefined ? undefined : { request: authentication.request, client };
  }

  /** Goes over to another flow, from its beginning. @throws RedirectedError or PageRefusal */
  async enter(
    exchange: Exchange,
    authentication: HostAuthenticationSession,
    client: Client,
    flow: HostAuthenticationSession['flow'],
  ): Promise<void> {
    leaveFlow(authentication);
    authentication.flow = flow;
    authentication.notes = {};
    delete authentication.level;
    delete authentication.away;
    await this.proceed(exchange, authentication, client);
  }

  /** Begins an authentication session again that took too long, and says so. @throws RedirectedError or PageRefusal */
  async beginAgain(exchange: Exchange, request: AuthorizationRequest, client: Client): Promise<void> {
    const authentication = newAuthentication(this.#parts.authentications, exchange, request, client);
    authentication.notice = { severity: 'warning', key: 'loginTimeout' };
    await this.proceed(exchange, authentication, client);
  }

  /**
   * Goes on with an authentication session: runs the flow from where it is, or with the answer to the page that was shown.
   * @param answer the form of the step that it waits for
   * @throws RedirectedError or PageRefusal
   */
  async proceed(
    exchange: Exchange,
    authentication: HostAuthenticationSession,
    client: Client,
    answer?: { execution: Execution; form: Readonly<Record<string, string>> },
  ): Promise<void> {
    const session = this.#parts.sessions.create(exchange.realm, callerOf(exchange), 'keyhost');
    try {
      const browser = await this.#browser(exchange, authentication);
      const run = flowRunOf(this.#parts, { exchange, authentication, client, browser, session });
      let result: FlowResult = { outcome: 'success' };
      // A link's user does what it asks for, and is not logged in.
      if (authentication.request.linkOnly === true && authentication.userId !== undefined) {
        return await this.#authenticated(exchange, authentication, client, browser, session);
      }
      const flow = () =>
        brokeredFlow(exchange.realm, authentication) ?? flowOf(exchange.realm, client, authentication.flow);
      const chosen = answer?.form.authenticationExecution;
      if (answer !== undefined && chosen !== undefined) {
        const ways = await otherWays(run, flow(), answer.execution);
        if (ways.some(({ execution }) => execution === chosen)) {
          authentication.chosen = [chosen, ...authentication.chosen.filter((one) => one !== chosen)];
        }
      } else if (answer !== undefined) result = await runAction(run, answer.execution, answer.form);
      if (result.outcome === 'success' || result.outcome === 'attempted') {
        result = await this.#runFlows(run, exchange, authentication, client);
      }
      if (result.outcome === 'waits') {
        const ways = await otherWays(run, flow(), result.execution);
        await this.#ask(exchange, authentication, client, result, ways, session);
      } else if (result.outcome === 'success' && authentication.userId !== undefined) {
        await this.#authenticated(exchange, authentication, client, browser, session);
      } else {
        if (authentication.request.prompts.includes('none'))
          throw new RedirectedError(authentication.request, 'login_required');
        if (result.outcome === 'identity-provider') {
          return await this.#parts.brokering.leave(exchange, authentication, client, result.alias);
        }
        throw refusalOf(authentication, client, result);
      }
    } finally {
      await session.close();
    }
  }

  /** The flow that the authentication session is at, and after a first login at an identity provider what follows it. */
  async #runFlows(
    run: FlowRun,
    exchange: Exchange,
    authentication: HostAuthenticationSession,
    client: Client,
  ): Promise<FlowResult> {
    for (;;) {
      const stage = authentication.brokered?.stage;
      if (stage === 'done') return { outcome: 'success' };
      const flow = brokeredFlow(exchange.realm, authentication);
      const result = await runFlow(run, flow ?? flowOf(exchange.realm, client, authentication.flow));
      if (flow === undefined || result.outcome !== 'success' || authentication.userId === undefined) return result;
      await this.#parts.brokering.passed(exchange, authentication, client);
    }
  }

  /** The answer to the page of a required action. @throws RedirectedError or PageRefusal */
  async acted(
    exchange: Exchange,
    authentication: HostAuthenticationSession,
    client: Client,
    form: Readonly<Record<string, string>>,
  ): Promise<void> {
    const session = this.#parts.sessions.create(exchange.realm, callerOf(exchange), 'keyhost');
    try {
      const browser = await this.#browser(exchange, authentication);
      requireSession(this.#parts.authentications, exchange, authentication, client, browser);
      const asked = await this.#actions.answer({ exchange, authentication, client, session, browser }, form);
      if (asked === undefined && (await this.#isGone(exchange, authentication)))
        await this.#showGone(exchange, authentication, client);
      else if (asked === undefined) await this.#authenticated(exchange, authentication, client, browser, session);
      else await this.#askAction(exchange, authentication, client, asked, session);
    } finally {
      await session.close();
    }
  }

  /** The answer to the consent page. @throws RedirectedError */
  async consented(
    exchange: Exchange,
    authentication: HostAuthenticationSession,
    client: Client,
    agreed: boolean,
  ): Promise<void> {
    const { users, clock } = this.#parts;
    const user = await this.#user(exchange, authentication, client);
    if (!agreed) {
      this.#parts.authentications.remove(exchange, authentication);
      const { userCode } = authentication.request;
      const denied = userCode === undefined || (await this.#parts.devices.deny(exchange.realm, userCode));
      throw new RedirectedError(authentication.request, denied ? 'access_denied' : 'expired_token');
    }
    const browser = await this.#browser(exchange, authentication);
    requireSession(this.#parts.authentications, exchange, authentication, client, browser);
    if (client.consentRequired)
      await grantConsent(users, clock, exchange.realm, user, client, authentication.request.scope);
    const fresh = await this.#user(exchange, authentication, client);
    await finishLogin(this.#parts, { exchange, authentication, client, user: fresh, browser });
  }

  /** The user session that the browser has. Who registers is a new user, whoever was logged in before. */
  #browser(exchange: Exchange, { flow }: HostAuthenticationSession): Promise<BrowserSession | undefined> {
    return flow === 'registration' ? Promise.resolve(undefined) : this.#parts.browsers.current(exchange);
  }

  async #ask(
    exchange: Exchange,
    authentication: HostAuthenticationSession,
    client: Client,
    { execution, step }: Extract<FlowResult, { outcome: 'waits' }>,
    otherWays: readonly OtherWay[],
    session: HostSession,
  ): Promise<void> {
    const { request } = authentication;
    if (request.prompts.includes('none')) throw new RedirectedError(request, 'login_required');
    if (step.error !== undefined) {
      const username = step.page.page === 'login' ? step.page.username : undefined;
      const details: Record<string, string> = username === undefined ? {} : { username };
      emitOfLogin(this.#parts, exchange, authentication, eventTypeOf(authentication), {
        error: step.error,
        userId: step.userId,
        details,
      });
    }
    authentication.waitsFor = execution.id;
    authentication.at =
      brokeredStage(authentication) ?? (authentication.flow === 'registration' ? 'registration' : 'authenticate');
    const message =
      step.message === undefined ? authentication.notice : { severity: 'error' as const, ...step.message };
    delete authentication.notice;
    await showLoginPage(this.#parts, exchange, authentication, client, step.page, { session, message, otherWays });
  }

  async #authenticated(
    exchange: Exchange,
    authentication: HostAuthenticationSession,
    client: Client,
    browser: BrowserSession | undefined,
    session: HostSession,
  ): Promise<void> {
    const { request } = authentication;
    requireSession(this.#parts.authentications, exchange, authentication, client, browser);
    if (request.hintedSubject !== undefined && !isHinted(request, client, authentication.userId)) {
      // The client asked for one user and is told nothing of another.
      this.#parts.authentications.remove(exchange, authentication);
      throw new RedirectedError(request, 'login_required');
    }
    if ((request.acr?.least ?? 0) > reachedLevel(authentication) && request.linkOnly !== true) {
      this.#parts.authentications.remove(exchange, authentication);
      throw unmet(request);
    }
    const isSilent = request.prompts.includes('none');
    const run = { exchange, authentication, client, session, browser };
    // A silent request asks for nothing and mails nothing: its user may not be there.
    if (isSilent && (await this.#actions.arePending(run))) throw new RedirectedError(request, 'interaction_required');
    const asked = await this.#actions.next(run);
    if (asked !== undefined) return this.#askAction(exchange, authentication, client, asked, session);
    if (request.linkOnly === true) {
      this.#parts.authentications.remove(exchange, authentication);
      return answerClient(this.#parts.pages, exchange, request, {});
    }
    const user = await this.#user(exchange, authentication, client);
    const missing = missingConsents(user, client, request.scope);
    // Whoever sends somebody a device's code wants its approval unseen (RFC 8628 §5.4): the user is always asked.
    const { userCode } = request;
    const mustAgree = client.consentRequired && (missing.length > 0 || request.prompts.includes('consent'));
    if (mustAgree || userCode !== undefined) {
      if (isSilent) throw new RedirectedError(request, 'interaction_required');
      authentication.waitsFor = CONSENT;
      authentication.at = CONSENT;
      const consent = { scopes: consentTexts(client, request.scope), username: user.username };
      const shown = userCode === undefined ? {} : { userCode: shownUserCode(userCode) };
      await showLoginPage(
        this.#parts,
        exchange,
        authentication,
        client,
        { page: 'consent', ...consent, ...shown },
        { session },
      );
      return;
    }
    await finishLogin(this.#parts, { exchange, authentication, client, user, browser });
  }

  async #askAction(
    exchange: Exchange,
    authentication: HostAuthenticationSession,
    client: Client,
    asked: AskedAction,
    session: HostSession,
  ): Promise<void> {
    authentication.waitsFor = asked.action;
    authentication.at = 'required-action';
    if (asked.outcome === 'identity-provider') {
      return this.#parts.brokering.leave(exchange, authentication, client, asked.alias);
    }
    const { page, message } = asked;
    const shown = message === undefined ? undefined : { severity: 'error' as const, ...message };
    await showLoginPage(this.#parts, exchange, authentication, client, page, { session, message: shown });
  }

  /** True when an action has removed the user. */
  async #isGone({ realm }: Exchange, { userId }: HostAuthenticationSession): Promise<boolean> {
    return userId !== undefined && (await this.#parts.users.byId(realm, userId)) === undefined;
  }

  async #showGone(exchange: Exchange, authentication: HostAuthenticationSession, client: Client): Promise<void> {
    this.#parts.authentications.remove(exchange, authentication);
    this.#parts.browsers.forget(exchange);
    const title = { key: 'userDeletedSuccessfully' };
    await this.#parts.pages.show(exchange, 200, { page: 'info', title }, { client });
  }

  async #user({ realm }: Exchange, authentication: HostAuthenticationSession, client: Client): Promise<User> {
    const user =
      authentication.userId === undefined ? undefined : await this.#parts.users.byId(realm, authentication.userId);
    if (user?.enabled === true) return user;
    throw new PageRefusal('user_disabled', { key: 'accountDisabledMessage' }, { client });
  }
}
