import type { FlowEntry, UserView } from '@keyhost/spi';
import type { HostSession } from '../../registry/sessions/host-session.js';
import { authenticatorOf, callWithoutRefusal, createStep, isCondition } from './flow-authenticators.js';

/**
 * True if the user is set up for every required entry of the flow. If no entry is required, one alternative is enough.
 */
export async function isFlowConfigured(
  session: HostSession,
  user: UserView | undefined,
  executions: readonly FlowEntry[],
): Promise<boolean> {
  const steps = executions.filter((entry) => entry.requirement !== 'DISABLED' && !isCondition(session, entry));
  const required = steps.filter(({ requirement }) => requirement !== 'ALTERNATIVE');
  for (const step of required) if (!(await isStepConfigured(session, user, step))) return false;
  if (required.length > 0) return true;
  for (const step of steps) if (await isStepConfigured(session, user, step)) return true;
  return false;
}

/** True if the user is set up for the entry: for its authenticator, or for its sub-flow. */
export async function isStepConfigured(
  session: HostSession,
  user: UserView | undefined,
  entry: FlowEntry,
): Promise<boolean> {
  if (entry.authenticator === undefined) return isFlowConfigured(session, user, entry.executions);
  const enabled = user === undefined ? undefined : authenticatorOf(session, entry);
  if (user === undefined || enabled === undefined) return false;
  const provider = createStep(session, enabled);
  const { configuredFor } = provider;
  return configuredFor === undefined || callWithoutRefusal(session, enabled, () => configuredFor.call(provider, user));
}
