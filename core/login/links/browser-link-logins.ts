import type { FollowedLink, LinkLogins } from '../../action-tokens/link-logins.js';
import type { Exchange } from '../../http/exchange.js';
import type { Client } from '../../model/client.js';
import type { User } from '../../model/user.js';
import { type AuthorizationParts, answerAuthorizationError } from '../../oidc/authorization/authorization-endpoint.js';
import { type AuthorizationRequest, PageRefusal } from '../../oidc/authorization/authorization-request.js';
import { allExecutions, flowOf } from '../../realms/flows/flow-model.js';
import type { BrowserSessions } from '../../sessions/browser-sessions.js';
import {
  type AuthenticationSessions,
  type HostAuthenticationSession,
  nameOfAuthentication,
} from '../authentication-sessions.js';
import type { BrowserLogin } from '../browser-login.js';
import { brokeredStage, leaveFlow } from '../flows/brokered-logins.js';

export interface LinkLoginParts extends Pick<AuthorizationParts, 'pages' | 'events'> {
  readonly login: BrowserLogin;
  readonly authentications: AuthenticationSessions;
  readonly browsers: BrowserSessions;
}

/** The step that a link stands for, of whoever has forgotten their password. */
const PASSWORD_STEP = 'auth-username-password-form';
/** Where a link that belongs to no login ends: Keycloak's page for that. */
export const END_OF_LINK = '/login-actions/detached-info';

/**
 * Leads browsers through what links ask for: within the authentication session that the link was mailed in, else beside
 * any.
 */
export class BrowserLinkLogins implements LinkLogins {
  readonly #parts: LinkLoginParts;

  constructor(parts: LinkLoginParts) {
    this.#parts = parts;
  }

  async isUnderWay(exchange: Exchange, name: string): Promise<boolean> {
    return (await this.#find(exchange, name)) !== undefined;
  }

  async browserUser(exchange: Exchange): Promise<User | undefined> {
    return (await this.#parts.browsers.current(exchange))?.user;
  }

  async lead(exchange: Exchange, link: FollowedLink): Promise<void> {
    const { user, token, linked, spends } = link;
    const { login: browserLogin, authentications } = this.#parts;
    const { realm } = exchange;
    try {
      const joined = link.authentication === undefined ? undefined : await this.#find(exchange, link.authentication);
      const client =
        joined === undefined ? (link.client ?? realm.clients.get('account')) : realm.clients.get(joined.clientId);
      if (client === undefined) throw new PageRefusal('client_not_found', { key: 'unknownLoginRequesterMessage' });
      if (!client.enabled) throw new PageRefusal('client_not_found', { key: 'loginRequesterNotEnabledMessage' });
      const begun = joined ?? authentications.create(exchange, linkRequest(exchange, client, linked.redirectUri));
      this.#prove(exchange, begun, client, user, linked.provesUser === true);
      const authentication = joined === undefined ? begun : authentications.renew(exchange, begun);
      for (const alias of linked.requiredActions) {
        authentication.actions.add(alias);
        authentication.passed.delete(alias);
      }
      authentication.link = { type: token.type, id: token.id, spends, spent: false };
      await browserLogin.proceed(exchange, authentication, client);
    } catch (error) {
      await answerAuthorizationError(this.#parts, exchange, error);
    }
  }

  /** @throws PageRefusal when the authentication session is somebody else's, or has no user yet and the link proves none */
  #prove(
    { realm }: Exchange,
    authentication: HostAuthenticationSession,
    client: Client,
    user: User,
    proves: boolean,
  ): void {
    if (authentication.userId !== undefined && authentication.userId !== user.id) {
      throw new PageRefusal('user_conflict', { key: 'invalidUserMessage' }, { client });
    }
    if (authentication.request.linkOnly === true) {
      authentication.userId = user.id;
      authentication.proven = user.id;
    }
    // The steps of a first login at an identity provider judge by themselves what the link has shown.
    if (brokeredStage(authentication) === 'first-broker-login') return;
    const isKnown = authentication.userId !== undefined;
    if (isKnown && (!proves || authentication.proven === user.id)) return;
    if (!proves) throw new PageRefusal('invalid_code', { key: 'invalidCodeMessage' }, { client });
    if (authentication.flow !== 'browser') leaveFlow(authentication);
    authentication.flow = 'browser';
    authentication.userId = user.id;
    authentication.proven = user.id;
    delete authentication.waitsFor;
    // The link stands for the password. A second factor is still asked for.
    for (const execution of allExecutions(flowOf(realm, client, 'browser'))) {
      if (execution.authenticator === PASSWORD_STEP) authentication.done.set(execution.id, 'success');
    }
  }

  async #find(exchange: Exchange, name: string): Promise<HostAuthenticationSession | undefined> {
    const authentication = await this.#parts.authentications.find(exchange, name.split('.')[1] ?? '');
    const client = authentication && exchange.realm.clients.get(authentication.clientId);
    return authentication !== undefined && client !== undefined && nameOfAuthentication(authentication, client) === name
      ? authentication
      : undefined;
  }
}

/** What the browser login works on for a link that belongs to no login. */
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
