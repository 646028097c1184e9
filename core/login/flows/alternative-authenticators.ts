import type { Message, OtherWay } from '@keyhost/spi';
import type { Execution } from '../../realms/flows/flow-model.js';
import { declaredMessage } from '../../registry/loading/plugin-messages.js';
import { authenticatorOf, createStep, type EnabledAuthenticator, isCondition } from './flow-authenticators.js';
import type { FlowRun } from './flow-run.js';
import { alternativesOf, isNotConfiguredForUser } from './run-flow.js';

/**
 * The alternatives to the pending authenticator (“try another way”): those in its own flow, then those of the flows
 * around it. Authenticators that the user has not set up and those without a page are excluded (Keycloak's
 * AuthenticationSelectionResolver).
 */
export async function alternativeAuthenticators(
  run: FlowRun,
  executions: readonly Execution[],
  pending: Execution,
): Promise<OtherWay[]> {
  const isOnPath = ({ id }: Execution) => id === pending.id || pending.id.startsWith(`${id}.`);
  const current = executions.find(isOnPath);
  if (current === undefined) return [];
  const ways = await alternativeAuthenticators(run, current.executions, pending);
  if (current.requirement !== 'ALTERNATIVE') return ways;
  for (const execution of alternativesOf(run, executions)) {
    const step = execution === current ? undefined : firstPageStep(run, execution);
    if (step === undefined || (await isNotConfiguredForUser(run, execution))) continue;
    ways.push({ execution: execution.id, label: labelOf(step) });
  }
  return ways;
}

/** The authenticator's label for users: the declared one, else its ID, for which a realm may have a text. */
function labelOf({ registered: { id, declaration, plugin } }: EnabledAuthenticator): Message {
  const { label, displayName } = declaration.describe ?? {};
  if (label !== undefined || displayName === undefined) return label ?? { key: id };
  const { key, texts = {} } = declaredMessage(plugin, displayName);
  return { key: id, texts: { en: key, ...texts } };
}

/** The first authenticator of the execution that would show a page; undefined if none would. */
function firstPageStep(run: FlowRun, execution: Execution): EnabledAuthenticator | undefined {
  if (execution.requirement === 'DISABLED' || isCondition(run.session, execution)) return undefined;
  if (execution.authenticator === undefined) {
    for (const inner of execution.executions) {
      const step = firstPageStep(run, inner);
      if (step !== undefined) return step;
    }
    return undefined;
  }
  const enabled = run.state.done.has(execution.id) ? undefined : authenticatorOf(run.session, execution);
  return enabled !== undefined && createStep(run.session, enabled).action !== undefined ? enabled : undefined;
}
