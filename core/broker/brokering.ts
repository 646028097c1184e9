import type { Exchange } from '../http/exchange.js';
import type { RequestEvents } from '../http/request-events.js';
import type { HostAuthenticationSession } from '../login/authentication-sessions.js';
import {
  type BrokeredLogins,
  brokeredFlow,
  type ExistingUser,
  resetFlowProgress,
} from '../login/flows/brokered-logins.js';
import { loginEvent } from '../login/login-events.js';
import type { LoginPages } from '../login/login-pages.js';
import type { Client } from '../model/client.js';
import { enabledIdentityProvider, type IdentityProvider } from '../model/identity-provider.js';
import type { Realm } from '../model/realm.js';
import type { User } from '../model/user.js';
import { PageRefusal } from '../oidc/authorization/authorization-request.js';
import { allExecutions } from '../realms/flows/flow-model.js';
import type { Users } from '../users/users.js';
import { authorizationUrl, createRedirect } from './authorization-url.js';
import { type FederatedIdentities, findLink, type LinkRefusal } from './federated-identities.js';
import { CONFIRM_OVERRIDE } from './first-login/confirm-override-link.js';

export interface BrokeringParts {
  readonly users: Users;
  readonly identities: FederatedIdentities;
  readonly pages: LoginPages;
  readonly events: RequestEvents;
}

const EVENT_TYPE = 'IDENTITY_PROVIDER_LOGIN';

/**
 * Redirects browsers to identity providers, and finds the users of the returned accounts (Keycloak's
 * IdentityBrokerService).
 */
export class Brokering implements BrokeredLogins {
  readonly #parts: BrokeringParts;

  constructor(parts: BrokeringParts) {
    this.#parts = parts;
  }

  async redirectToProvider(
    exchange: Exchange,
    authentication: HostAuthenticationSession,
    client: Client,
    { alias, loginHint }: Parameters<BrokeredLogins['redirectToProvider']>[3],
  ): Promise<void> {
    const { realm } = exchange;
    const provider = enabledIdentityProvider(realm, alias);
    const isLinking = authentication.at === 'required-action';
    if (provider === undefined || (provider.linkOnly && !isLinking)) throw unknownProviderRefusal(alias, client);
    const redirect = createRedirect(provider, authentication);
    authentication.away = redirect;
    const url = authorizationUrl(realm, provider, authentication, redirect, loginHint);
    await this.#parts.pages.redirectAway(exchange, authentication, url);
  }

  /**
   * Continues a login with the account that the browser has returned with. If the account has a user, the user is
   * signed in; otherwise the first broker login flow runs.
   * @throws PageRefusal for a user who may not sign in
   */
  async continueWithAccount(
    exchange: Exchange,
    authentication: HostAuthenticationSession,
    client: Client,
    provider: IdentityProvider,
  ): Promise<void> {
    const { realm } = exchange;
    const { brokered } = authentication;
    if (brokered === undefined) return;
    const user = await this.#parts.identities.userOf(realm, brokered.identity);
    resetFlowProgress(authentication);
    if (user === undefined) {
      brokered.stage = 'first-broker-login';
      return;
    }
    requireEnabled(user, client);
    if (authentication.userId !== undefined && authentication.userId !== user.id) {
      const key = 'identityProviderDifferentUserMessage';
      throw new PageRefusal('user_conflict', { key }, { client, eventType: EVENT_TYPE });
    }
    await this.#parts.identities.refresh(realm, provider, user, brokered.identity);
    authentication.userId = user.id;
    authentication.proven = user.id;
    brokered.stage = provider.postLoginFlow === undefined ? 'done' : 'post-broker-login';
  }

  async findExistingUser(realm: Realm, { brokered }: HostAuthenticationSession): Promise<ExistingUser | undefined> {
    return brokered && this.#parts.identities.matchExistingUser(realm, brokered.identity);
  }

