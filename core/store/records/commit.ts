import { type Operation, RollBack, type Statement } from '../engine/operation.js';
import type { CommitResult, CommitStep } from '../store.js';
import { actionTokenOperations } from './action-tokens.js';
import { entryOperations } from './entries.js';
import { eventOperations } from './events.js';
import { markOperations } from './marks.js';
import { sessionOperations } from './sessions/session-operations.js';
import { ticketOperations } from './tickets.js';

/** Steps whose answers decide whether their guards are met. */
const GUARDED_STEPS: ReadonlySet<CommitStep['op']> = new Set([
  ...(['tickets.issue', 'tickets.redeem', 'marks.claim', 'entries.claim', 'actionTokens.remove'] as const),
]);

type StepOutcome = readonly [outcome: unknown, met: boolean];
type StatementBatch = Statement | readonly Statement[];

export const commitOperations = {
  /**
   * Runs all steps. Their next statements are sent together, in their order, because no step depends on the answers of
   * another.
   */
  *commit(steps: readonly CommitStep[]): Operation<CommitResult> {
    const stepOperations = steps.map(runStep);
    const outcomes: (StepOutcome | undefined)[] = steps.map(() => undefined);
    const answers: unknown[] = steps.map(() => undefined);
    for (;;) {
      const asked: [index: number, asked: StatementBatch][] = [];
      for (const [index, operation] of stepOperations.entries()) {
        if (outcomes[index] !== undefined) continue;
        const step = operation.next(answers[index]);
        if (step.done === true) outcomes[index] = step.value;
        else asked.push([index, step.value]);
        const failed = findUnmetGuard(outcomes);
        if (failed !== undefined) throw new RollBack({ committed: false, ...failed } satisfies CommitResult);
      }
      if (asked.length === 0) break;
      const isLast = asked.every(([index, statements]) => isLastAndUnguarded(steps[index] as CommitStep, statements));
      const batch = asked.flatMap(([, statements]) => toList(statements).map(withoutEnd));
      const end = batch.pop() as Statement;
      const batchAnswers = (yield [...batch, isLast ? { ...end, ends: true } : end]) as unknown[];
      for (const [index, statements] of asked) {
        const stepAnswers = batchAnswers.splice(0, toList(statements).length);
        answers[index] = Array.isArray(statements) ? stepAnswers : stepAnswers[0];
      }
    }
    return { committed: true, outcomes: outcomes.map((outcome) => outcome?.[0]) };
  },
};

/** Returns the first step whose guard is not met, if all steps before it have ended. */
function findUnmetGuard(
  outcomes: readonly (StepOutcome | undefined)[],
): { failed: number; outcome: unknown } | undefined {
  for (const [failed, one] of outcomes.entries()) {
    if (one === undefined) return undefined;
    const [outcome, met] = one;
    if (!met) return { failed, outcome };
  }
  return undefined;
}

/** True if these are the step's last statements, and its guard is met with any answer. */
function isLastAndUnguarded({ op }: CommitStep, asked: StatementBatch): boolean {
  return !GUARDED_STEPS.has(op) && toList(asked).at(-1)?.ends === true;
}

function toList(asked: StatementBatch): readonly Statement[] {
  return Array.isArray(asked) ? asked : [asked as Statement];
}

function withoutEnd({ ends: _ends, ...statement }: Statement): Statement {
  return statement;
}

/**
 * Runs a step.
 * @returns its outcome, and whether its guard is met
 */
function* runStep(step: CommitStep): Operation<StepOutcome> {
  switch (step.op) {
    case 'tickets.issue': {
      const outcome = yield* ticketOperations['tickets.issue'](step.args);
      return [outcome, outcome === step.require];
    }
    case 'tickets.redeem': {
      const outcome = yield* ticketOperations['tickets.redeem'](step.args);
      return [outcome, outcome.outcome === step.require];
    }
    case 'marks.claim': {
      const claimed = yield* markOperations['marks.claim'](step.args);
      return [claimed, claimed === step.require];
    }
    case 'entries.claim': {
      const claimed = yield* entryOperations['entries.claim'](step.args);
      return [claimed, claimed === step.require];
    }
    case 'entries.put':
      return [yield* entryOperations['entries.put'](step.args), true];
    case 'sessions.start':
      return [yield* sessionOperations['sessions.start'](...step.args), true];
    case 'sessions.attach': {
      const attached = yield* sessionOperations['sessions.attach'](...step.args);
      return [attached, attached === step.require];
    }
    case 'sessions.join':
      return [yield* sessionOperations['sessions.join'](...step.args), true];
    case 'actionTokens.remove': {
      const removed = yield* actionTokenOperations['actionTokens.remove'](step.args);
      return [removed, removed === step.require];
    }
    case 'events.append':
      return [yield* eventOperations['events.append'](step.args), true];
  }
}
