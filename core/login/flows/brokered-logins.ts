import type { Exchange } from '../../http/exchange.js';
import type { Client } from '../../model/client.js';
import { defined } from '../../model/defined.js';
import { identityProvidersOf } from '../../model/identity-provider.js';
import type { Realm } from '../../model/realm.js';
import type { User } from '../../model/user.js';
import { PageRefusal } from '../../oidc/authorization/authorization-request.js';
import { type Execution, flowNamed } from '../../realms/flows/flow-model.js';
import type { BrokerFlowStage, HostAuthenticationSession } from '../authentication-sessions.js';
import type { FlowResult } from './flow-run.js';
import { UNPROVEN } from './flow-state.js';

/** A user of the realm who has the email or username of an account at an identity provider. */
export interface ExistingUser {
  readonly user: User;
  readonly attribute: 'email' | 'username';
  readonly value: string;
}

/** The broker's part of a login: redirects to identity providers, and links accounts to users. */
export interface BrokeredLogins {
  /**
   * Redirects the browser to the identity provider.
   * @param to.loginHint replaces the login hint of the application
   * @throws PageRefusal if the provider does not exist
   */
  redirectToProvider(
    exchange: Exchange,
    authentication: HostAuthenticationSession,
    client: Client,
    to: { readonly alias: string; readonly loginHint?: string },
  ): Promise<void>;
  /**
   * Completes the current broker flow and sets the next stage. After the first broker login the account is linked to
   * the user.
   * @throws PageRefusal if the account was linked to another user in the meantime
   */
  completeStage(exchange: Exchange, authentication: HostAuthenticationSession, client: Client): Promise<void>;
  /** The existing user who has the email or username of the account in a first broker login. */
  findExistingUser(realm: Realm, authentication: HostAuthenticationSession): Promise<ExistingUser | undefined>;
}

const EVENT_TYPES: Readonly<Record<BrokerFlowStage, string>> = {
  'first-broker-login': 'IDENTITY_PROVIDER_FIRST_LOGIN',
  'post-broker-login': 'IDENTITY_PROVIDER_POST_LOGIN',
};

const EVENT_TYPES_OF_FLOWS: Readonly<Record<HostAuthenticationSession['flow'], string>> = {
  browser: 'LOGIN',
  registration: 'REGISTER',
  'reset-credentials': 'RESET_PASSWORD',
};

/** The broker flow that the login is in, which replaces the realm's own flow; undefined if there is none. */
export function brokeredFlow(
  realm: Realm,
  authentication: HostAuthenticationSession,
): readonly Execution[] | undefined {
  const stage = brokeredStage(authentication);
  if (stage === undefined) return undefined;
  const provider = identityProvidersOf(realm).get(authentication.brokered?.identity.identityProvider ?? '');
  const first = provider?.firstLoginFlow ?? realm.settings.firstBrokerLoginFlow;
  return flowNamed(realm, stage === 'first-broker-login' ? first : (provider?.postLoginFlow ?? ''));
}

/** Resets the login's progress within its flow. */
export function resetFlowProgress(authentication: HostAuthenticationSession): void {
  authentication.done.clear();
  authentication.passedFlows.clear();
  authentication.credentialTypes.clear();
  authentication.chosen = [];
  delete authentication.waitsFor;
  delete authentication.kept;
  delete authentication.stepLinks;
  delete authentication.typedUsername;
}

export function brokeredStage({ brokered }: HostAuthenticationSession): BrokerFlowStage | undefined {
  const stage = brokered?.stage;
  return stage === 'first-broker-login' || stage === 'post-broker-login' ? stage : undefined;
}

/** The type of an event about the login's current flow. */
export function eventTypeOf(authentication: HostAuthenticationSession): string {
  const stage = brokeredStage(authentication);
  if (stage !== undefined) return EVENT_TYPES[stage];
  return EVENT_TYPES_OF_FLOWS[authentication.flow];
}

const NO_USER = { error: 'invalid_user_credentials', message: { key: 'invalidUserMessage' } };

/**
 * The refusal of a flow that failed, or that ended without a proven user.
 * @param findExisting finds the user who matches the account of a first broker login
 */
export async function flowRefusal(
  authentication: HostAuthenticationSession,
  client: Client,
  result: Extract<FlowResult, { outcome: 'success' | 'unproven' | 'attempted' | 'failure' }>,
  findExisting: () => Promise<ExistingUser | undefined>,
): Promise<PageRefusal> {
  const eventType = eventTypeOf(authentication);
  if (result.outcome === 'failure') {
    const { error, message, userId, wwwAuthenticate } = result.step;
    const challenge =
      wwwAuthenticate === undefined ? {} : { status: 401, headers: { 'WWW-Authenticate': wwwAuthenticate } };
    return new PageRefusal(error, message, { client, eventType, ...challenge, ...defined({ userId }) });
  }
  if (result.outcome === 'unproven') return new PageRefusal(UNPROVEN, NO_USER.message, { client, eventType });
  const { brokered, notice } = authentication;
  if (brokered?.stage === 'first-broker-login') {
    const { identityProvider, username } = brokered.identity;
    const details = { identity_provider: identityProvider, identity_provider_identity: username };
    const matched = await findExisting();
    if (matched === undefined) return new PageRefusal(NO_USER.error, NO_USER.message, { client, eventType, details });
    const { attribute, value, user } = matched;
    const message = { key: 'federatedIdentityExistsMessage', params: [attribute, value] };
    return new PageRefusal('federated_identity_account_exists', message, {
      client,
      eventType,
      userId: user.id,
      details: { ...details, ...(attribute === 'email' ? { existing_email: value } : { existing_username: value }) },
    });
  }
  // If the flow has sent the browser to an identity provider, the notice contains the result.
  const { error, message } = notice === undefined ? NO_USER : { ...NO_USER, message: notice };
  return new PageRefusal(error, message, { client, eventType });
}
