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
import type { HostSession } from '../../registry/sessions/host-session.js';
import { asFailure, asFault, withTimeLimit } from './plugin-errors.js';

export type EnabledAuthenticator = EnabledProvider<AuthenticatorDeclaration, AuthenticatorProvider | ConditionProvider>;

/** The step or condition that an entry of a flow names; undefined for a sub-flow, and if this host does not have it. */
export function authenticatorOf(
  session: HostSession,
  { authenticator }: Pick<FlowEntry, 'authenticator'>,
): EnabledAuthenticator | undefined {
  if (authenticator === undefined) return undefined;
  return enabledProvider(session.generation, session.compiledRealm, Authenticator, authenticator);
}

/**
 * True for an entry that decides whether its flow runs. Entries that this host does not have are conditions if they are
 * named like Keycloak's.
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

/** A step for this session. @throws HostError `provider_shape` for a condition */
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
 * Asks a condition, or asks a step whether the user is set up for it.
 * @throws HostError 500 for a plugin's error with a message for callers, because these calls cannot refuse a login
 */
export async function answerOf<T>(
  session: HostSession,
  enabled: EnabledAuthenticator,
  ask: () => Promise<T>,
): Promise<T> {
  try {
    return await withTimeLimit(session, enabled.registered, ask);
  } catch (error) {
    throw asFault(enabled.registered, error);
  }
}

/** Asks a step. An error by which a plugin's step refuses the login becomes its failure. */
export async function stepAnswerOf(
  session: HostSession,
  { registered }: EnabledAuthenticator,
  ask: () => Promise<AuthenticationStep>,
): Promise<AuthenticationStep> {
  try {
    return await withTimeLimit(session, registered, ask);
  } catch (error) {
    return asFailure(session, registered, error);
  }
}
