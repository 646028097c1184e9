import type { ActionToken } from '@keyhost/spi';
import type { AcceptedLink, LinkLogins } from '../../action-tokens/link-logins.js';
import type { Exchange } from '../../http/exchange.js';
import type { Client } from '../../model/client.js';
import { linkToClient } from '../../model/link-to-client.js';
import type { Realm } from '../../model/realm.js';
import type { User } from '../../model/user.js';
import { type AuthorizationParts, answerAuthorizationError } from '../../oidc/authorization/authorization-endpoint.js';
import { type AuthorizationRequest, PageRefusal } from '../../oidc/authorization/authorization-request.js';
import { redirectUriOf } from '../../oidc/authorization/redirect-uris.js';
import { allExecutions } from '../../realms/flows/flow-model.js';
import type { BrowserSessions } from '../../sessions/browser-sessions.js';
import {
  type AuthenticationSessions,
  type HostAuthenticationSession,
  nameOfAuthentication,
} from '../authentication-sessions.js';
import type { BrowserLogin } from '../browser-login.js';
import { brokeredStage, resetFlowProgress } from '../flows/brokered-logins.js';
import { flowOfLogin } from '../flows/flow-of-login.js';
import { followStepLink, type StepLink } from '../flows/flow-state.js';
import { findExecution } from '../flows/run-flow.js';
import { emailOfLoginLink } from './login-link.js';
import { LOGIN_LINK } from './login-links.js';

export interface LinkLoginParts extends Pick<AuthorizationParts, 'pages' | 'events'> {
  readonly login: BrowserLogin;
  readonly authentications: AuthenticationSessions;
  readonly browsers: BrowserSessions;
}

/** The authenticators that a link satisfies, because it proves its user. */
const PASSWORD_STEPS: readonly unknown[] = ['auth-username-password-form', 'auth-username-form', 'auth-password-form'];
/** The type of the link for forgotten credentials, and the name of the flow that it continues. */
export const RESET_CREDENTIALS = 'reset-credentials';
/** The path of the page where a link outside a login ends, as in Keycloak. */
export const END_OF_LINK_PATH = '/login-actions/detached-info';

/**
 * Guides browsers through the actions of links, in the authentication session in which the link was mailed, or else in
 * a new one.
 */
export class BrowserLinkLogins implements LinkLogins {
  readonly #parts: LinkLoginParts;

  constructor(parts: LinkLoginParts) {
    this.#parts = parts;
  }

  async isActive(exchange: Exchange, name: string): Promise<boolean> {
    return (await this.#find(exchange, name)) !== undefined;
  }

  async pendingAuthenticator(exchange: Exchange, name: string): Promise<string | undefined> {
    const namedLogin = await this.#find(exchange, name);
    const client = namedLogin && exchange.realm.clients.get(namedLogin.clientId);
    if (namedLogin?.waitsFor === undefined || client === undefined) return undefined;
    return findExecution(flowOfLogin(exchange.realm, client, namedLogin), namedLogin.waitsFor)?.authenticator;
  }

  async browserUser(exchange: Exchange): Promise<User | undefined> {
    return (await this.#parts.browsers.current(exchange))?.user;
  }

  async followLink(exchange: Exchange, link: AcceptedLink): Promise<void> {
    const { user, token, linkedActions, signsIn: signIn, singleUseKey } = link;
    const { login: browserLogin, authentications } = this.#parts;
    const { realm } = exchange;
    try {
      const isReset = token.type === RESET_CREDENTIALS;
      const namedLogin =
        link.authenticationName === undefined ? undefined : await this.#find(exchange, link.authenticationName);
      // A brokered login has no local password to reset.
      const continuedLogin =
        isReset && namedLogin !== undefined && brokeredStage(namedLogin) !== undefined ? undefined : namedLogin;
      const client =
        continuedLogin === undefined
          ? (link.client ?? realm.clients.get('account'))
          : realm.clients.get(continuedLogin.clientId);
      if (client === undefined) throw new PageRefusal('client_not_found', { key: 'unknownLoginRequesterMessage' });
      if (!client.enabled) throw new PageRefusal('client_not_found', { key: 'loginRequesterNotEnabledMessage' });
      const initial =
        continuedLogin ??
        authentications.create(exchange, {
          ...linkRequest(exchange, client, linkedActions.redirectUri),
          ...(signIn && { signsIn: { target: redirectTargetOf(link.client, signIn.redirectUri) } }),
        });
      const stepLink =
        linkedActions.provesUser === true ? recordStepLink(continuedLogin, client, token, user) : undefined;
      if (stepLink !== undefined) preferStep(initial, stepLink.execution);
      else {
        // The execution that issued the link has succeeded, or the login has left the execution's flow.
        if (continuedLogin !== undefined && token.type === LOGIN_LINK) throw expiredLink(client);
        this.#recordProof(exchange, initial, client, user, {
          proves: linkedActions.provesUser === true,
          signsIn: signIn !== undefined,
          resets: isReset,
        });
      }
      const shouldKeepIds = continuedLogin === undefined && signIn === undefined;
      const authentication = shouldKeepIds ? initial : authentications.renew(exchange, initial);
      // Actions that this login has completed earlier do not count for the link.
      if (isReset) authentication.passed.clear();
      for (const alias of linkedActions.requiredActions) {
        authentication.actions.add(alias);
        authentication.passed.delete(alias);
      }
      authentication.link = { type: token.type, id: token.id, spends: singleUseKey, spent: signIn !== undefined };
      await browserLogin.proceed(exchange, authentication, client);
    } catch (error) {
      await answerAuthorizationError(this.#parts, exchange, error);
    }
  }

  /**
   * Records in the authentication session what the link proves.
   * @throws PageRefusal if the session has another user, or if it has none and the link proves none
   */
  #recordProof(
    { realm }: Exchange,
    authentication: HostAuthenticationSession,
    client: Client,
    user: User,
    { proves, signsIn, resets }: { readonly proves: boolean; readonly signsIn: boolean; readonly resets: boolean },
  ): void {
    requireSameUser(authentication, client, user);
    if (authentication.request.linkOnly === true) {
      authentication.userId = user.id;
      authentication.proven = user.id;
    }
    // The authenticators of a first broker login check the link themselves.
    if (brokeredStage(authentication) === 'first-broker-login') return;
    const hasUser = authentication.userId !== undefined;
    if (hasUser && !signsIn && !resets && (!proves || authentication.proven === user.id)) return;
    if (!proves) throw new PageRefusal('invalid_code', { key: 'invalidCodeMessage' }, { client });
    if (authentication.flow !== 'browser' || resets) resetFlowProgress(authentication);
    authentication.flow = resets ? RESET_CREDENTIALS : 'browser';
    authentication.userId = user.id;
    authentication.proven = user.id;
    delete authentication.waitsFor;
    if (!resets) markPasswordStepsDone(realm, authentication, client);
  }

