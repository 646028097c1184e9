import type { PollAnswer } from '@keyhost/spi';
import { callerOf, type Exchange } from '../http/exchange.js';
import type { Client } from '../model/client.js';
import type { Clock } from '../model/clock.js';
import { defined } from '../model/defined.js';
import type { BrowserLogin as Login } from '../oidc/authorization/authorization-endpoint.js';
import type { AuthorizationRequest } from '../oidc/authorization/authorization-request.js';
import type { Execution } from '../realms/flows/flow-model.js';
import type { SessionFactory } from '../registry/sessions/session-factory.js';
import type { BrowserSessions } from '../sessions/browser-sessions.js';
import { answerableClient } from './answerable-client.js';
import {
  type AuthenticationSessions,
  type HostAuthenticationSession,
  nameOfAuthentication,
} from './authentication-sessions.js';
import { resetFlowProgress } from './flows/brokered-logins.js';
import { isProven } from './flows/flow-state.js';
import type { FlowAnswer, LoginFlow } from './flows/login-flow.js';
import { newAuthentication } from './flows/new-authentication.js';
import type { LoginCompletion } from './login-completion.js';
import type { LoginRequestContext } from './login-request-context.js';
import type { LostLogin } from './restart-cookie.js';

/**
 * Signs a user in for an authorization request: the realm's browser flow, then required actions and consent, then the
 * response to the client. An authentication session holds the state between pages.
 */
export class BrowserLogin implements Login {
  readonly #parts: {
    sessions: SessionFactory;
    browsers: BrowserSessions;
    authentications: AuthenticationSessions;
    flow: LoginFlow;
    completion: LoginCompletion;
    clock: Clock;
  };

  constructor(parts: {
    sessions: SessionFactory;
    browsers: BrowserSessions;
    authentications: AuthenticationSessions;
    flow: LoginFlow;
    completion: LoginCompletion;
    clock: Clock;
  }) {
    this.#parts = parts;
  }

  /** @throws RedirectedError or PageRefusal */
  async begin(exchange: Exchange, request: AuthorizationRequest, client: Client): Promise<void> {
    await this.proceed(exchange, newAuthentication(this.#parts.authentications, exchange, request, client), client);
  }

  async takePushed(
    exchange: Exchange,
    name: string,
    clientId: string | undefined,
  ): Promise<{ request: AuthorizationRequest; client: Client } | undefined> {
    const authentication = await this.#parts.authentications.findPushed(exchange, name);
    if (authentication === undefined || authentication.clientId !== clientId) return undefined;
    this.#parts.authentications.remove(exchange, authentication);
    const { request } = authentication;
    const client = answerableClient(exchange.realm, request);
    return client === undefined ? undefined : { request, client };
  }

  /**
   * Switches to another flow, which runs from its start.
   * @throws RedirectedError or PageRefusal
   */
  async switchFlow(
    exchange: Exchange,
    authentication: HostAuthenticationSession,
    client: Client,
    flow: HostAuthenticationSession['flow'],
  ): Promise<void> {
    resetFlowProgress(authentication);
    authentication.flow = flow;
    authentication.notes = {};
    delete authentication.level;
    delete authentication.away;
    await this.proceed(exchange, authentication, client);
  }

  /**
   * Restarts a login that has expired or was lost, for example by a restart of the host. The page shows the user which
   * of the two happened.
   * @throws RedirectedError or PageRefusal
   */
  async restartLost(exchange: Exchange, { request, shownAt }: LostLogin, client: Client): Promise<void> {
    const authentication = newAuthentication(this.#parts.authentications, exchange, request, client);
    const hasTimedOut = this.#parts.clock.now() / 1000 - shownAt >= exchange.realm.settings.accessCodeLifespanLogin;
    authentication.notice = { severity: 'warning', key: hasTimedOut ? 'loginTimeout' : 'loginInterrupted' };
    await this.proceed(exchange, authentication, client);
  }

  /**
   * Continues a login: runs the flow from its current state, or with the answer to its page.
   * @throws RedirectedError or PageRefusal
   */
  async proceed(
    exchange: Exchange,
    authentication: HostAuthenticationSession,
    client: Client,
    answer?: FlowAnswer,
  ): Promise<void> {
    // A link outside a login only runs its required actions, and does not sign its user in.
    const { flow, request } = authentication;
    const { linkOnly, signsIn: signIn } = request;
    const skipsFlow = linkOnly === true && signIn === undefined && isProven(authentication) && flow === 'browser';
    await this.#withLoginContext(exchange, authentication, client, async (loginContext) => {
      if (skipsFlow || (await this.#parts.flow.run(loginContext, answer)))
        await this.#parts.completion.continue(loginContext);
    });
  }

  /** Polls the pending authenticator; undefined if it has no answer for its page. */
  async poll(
    exchange: Exchange,
    authentication: HostAuthenticationSession,
    client: Client,
    execution: Execution,
  ): Promise<PollAnswer | undefined> {
    let answer: PollAnswer | undefined;
    await this.#withLoginContext(exchange, authentication, client, async (loginContext) => {
      answer = await this.#parts.flow.poll(loginContext, execution);
    });
    return answer;
  }

  /** Handles the posted page of a required action. @throws RedirectedError or PageRefusal */
  async submitRequiredAction(
    exchange: Exchange,
    authentication: HostAuthenticationSession,
    client: Client,
    form: Readonly<Record<string, string>>,
  ): Promise<void> {
    await this.#withLoginContext(exchange, authentication, client, (loginContext) =>
      this.#parts.completion.submitRequiredAction(loginContext, form),
    );
  }

  /** Handles the posted consent page. @throws RedirectedError or PageRefusal */
  async submitConsent(
    exchange: Exchange,
    authentication: HostAuthenticationSession,
    client: Client,
    hasAgreed: boolean,
  ): Promise<void> {
    await this.#withLoginContext(exchange, authentication, client, (loginContext) =>
      this.#parts.completion.submitConsent(loginContext, hasAgreed),
    );
  }

  async #withLoginContext(
    exchange: Exchange,
    authentication: HostAuthenticationSession,
    client: Client,
    run: (loginContext: LoginRequestContext) => Promise<void>,
  ): Promise<void> {
    // A registration creates a new user, so ignore the browser's user session.
    const isRegistration = authentication.flow === 'registration';
    const browser = isRegistration ? undefined : await this.#parts.browsers.current(exchange);
    const login = defined({
      name: nameOfAuthentication(authentication, client),
      clientId: client.clientId,
      userAgent: exchange.ctx.get('user-agent'),
      userSessionId: browser?.session.id,
      link: authentication.link?.type,
      locale: authentication.chosenLocale,
    });
    const session = this.#parts.sessions.create(exchange.realm, { ...callerOf(exchange), login }, 'keyhost');
    try {
      await run({ exchange, authentication, client, session, browser });
    } finally {
      await session.close();
    }
  }
}
