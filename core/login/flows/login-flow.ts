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
import { type BrokeredLogins, brokeredFlow, brokeredStage, eventTypeOf, refusalOf } from './brokered-logins.js';
import { BrowserFlowRun, type FlowRunParts } from './browser-flow-run.js';
import { flowOfLogin } from './flow-of-login.js';
import { isProven } from './flow-state.js';
import { completeReset, leaveReset } from './reset-flow.js';
import { type FlowResult, type FlowRun, runAction, runFlow } from './run-flow.js';
import { runPoll } from './run-poll.js';

export interface LoginFlowParts extends FlowRunParts {
  readonly pages: LoginPages;
  readonly events: RequestEvents;
  readonly brokering: BrokeredLogins;
}

/** The form of the pending step, or the parameters that the browser brought back. */
export interface FlowAnswer {
  readonly execution: Execution;
  readonly form: Readonly<Record<string, string>>;
  /** Default: `action`. */
  readonly asks?: 'action' | 'returned';
}

/** Runs the flow of an authentication session, page by page. */
export class LoginFlow {
  readonly #parts: LoginFlowParts;

  constructor(parts: LoginFlowParts) {
    this.#parts = parts;
  }

  /**
   * Runs the flow from its present state, or with the answer to its page.
   * @returns true if the user has passed the flow; false if the browser got a page or a redirect
   * @throws SilentRequestRefusal or PageRefusal
   */
  async run(visit: LoginRequestContext, answer?: FlowAnswer): Promise<boolean> {
    const { exchange, authentication, client } = visit;
    const run = new BrowserFlowRun(this.#parts, visit);
    const answered = await this.#answer(run, visit, answer);
    const goesOn = answered.outcome === 'success' || answered.outcome === 'attempted';
    const result = goesOn ? await this.#runFlows(run, visit) : answered;
    if (result.outcome === 'waits') {
      await this.#ask(visit, result, await alternativeAuthenticators(run, currentFlow(visit), result.execution));
      return false;
    }
    if (result.outcome === 'success' && isProven(authentication)) return this.#passed(visit);
    if (result.outcome === 'fork') return this.#fork(visit, result.message);
    const { request } = authentication;
    if (request.prompts.includes('none')) throw new SilentRequestRefusal(request, 'login_required');
    if (result.outcome === 'redirect') {
      await this.#leave(visit, result);
      return false;
    }
    if (result.outcome !== 'identity-provider') {
      const { brokering } = this.#parts;
      throw await refusalOf(authentication, client, result, () =>
        brokering.findExistingUser(exchange.realm, authentication),
      );
    }
    await this.#parts.brokering.redirectToProvider(exchange, authentication, client, result);
    return false;
  }

  /** The login flow follows the flow for forgotten credentials; the link has satisfied its password step. */
  async #passed(visit: LoginRequestContext): Promise<boolean> {
    const { exchange, authentication, client } = visit;
    if (authentication.flow !== 'reset-credentials') return true;
    completeReset(exchange, authentication, client);
    return authentication.request.linkOnly === true || this.run(visit);
  }

  /** Returns to the beginning of the login. A link outside a login has none, so only shows the message. */
  async #fork(visit: LoginRequestContext, message: Message): Promise<boolean> {
    const { exchange, authentication, client } = visit;
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
    return this.run(visit);
  }

  /** Polls the pending step; undefined if it has no answer for its page. */
  async poll(visit: LoginRequestContext, execution: Execution): Promise<PollAnswer | undefined> {
    return runPoll(new BrowserFlowRun(this.#parts, visit), execution);
  }

  /** The result of the answer; `success` if there was none, or if the user chose another alternative. */
  async #answer(run: FlowRun, visit: LoginRequestContext, answer: FlowAnswer | undefined): Promise<FlowResult> {
    if (answer === undefined) return { outcome: 'success' };
    const { execution, form, asks } = answer;
    const chosen = asks === 'returned' ? undefined : form.authenticationExecution;
    if (chosen === undefined) return runAction(run, execution, form, asks);
    const { authentication } = visit;
    const ways = await alternativeAuthenticators(run, currentFlow(visit), execution);
    if (ways.some((way) => way.execution === chosen)) {
      authentication.chosen = [chosen, ...authentication.chosen.filter((one) => one !== chosen)];
    }
    return { outcome: 'success' };
  }

  /** Runs the current flow, and after a first broker login the flow that follows it. */
  async #runFlows(run: FlowRun, visit: LoginRequestContext): Promise<FlowResult> {
    const { exchange, authentication, client } = visit;
    for (;;) {
      if (authentication.brokered?.stage === 'done') return { outcome: 'success' };
      const isBrokered = brokeredStage(authentication) !== undefined;
      const result = await runFlow(run, currentFlow(visit));
      if (!isBrokered || result.outcome !== 'success') return result;
      await this.#parts.brokering.completeStage(exchange, authentication, client);
    }
  }

  /** Redirects the browser as the step asked. No page is pending then. */
  async #leave(
    { exchange, authentication }: LoginRequestContext,
    { execution, to, state }: Extract<FlowResult, { outcome: 'redirect' }>,
  ): Promise<void> {
    delete authentication.waitsFor;
    authentication.at = stageOf(authentication);
    authentication.away = { execution: execution.id, state, from: flowPosition(authentication) };
    await this.#parts.pages.redirectAway(exchange, authentication, to);
  }

  /** Shows the page of the pending step. */
  async #ask(
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
        details: defined({ username }),
      });
    }
    authentication.waitsFor = execution.id;
    authentication.at = stageOf(authentication);
    // A user who opens another page has left the step's redirect.
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

/** A link outside a login has no login page to return to. */
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
