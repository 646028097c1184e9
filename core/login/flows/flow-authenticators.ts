import {
  type AuthenticationStep,
  Authenticator,
  type AuthenticatorDeclaration,
  type AuthenticatorProvider,
  type ConditionProvider,
  type FlowEntry,
  HostError,
} from '@keyhost/spi';
import { createProvider, type EnabledProvider, enabledProvider } from '../../registry/generations/realm-providers.js';
import type { HostSession } from '../../registry/sessions/session.js';
import { asFailure, asFault, limitedAnswer } from './thrown-by-plugin.js';

export type EnabledAuthenticator = EnabledProvider<AuthenticatorDeclaration, AuthenticatorProvider | ConditionProvider>;

/** The step or condition that an entry of a flow names; undefined for a flow, and for what this host does not have. */
export function authenticatorOf(
  session: HostSession,
  { authenticator }: Pick<FlowEntry, 'authenticator'>,
): EnabledAuthenticator | undefined {
  if (authenticator === undefined) return undefined;
  return enabledProvider(session.generation, session.compiledRealm, Authenticator, authenticator);
}

/**
 * True for what says whether its flow is gone through. What the host has says so itself; of what it does not have those are
 * conditions that are called as Keycloak calls its own.
 */
export function isCondition(
  session: HostSession,
  { authenticator, requirement }: Pick<FlowEntry, 'authenticator' | 'requirement'>,
): boolean {
  if (authenticator === undefined || requirement === 'DISABLED') return false;
  const enabled = authenticatorOf(session, { authenticator });
  if (enabled === undefined) return authenticator.startsWith('conditional-');
  return enabled.registered.declaration.describe?.category === 'condition';
}

/** A step for this session. @throws HostError `provider_shape` for a condition, which stands in no step's place */
export function stepOf(session: HostSession, enabled: EnabledAuthenticator): AuthenticatorProvider {
  const provider = createProvider(enabled, session);
  if ('isMet' in provider) throw new HostError('provider_shape', `${enabled.registered.id} is a condition and no step`);
  return provider;
}

/** A condition for this session. @throws HostError `provider_shape` for a step */
export function conditionOf(session: HostSession, enabled: EnabledAuthenticator): ConditionProvider {
  const provider = createProvider(enabled, session);
  if ('isMet' in provider) return provider;
  throw new HostError('provider_shape', `${enabled.registered.id} is a step and no condition`);
}

/**
 * A condition's answer, or whether a step is set up.
 * @throws HostError 500 for an error of a plugin that would tell the caller something: nobody is refused by it
 */
export async function answerOf<T>(
  session: HostSession,
  enabled: EnabledAuthenticator,
  ask: () => Promise<T>,
): Promise<T> {
  try {
    return await limitedAnswer(session, enabled.registered, ask);
  } catch (error) {
    throw asFault(enabled.registered, error);
  }
}

/** A step's answer. An error by which a plugin's step refuses the login is a failure of it. */
export async function stepAnswerOf(
  session: HostSession,
  { registered }: EnabledAuthenticator,
  ask: () => Promise<AuthenticationStep>,
): Promise<AuthenticationStep> {
  try {
    return await limitedAnswer(session, registered, ask);
  } catch (error) {
    return asFailure(session, registered, error);
  }
}
