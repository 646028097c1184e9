import type { FlowEntry, UserView } from '@keyhost/spi';
import type { HostSession } from '../../registry/sessions/host-session.js';
import { answerOf, authenticatorOf, isCondition, stepOf } from './flow-authenticators.js';

/** True if the user is set up for every required step, or if none is required, for one of the alternatives. */
export async function isFlowConfigured(
  session: HostSession,
  user: UserView | undefined,
  executions: readonly FlowEntry[],
): Promise<boolean> {
  const steps = executions.filter((one) => one.requirement !== 'DISABLED' && !isCondition(session, one));
  const required = steps.filter(({ requirement }) => requirement !== 'ALTERNATIVE');
  for (const step of required) if (!(await isStepConfigured(session, user, step))) return false;
  if (required.length > 0) return true;
  for (const step of steps) if (await isStepConfigured(session, user, step)) return true;
  return false;
}

/** True if the user has what the step asks for; for a flow, what its steps ask for. */
export async function isStepConfigured(
  session: HostSession,
  user: UserView | undefined,
  entry: FlowEntry,
): Promise<boolean> {
  if (entry.authenticator === undefined) return isFlowConfigured(session, user, entry.executions);
  const enabled = user === undefined ? undefined : authenticatorOf(session, entry);
  if (user === undefined || enabled === undefined) return false;
  const provider = stepOf(session, enabled);
  const { configuredFor } = provider;
  return configuredFor === undefined || answerOf(session, enabled, () => configuredFor.call(provider, user));
}