  async #find(exchange: Exchange, name: string): Promise<HostAuthenticationSession | undefined> {
    const authentication = await this.#parts.authentications.find(exchange, name.split('.')[1] ?? '');
    const client = authentication && exchange.realm.clients.get(authentication.clientId);
    return authentication !== undefined && client !== undefined && nameOfAuthentication(authentication, client) === name
      ? authentication
      : undefined;
  }
}

/**
 * Checks that the login is not about another user.
 * @throws PageRefusal if it is
 */
function requireSameUser({ userId }: HostAuthenticationSession, client: Client, user: User): void {
  if (userId === undefined || userId === user.id) return;
  throw new PageRefusal('user_conflict', { key: 'invalidUserMessage' }, { client });
}

/**
 * Records that the user has followed a link that an execution of this login issued.
 * @returns the link; undefined if no execution issued it
 */
function recordStepLink(
  authentication: HostAuthenticationSession | undefined,
  client: Client,
  token: ActionToken,
  user: User,
): StepLink | undefined {
  const isStepLink = authentication?.stepLinks?.some(({ id }) => id === token.id) === true;
  if (authentication === undefined || !isStepLink) return undefined;
  requireSameUser(authentication, client, user);
  return followStepLink(authentication, token.id, { userId: user.id, email: emailOfLoginLink(token) });
}

/** Moves the execution whose link the user has followed before its alternatives. */
function preferStep(authentication: HostAuthenticationSession, execution: string): void {
  const path = execution.split('.').map((_, index, parts) => parts.slice(0, index + 1).join('.'));
  authentication.chosen = [...path, ...authentication.chosen.filter((id) => !path.includes(id))];
  delete authentication.waitsFor;
}

function expiredLink(client: Client): PageRefusal {
  return new PageRefusal('expired_code', { key: 'expiredActionTokenNoSessionMessage' }, { client });
}

/**
 * Marks the password authenticators as done, for a link that proves the user and was not issued by an execution. A
 * second factor is still required.
 */
function markPasswordStepsDone(realm: Realm, authentication: HostAuthenticationSession, client: Client): void {
  markStepsDone(realm, authentication, client, []);
}

/** Marks the password authenticators and the given ones as done in the browser flow. */
export function markStepsDone(
  realm: Realm,
  authentication: HostAuthenticationSession,
  client: Client,
  passedAuthenticators: readonly (string | undefined)[],
): void {
  const flow = flowOfLogin(realm, client, { ...authentication, flow: 'browser' });
  for (const { id, authenticator } of allExecutions(flow)) {
    if (authenticator === undefined) continue;
    if (PASSWORD_STEPS.includes(authenticator) || passedAuthenticators.includes(authenticator))
      authentication.done.set(id, 'success');
  }
}

/** The requested redirect URI if the client still has it registered, else the client's base URL. */
function redirectTargetOf(client: Client | undefined, requestedUri: string | undefined): string | undefined {
  const target = client === undefined || requestedUri === undefined ? undefined : redirectUriOf(client, requestedUri);
  return target ?? linkToClient('target', client).target;
}

/** The authorization request of a link outside a login. */
export function linkRequest({ realm }: Exchange, client: Client, redirectUri?: string): AuthorizationRequest {
  const query = new URLSearchParams({ client_id: client.clientId });
  if (redirectUri !== undefined) query.set('redirect_uri', redirectUri);
  return {
    clientId: client.clientId,
    linkOnly: true,
    redirectUri: `${realm.issuer}${END_OF_LINK_PATH}?${query}`,
    responseType: 'none',
    responseMode: 'query',
    prompts: [],
  };
}
