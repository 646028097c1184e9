import { HostError, type Message, type OtherWay, type PollAnswer, type StepPage } from '@keyhost/spi';
import type { RequestEvents } from '../../http/request-events.js';
import { defined } from '../../model/defined.js';
import { SilentRequestRefusal } from '../../oidc/authorization/authorization-request.js';
import type { Execution } from '../../realms/flows/flow-model.js';
import type { HostAuthenticationSession, LoginStage } from '../authentication-sessions.js';
import { emitLoginEvent } from '../login-events.js';
import type { LoginPages } from '../login-pages.js';
import type { LoginRequestContext } from '../login-request-context.js';
import { flowPosition } from '../pending-redirects.js';
import { alternativeAuthenticators } from './alternative-authenticators.js';
import { type BrokeredLogins, brokeredFlow, brokeredStage, eventTypeOf, flowRefusal } from './brokered-logins.js';
import { BrowserFlowRun, type FlowRunParts } from './browser-flow-run.js';
import { flowOfLogin } from './flow-of-login.js';
import type { FlowResult, FlowRun } from './flow-run.js';
import { isProven } from './flow-state.js';
import { completeReset, leaveReset } from './reset-flow.js';
import { runAction, runFlow } from './run-flow.js';
import { runPoll } from './run-poll.js';

export interface LoginFlowParts extends FlowRunParts {
  readonly pages: LoginPages;
  readonly events: RequestEvents;
  readonly brokering: BrokeredLogins;
}

/** The posted form of the pending authenticator, or the parameters with which the browser returned to it. */
export interface FlowAnswer {
  readonly execution: Execution;
  readonly form: Readonly<Record<string, string>>;
  /** Default: `action`. */
  readonly method?: 'action' | 'returned';
}

/** Runs the flow of an authentication session, page by page. */
export class LoginFlow {
  readonly #parts: LoginFlowParts;

  constructor(parts: LoginFlowParts) {
    this.#parts = parts;
  }

  /**
   * Runs the flow from its current state, or with the answer to its page.
   * @returns true if the user has passed the flow; false if the browser got a page or a redirect
   * @throws SilentRequestRefusal or PageRefusal
   */
  async run(loginContext: LoginRequestContext, answer?: FlowAnswer): Promise<boolean> {
    const { exchange, authentication, client } = loginContext;
    const run = new BrowserFlowRun(this.#parts, loginContext);
    const answerResult = await this.#answer(run, loginContext, answer);
    const shouldContinue = answerResult.outcome === 'success' || answerResult.outcome === 'attempted';
    const result = shouldContinue ? await this.#runFlows(run, loginContext) : answerResult;
    if (result.outcome === 'waits') {
      await this.#showPage(
        loginContext,
        result,
        await alternativeAuthenticators(run, currentFlow(loginContext), result.execution),
      );
      return false;
    }
    if (result.outcome === 'success' && isProven(authentication)) return this.#continueAfterFlow(loginContext);
    if (result.outcome === 'fork') return this.#fork(loginContext, result.message);
    const { request } = authentication;
    if (request.prompts.includes('none')) throw new SilentRequestRefusal(request, 'login_required');
    if (result.outcome === 'redirect') {
      await this.#redirect(loginContext, result);
      return false;
    }
    if (result.outcome !== 'identity-provider') {
      const { brokering } = this.#parts;
      throw await flowRefusal(authentication, client, result, () =>
        brokering.findExistingUser(exchange.realm, authentication),
      );
    }
    await this.#parts.brokering.redirectToProvider(exchange, authentication, client, result);
    return false;
  }

