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
import { asFailure, toPluginFault, withTimeLimit } from './plugin-errors.js';

export type EnabledAuthenticator = EnabledProvider<AuthenticatorDeclaration, AuthenticatorProvider | ConditionProvider>;

/** The authenticator or condition of a flow's entry. Undefined for a sub-flow, and if this host does not have it. */
export function authenticatorOf(
  session: HostSession,
  { authenticator }: Pick<FlowEntry, 'authenticator'>,
): EnabledAuthenticator | undefined {
  if (authenticator === undefined) return undefined;
  return enabledProvider(session.generation, session.compiledRealm, Authenticator, authenticator);
}

/**
 * True if the entry is a condition, which decides whether its flow runs. If this host does not have it, its name
 * decides: the names of Keycloak's conditions begin with `conditional-`.
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

/**
 * Creates an authenticator for this session.
 * @throws HostError `provider_shape` for a condition
 */
export function createStep(session: HostSession, enabled: EnabledAuthenticator): AuthenticatorProvider {
  const provider = createProvider(enabled, session);
  if ('isMet' in provider) throw new HostError('provider_shape', `${enabled.registered.id} is a condition and no step`);
  return provider;
}

/**
 * Creates a condition for this session.
 * @throws HostError `provider_shape` for an authenticator
 */
export function createCondition(session: HostSession, enabled: EnabledAuthenticator): ConditionProvider {
  const provider = createProvider(enabled, session);
  if ('isMet' in provider) return provider;
  throw new HostError('provider_shape', `${enabled.registered.id} is a step and no condition`);
}

/**
 * Calls a condition, or asks an authenticator whether the user is set up for it.
 * @throws HostError `unknown_error` if a plugin throws an error for callers (one that it exposes), because these calls
 * cannot refuse a login
 */
export async function callWithoutRefusal<T>(
  session: HostSession,
  enabled: EnabledAuthenticator,
  call: () => Promise<T>,
): Promise<T> {
  try {
    return await withTimeLimit(session, enabled.registered, call);
  } catch (error) {
    throw toPluginFault(enabled.registered, error);
  }
}

/**
 * Calls an authenticator. If a plugin's authenticator throws an error for callers, the result is a failure with its
 * message.
 */
export async function callStepMethod(
  session: HostSession,
  { registered }: EnabledAuthenticator,
  call: () => Promise<AuthenticationStep>,
): Promise<AuthenticationStep> {
  try {
    return await withTimeLimit(session, registered, call);
  } catch (error) {
    return asFailure(session, registered, error);
  }
}
