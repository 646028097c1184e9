import type { ActionToken } from '@keyhost/spi';
import type { FollowedLink, LinkLogins } from '../../action-tokens/link-logins.js';
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
import { addressOf } from './login-link.js';
import { LOGIN_LINK } from './login-links.js';

export interface LinkLoginParts extends Pick<AuthorizationParts, 'pages' | 'events'> {
  readonly login: BrowserLogin;
  readonly authentications: AuthenticationSessions;
  readonly browsers: BrowserSessions;
}

/** The steps that a link satisfies, because it proves its user. */
const PASSWORD_STEPS: readonly unknown[] = ['auth-username-password-form', 'auth-username-form', 'auth-password-form'];
/** The type of the link for forgotten credentials, which continues with the flow of that name. */
export const RESET_CREDENTIALS = 'reset-credentials';
/** The page where a link outside a login ends, as in Keycloak. */
export const END_OF_LINK = '/login-actions/detached-info';

/**
 * Leads browsers through the actions of links: within the authentication session that the link was mailed in, else in
 * one of its own.
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
    const found = await this.#find(exchange, name);
    const client = found && exchange.realm.clients.get(found.clientId);
    if (found?.waitsFor === undefined || client === undefined) return undefined;
    return findExecution(flowOfLogin(exchange.realm, client, found), found.waitsFor)?.authenticator;
  }

  async browserUser(exchange: Exchange): Promise<User | undefined> {
    return (await this.#parts.browsers.current(exchange))?.user;
  }

  async followLink(exchange: Exchange, link: FollowedLink): Promise<void> {
    const { user, token, linkedActions: linked, signsIn, singleUseKey: spends } = link;
    const { login: browserLogin, authentications } = this.#parts;
    const { realm } = exchange;
    try {
      const resets = token.type === RESET_CREDENTIALS;
      const found =
        link.authenticationName === undefined ? undefined : await this.#find(exchange, link.authenticationName);
      // A brokered login has no local password to reset.
      const joined = resets && found !== undefined && brokeredStage(found) !== undefined ? undefined : found;
      const client =
        joined === undefined ? (link.client ?? realm.clients.get('account')) : realm.clients.get(joined.clientId);
      if (client === undefined) throw new PageRefusal('client_not_found', { key: 'unknownLoginRequesterMessage' });
      if (!client.enabled) throw new PageRefusal('client_not_found', { key: 'loginRequesterNotEnabledMessage' });
      const begun =
        joined ??
        authentications.create(exchange, {
          ...linkRequest(exchange, client, linked.redirectUri),
          ...(signsIn && { signsIn: { target: targetOf(link.client, signsIn.redirectUri) } }),
        });
      const stepLink = linked.provesUser === true ? followedLinkOf(joined, client, token, user) : undefined;
      if (stepLink !== undefined) preferStep(begun, stepLink.execution);
      else {
        // The step that issued it has succeeded, or the login has left that flow.
        if (joined !== undefined && token.type === LOGIN_LINK) throw expired(client);
        this.#prove(exchange, begun, client, user, {
          proves: linked.provesUser === true,
          signsIn: signsIn !== undefined,
          resets,
        });
      }
      const provesNobody = joined === undefined && signsIn === undefined;
      const authentication = provesNobody ? begun : authentications.renew(exchange, begun);
      // Actions that this login has completed before do not count for the link.
      if (resets) authentication.passed.clear();
      for (const alias of linked.requiredActions) {
        authentication.actions.add(alias);
        authentication.passed.delete(alias);
      }
      authentication.link = { type: token.type, id: token.id, spends, spent: signsIn !== undefined };
      await browserLogin.proceed(exchange, authentication, client);
    } catch (error) {
      await answerAuthorizationError(this.#parts, exchange, error);
    }
  }

  /** @throws PageRefusal if the authentication session has another user, or none and the link proves none */
  #prove(
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
    // The steps of a first broker login check the link themselves.
    if (brokeredStage(authentication) === 'first-broker-login') return;
    const isKnown = authentication.userId !== undefined;
    if (isKnown && !signsIn && !resets && (!proves || authentication.proven === user.id)) return;
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

/** @throws PageRefusal if the login is about another user */
function requireSameUser({ userId }: HostAuthenticationSession, client: Client, user: User): void {
  if (userId === undefined || userId === user.id) return;
  throw new PageRefusal('user_conflict', { key: 'invalidUserMessage' }, { client });
}

/**
 * Records that the user has followed the link of a step. @returns the link; undefined if no step of this login issued
 * it
 */
function followedLinkOf(
  authentication: HostAuthenticationSession | undefined,
  client: Client,
  token: ActionToken,
  user: User,
): StepLink | undefined {
  const isOfStep = authentication?.stepLinks?.some(({ id }) => id === token.id) === true;
  if (authentication === undefined || !isOfStep) return undefined;
  requireSameUser(authentication, client, user);
  return followStepLink(authentication, token.id, { userId: user.id, email: addressOf(token) });
}

/** Puts the step whose link the user has followed before its alternatives. */
function preferStep(authentication: HostAuthenticationSession, execution: string): void {
  const path = execution.split('.').map((_, index, parts) => parts.slice(0, index + 1).join('.'));
  authentication.chosen = [...path, ...authentication.chosen.filter((id) => !path.includes(id))];
  delete authentication.waitsFor;
}

function expired(client: Client): PageRefusal {
  return new PageRefusal('expired_code', { key: 'expiredActionTokenNoSessionMessage' }, { client });
}

/**
 * Marks the password steps as done by a link that proves the user and belongs to no step. A second factor is still
 * required.
 */
function markPasswordStepsDone(realm: Realm, authentication: HostAuthenticationSession, client: Client): void {
  markStepsDone(realm, authentication, client, []);
}

/** Like `markPasswordStepsDone`, and marks these steps as done too. */
export function markStepsDone(
  realm: Realm,
  authentication: HostAuthenticationSession,
  client: Client,
  passed: readonly (string | undefined)[],
): void {
  const flow = flowOfLogin(realm, client, { ...authentication, flow: 'browser' });
  for (const { id, authenticator } of allExecutions(flow)) {
    if (authenticator === undefined) continue;
    if (PASSWORD_STEPS.includes(authenticator) || passed.includes(authenticator))
      authentication.done.set(id, 'success');
  }
}

/** The requested redirect URI if the link's client still has it, else the client's base URL. */
function targetOf(client: Client | undefined, asked: string | undefined): string | undefined {
  const target = client === undefined || asked === undefined ? undefined : redirectUriOf(client, asked);
  return target ?? linkToClient('target', client).target;
}

/** The authorization request of a link outside a login. */
export function linkRequest({ realm }: Exchange, client: Client, redirectUri?: string): AuthorizationRequest {
  const query = new URLSearchParams({ client_id: client.clientId });
  if (redirectUri !== undefined) query.set('redirect_uri', redirectUri);
  return {
    clientId: client.clientId,
    linkOnly: true,
    redirectUri: `${realm.issuer}${END_OF_LINK}?${query}`,
    responseType: 'none',
    responseMode: 'query',
    prompts: [],
  };
}