  /**
   * Continues after a passed flow. After the flow for forgotten credentials the login flow runs, in which the followed
   * link counts as the password step.
   */
  async #continueAfterFlow(loginContext: LoginRequestContext): Promise<boolean> {
    const { exchange, authentication, client } = loginContext;
    if (authentication.flow !== 'reset-credentials') return true;
    completeReset(exchange, authentication, client);
    return authentication.request.linkOnly === true || this.run(loginContext);
  }

  /**
   * Returns to the start of the login with a message. A link outside a login has no login, so it only shows the
   * message.
   */
  async #fork(loginContext: LoginRequestContext, message: Message): Promise<boolean> {
    const { exchange, authentication, client } = loginContext;
    if (authentication.flow !== 'reset-credentials') {
      throw new HostError('provider_shape', 'a step answered fork outside of the flow for forgotten credentials');
    }
    leaveReset(authentication);
    const notice = { severity: 'success', ...message } as const;
    if (authentication.request.linkOnly === true) {
      await this.#parts.pages.showInfo(exchange, client, { key: 'emailForgotTitle' }, notice);
      return false;
    }
    authentication.notice = notice;
    return this.run(loginContext);
  }

  /** Polls the pending authenticator; undefined if it has no answer for its page. */
  async poll(loginContext: LoginRequestContext, execution: Execution): Promise<PollAnswer | undefined> {
    return runPoll(new BrowserFlowRun(this.#parts, loginContext), execution);
  }

  /** The result of the answer. It is `success` if there was no answer, or if the user chose an alternative. */
  async #answer(run: FlowRun, loginContext: LoginRequestContext, answer: FlowAnswer | undefined): Promise<FlowResult> {
    if (answer === undefined) return { outcome: 'success' };
    const { execution, form, method } = answer;
    const chosenId = method === 'returned' ? undefined : form.authenticationExecution;
    if (chosenId === undefined) return runAction(run, execution, form, method);
    const { authentication } = loginContext;
    const ways = await alternativeAuthenticators(run, currentFlow(loginContext), execution);
    if (ways.some((way) => way.execution === chosenId)) {
      authentication.chosen = [chosenId, ...authentication.chosen.filter((id) => id !== chosenId)];
    }
    return { outcome: 'success' };
  }

  /** Runs the current flow, and after a broker flow the next one. */
  async #runFlows(run: FlowRun, loginContext: LoginRequestContext): Promise<FlowResult> {
    const { exchange, authentication, client } = loginContext;
    for (;;) {
      if (authentication.brokered?.stage === 'done') return { outcome: 'success' };
      const isBrokered = brokeredStage(authentication) !== undefined;
      const result = await runFlow(run, currentFlow(loginContext));
      if (!isBrokered || result.outcome !== 'success') return result;
      await this.#parts.brokering.completeStage(exchange, authentication, client);
    }
  }

  /** Redirects the browser as the authenticator requested. No page is pending then. */
  async #redirect(
    { exchange, authentication }: LoginRequestContext,
    { execution, to: location, state }: Extract<FlowResult, { outcome: 'redirect' }>,
  ): Promise<void> {
    delete authentication.waitsFor;
    authentication.at = stageOf(authentication);
    authentication.away = { execution: execution.id, state, from: flowPosition(authentication) };
    await this.#parts.pages.redirectAway(exchange, authentication, location);
  }

  /** Shows the page of the pending step. */
  async #showPage(
    { exchange, authentication, client, session }: LoginRequestContext,
    { execution, step, resources }: Extract<FlowResult, { outcome: 'waits' }>,
    otherWays: readonly OtherWay[],
  ): Promise<void> {
    const { request } = authentication;
    if (request.prompts.includes('none')) throw new SilentRequestRefusal(request, 'login_required');
    if (step.error !== undefined) {
      const username = step.page.page === 'login' ? step.page.username : undefined;
      emitLoginEvent(this.#parts.events, exchange, authentication, eventTypeOf(authentication), {
        error: step.error,
        userId: step.userId,
        details: defined({ username, credential_type: step.credentialType }),
      });
    }
    authentication.waitsFor = execution.id;
    authentication.at = stageOf(authentication);
    // If the user opens another page, the authenticator's redirect is no longer pending.
    if (authentication.away?.alias === undefined) delete authentication.away;
    if (step.poll === undefined) delete authentication.polledAt;
    else authentication.polledAt = 0;
    const message =
      step.message === undefined ? authentication.notice : { severity: 'error' as const, ...step.message };
    delete authentication.notice;
    await this.#parts.pages.show(exchange, authentication, client, pageOf(authentication, step.page), {
      session,
      message,
      otherWays,
      poll: step.poll,
      resources,
    });
  }
}

/** The step's page. For a link outside a login it has no cancel button, because there is no login page to return to. */
function pageOf({ flow, request }: HostAuthenticationSession, page: StepPage): StepPage {
  if (page.page !== 'form' || flow !== 'reset-credentials' || request.linkOnly !== true) return page;
  const { cancel: _, ...rest } = page;
  return rest;
}

/** The endpoint that the pages of the flow post to. */
function stageOf(authentication: HostAuthenticationSession): LoginStage {
  const { flow } = authentication;
  return brokeredStage(authentication) ?? (flow === 'browser' ? 'authenticate' : flow);
}

function currentFlow({ exchange: { realm }, authentication, client }: LoginRequestContext): readonly Execution[] {
  return brokeredFlow(realm, authentication) ?? flowOfLogin(realm, client, authentication);
}
