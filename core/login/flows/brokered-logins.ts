import type { Exchange } from '../../http/exchange.js';
import type { Client } from '../../model/client.js';
import { defined } from '../../model/defined.js';
import { identityProvidersOf } from '../../model/identity-provider.js';
import type { Realm } from '../../model/realm.js';
import type { User } from '../../model/user.js';
import { PageRefusal } from '../../oidc/authorization/authorization-request.js';
import { type Execution, flowNamed } from '../../realms/flows/flow-model.js';
import type { BrokeredStage, HostAuthenticationSession } from '../authentication-sessions.js';
import { UNPROVEN } from './flow-state.js';
import type { FlowResult } from './run-flow.js';

/** A user of the realm who has the e-mail address or the username of an account at an identity provider. */
export interface ExistingUser {
  readonly user: User;
  readonly attribute: 'email' | 'username';
  readonly value: string;
}

/** Who takes browsers to identity providers, and accounts there for users: the broker. */
export interface BrokeredLogins {
  /**
   * Sends the browser to the provider.
   * @param to.loginHint in place of the application's
   * @throws PageRefusal when there is no such provider
   */
  leave(
    exchange: Exchange,
    authentication: HostAuthenticationSession,
    client: Client,
    to: { readonly alias: string; readonly loginHint?: string },
  ): Promise<void>;
  /**
   * The flow that the user was at is passed: after the first login the account is linked to the user. Sets what is
   * next.
   * @throws PageRefusal when the account is somebody else's meanwhile
   */
  passed(exchange: Exchange, authentication: HostAuthenticationSession, client: Client): Promise<void>;
  /** The user whom the account of a first login is about, as far as its address or username says so. */
  existing(realm: Realm, authentication: HostAuthenticationSession): Promise<ExistingUser | undefined>;
}

const EVENT_TYPES: Readonly<Record<BrokeredStage, string>> = {
  'first-broker-login': 'IDENTITY_PROVIDER_FIRST_LOGIN',
  'post-broker-login': 'IDENTITY_PROVIDER_POST_LOGIN',
};

const EVENT_TYPES_OF_FLOWS: Readonly<Record<HostAuthenticationSession['flow'], string>> = {
  browser: 'LOGIN',
  registration: 'REGISTER',
  'reset-credentials': 'RESET_PASSWORD',
};

/** The flow that a login at an identity provider leads through now, in place of the realm's own. */
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

/** Forgets how far the user has come in the flow. */
export function leaveFlow(authentication: HostAuthenticationSession): void {
  authentication.done.clear();
  authentication.passedFlows.clear();
  authentication.credentialTypes.clear();
  authentication.chosen = [];
  delete authentication.waitsFor;
  delete authentication.kept;
  delete authentication.stepLinks;
  delete authentication.typedUsername;
}

export function brokeredStage({ brokered }: HostAuthenticationSession): BrokeredStage | undefined {
  const stage = brokered?.stage;
  return stage === 'first-broker-login' || stage === 'post-broker-login' ? stage : undefined;
}

/** The type of an event about a step. */
export function eventTypeOf(authentication: HostAuthenticationSession): string {
  const stage = brokeredStage(authentication);
  if (stage !== undefined) return EVENT_TYPES[stage];
  return EVENT_TYPES_OF_FLOWS[authentication.flow];
}

const NOBODY = { error: 'invalid_user_credentials', message: { key: 'invalidUserMessage' } };

/** The refusal of a flow that ended without a user. @param existing finds the user whom the account of a first login is about */
export async function refusalOf(
  authentication: HostAuthenticationSession,
  client: Client,
  result: Extract<FlowResult, { outcome: 'success' | 'unproven' | 'attempted' | 'failure' }>,
  existing: () => Promise<ExistingUser | undefined>,
): Promise<PageRefusal> {
  const eventType = eventTypeOf(authentication);
  if (result.outcome === 'failure') {
    const { error, message, userId, wwwAuthenticate } = result.step;
    const asks = wwwAuthenticate === undefined ? {} : { status: 401, headers: { 'WWW-Authenticate': wwwAuthenticate } };
    return new PageRefusal(error, message, { client, eventType, ...asks, ...defined({ userId }) });
  }
  if (result.outcome === 'unproven') return new PageRefusal(UNPROVEN, NOBODY.message, { client, eventType });
  const { brokered, notice } = authentication;
  if (brokered?.stage === 'first-broker-login') {
    const { identityProvider, username } = brokered.identity;
    const details = { identity_provider: identityProvider, identity_provider_identity: username };
    const found = await existing();
    if (found === undefined) return new PageRefusal(NOBODY.error, NOBODY.message, { client, eventType, details });
    const { attribute, value, user } = found;
    const message = { key: 'federatedIdentityExistsMessage', params: [attribute, value] };
    return new PageRefusal('federated_identity_account_exists', message, {
      ...{ client, eventType, userId: user.id },
      details: { ...details, ...(attribute === 'email' ? { existing_email: value } : { existing_username: value }) },
    });
  }
  // The one step that was left sent the browser to a provider, and the notice says what became of it there.
  const { error, message } = notice === undefined ? NOBODY : { ...NOBODY, message: notice };
  return new PageRefusal(error, message, { client, eventType });
}