  async completeStage(exchange: Exchange, authentication: HostAuthenticationSession, client: Client): Promise<void> {
    const { realm } = exchange;
    const { brokered, userId = '' } = authentication;
    if (brokered === undefined) return;
    const overrides = hasPassed(realm, authentication, CONFIRM_OVERRIDE);
    resetFlowProgress(authentication);
    const { identity, stage } = brokered;
    const provider = enabledIdentityProvider(realm, identity.identityProvider);
    if (provider === undefined) throw unknownProviderRefusal(identity.identityProvider, client);
    const hasNext = stage === 'first-broker-login' && provider.postLoginFlow !== undefined;
    if (stage === 'first-broker-login') {
      const user = await this.#parts.users.byId(realm, userId);
      if (user === undefined) throw disabledUserRefusal(client);
      requireEnabled(user, client);
      await this.#link(exchange, authentication, client, { provider, user, overrides });
      if (provider.grantsReadToken) await this.#parts.identities.grantReadTokenRole(realm, user);
    }
    brokered.stage = hasNext ? 'post-broker-login' : 'done';
  }

  /** Links the account to the user. A user created in this login already has the link. */
  async #link(
    exchange: Exchange,
    authentication: HostAuthenticationSession,
    client: Client,
    { provider, user, overrides }: { provider: IdentityProvider; user: User; overrides: boolean },
  ): Promise<void> {
    const { realm } = exchange;
    const identity = authentication.brokered?.identity;
    if (identity === undefined) return;
    if ((await this.#parts.identities.userOf(realm, identity))?.id === user.id) return;
    const { events, identities } = this.#parts;
    const event = loginEvent(authentication, 'FEDERATED_IDENTITY_LINK', { userId: user.id });
    type Outcome = Awaited<ReturnType<typeof identities.link>>;
    const previousLink = overrides ? findLink(user.representation, identity.identityProvider) : undefined;
    const overrideEvent = loginEvent(authentication, 'FEDERATED_IDENTITY_OVERRIDE_LINK', {
      userId: user.id,
      details: { previous_identity_provider_identity: previousLink?.userName || previousLink?.userId || '' },
    });
    const eventUnlessRefused = (successEvent: typeof event) => (outcome?: Outcome) =>
      typeof outcome === 'string' ? undefined : successEvent;
    const link = () =>
      events.emitWithChange(
        exchange,
        eventUnlessRefused(event),
        () => identities.link(realm, user, identity, overrides),
        {
          of: 'users',
        },
      );
    const linkResult =
      previousLink === undefined
        ? await link()
        : await events.emitWithChange(exchange, eventUnlessRefused(overrideEvent), link, { of: 'users' });
    if (typeof linkResult === 'string') {
      const eventType = 'IDENTITY_PROVIDER_FIRST_LOGIN';
      const message = linkRefusalMessage(linkResult, provider.displayName);
      throw new PageRefusal('federated_identity_account_exists', message, { client, eventType });
    }
    await identities.refresh(realm, provider, linkResult, identity);
  }
}

/** True if the flow of the login contains this authenticator, and the user has passed it. */
function hasPassed(realm: Realm, authentication: HostAuthenticationSession, authenticatorId: string): boolean {
  return allExecutions(brokeredFlow(realm, authentication) ?? []).some(
    ({ id, authenticator }) => authenticator === authenticatorId && authentication.done.get(id) === 'success',
  );
}

export function unknownProviderRefusal(alias: string, client: Client | undefined): PageRefusal {
  const details = { identity_provider: alias.slice(0, 255) };
  const options = { status: 404, client, eventType: EVENT_TYPE, details };
  return new PageRefusal('unknown_identity_provider', { key: 'identityProviderNotFoundMessage' }, options);
}

/** The message for an account that cannot be linked. */
export function linkRefusalMessage(refusal: LinkRefusal, provider: string): { key: string; params: string[] } {
  const key = refusal === 'taken' ? 'identityProviderAlreadyLinkedMessage' : 'identityProviderOtherAccountMessage';
  return { key, params: [provider] };
}

function requireEnabled(user: User, client: Client): void {
  if (!user.enabled || user.isServiceAccount) throw disabledUserRefusal(client);
}

function disabledUserRefusal(client: Client): PageRefusal {
  return new PageRefusal('user_disabled', { key: 'accountDisabledMessage' }, { client, eventType: EVENT_TYPE });
}
