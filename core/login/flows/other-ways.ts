import type { OtherWay } from '@keyhost/spi';
import type { Execution } from '../../realms/flows/flow-model.js';
import { createProvider } from '../../registry/generations/realm-providers.js';
import { alternativesOf, type FlowRun, isCondition, lacksWhatItAsksFor, providerOf } from './run-flow.js';

/** What Keycloak's messages call its steps; a plugin's is called by its id. */
const NAMES: ReadonlyMap<string, string> = new Map([
  ['auth-username-password-form', 'auth-username-password-form-display-name'],
  ['auth-otp-form', 'otp-display-name'],
  ['webauthn-authenticator', 'webauthn-display-name'],
  ['webauthn-authenticator-passwordless', 'webauthn-passwordless-display-name'],
  ['auth-recovery-authn-code-form', 'auth-recovery-authn-code-form-display-name'],
  ['idp-email-verification', 'idp-email-verification-display-name'],
  ['idp-username-password-form', 'idp-username-password-form-display-name'],
]);

/**
 * The alternatives to the step that waits for an answer: those beside it, then those beside the flow that it stands in. What
 * its user has not set up, and what asks for nothing, is none (Keycloak's AuthenticationSelectionResolver).
 */
export async function otherWays(
  run: FlowRun,
  executions: readonly Execution[],
  waiting: Execution,
): Promise<OtherWay[]> {
  const onPath = ({ id }: Execution) => id === waiting.id || waiting.id.startsWith(`${id}.`);
  const current = executions.find(onPath);
  if (current === undefined) return [];
  const ways = await otherWays(run, current.executions, waiting);
  if (current.requirement !== 'ALTERNATIVE') return ways;
  for (const execution of alternativesOf(run, executions)) {
    const step = execution === current ? undefined : askingStep(run, execution);
    if (step?.authenticator === undefined || (await lacksWhatItAsksFor(run, execution))) continue;
    ways.push({ execution: execution.id, label: { key: NAMES.get(step.authenticator) ?? step.authenticator } });
  }
  return ways;
}

/** The step that would show its page first; undefined when none is left that has one. */
function askingStep(run: FlowRun, execution: Execution): Execution | undefined {
  if (execution.requirement === 'DISABLED' || isCondition(run, execution)) return undefined;
  if (execution.authenticator === undefined) {
    for (const inner of execution.executions) {
      const step = askingStep(run, inner);
      if (step !== undefined) return step;
    }
    return undefined;
  }
  const enabled = run.login.done.has(execution.id) ? undefined : providerOf(run, execution);
  return enabled !== undefined && createProvider(enabled, run.session).action !== undefined ? execution : undefined;
}
