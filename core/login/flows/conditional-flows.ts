import type { FlowEntry } from '@keyhost/spi';
import { LEVEL_CONDITION, levelOfCondition } from '../../realms/flows/flow-levels.js';
import type { Execution } from '../../realms/flows/flow-model.js';
import { authenticatorOf, callWithoutRefusal, createCondition, isCondition } from './flow-authenticators.js';
import type { FlowRun } from './flow-run.js';
import { NO_LEVEL } from './levels.js';

/**
 * Evaluates the conditions of a flow. Without an enabled condition the flow is skipped, as in Keycloak
 * (`isConditionalSubflowDisabled`). If this host does not have one of them, the result is `unknown` and the flow fails,
 * because either path may be the weaker one.
 */
export async function evaluateConditions(run: FlowRun, { executions }: Execution): Promise<boolean | 'unknown'> {
  const conditions = executions.filter((execution) => isCondition(run.session, execution));
  for (const condition of conditions) {
    const isConditionMet = await evaluateCondition(run, condition, executions);
    if (isConditionMet !== true) return isConditionMet;
  }
  return conditions.length > 0;
}

async function evaluateCondition(
  run: FlowRun,
  condition: Execution,
  executions: readonly Execution[],
): Promise<boolean | 'unknown'> {
  const { session, state, scopes } = run;
  const enabled = authenticatorOf(session, condition);
  if (enabled === undefined) return 'unknown';
  const provider = createCondition(session, enabled);
  const wantedLevel = await run.wantedLevel();
  const context = await run.context(condition, enabled);
  return callWithoutRefusal(session, enabled, () =>
    provider.isMet({
      ...context,
      scopes,
      level: state.level === NO_LEVEL ? undefined : state.level,
      wantedLevel: wantedLevel === NO_LEVEL ? undefined : wantedLevel,
      executions: executions.map(entryOf),
      executedFlows: [...state.passedFlows],
    }),
  );
}

/**
 * The part of a flow's entry that conditions see. It lacks the settings, which may contain another plugin's secrets.
 */
function entryOf({ authenticator, requirement, executions }: Execution): FlowEntry {
  return { authenticator, requirement, executions: executions.map(entryOf) };
}

/** Marks a CONDITIONAL flow as done. If it has a level condition, the login has reached that level. */
export function markConditionalDone(run: FlowRun, { id, executions }: Execution): void {
  const { state, session } = run;
  state.done.set(id, 'success');
  for (const entry of executions) {
    if (entry.authenticator !== LEVEL_CONDITION || !isCondition(session, entry)) continue;
    const { level } = levelOfCondition(entry) ?? {};
    if (level === undefined) continue;
    state.level = Math.max(state.level ?? level, level);
    state.levels[level] = run.nowSeconds();
  }
}
