import { type Operation, type Statement, Undo } from '../engine/operation.js';
import type { CommitResult, CommitStep } from '../store.js';
import { actionTokenOperations } from './action-tokens.js';
import { entryOperations } from './entries.js';
import { eventOperations } from './events.js';
import { markOperations } from './marks.js';
import { sessionOperations } from './sessions/session-operations.js';
import { ticketOperations } from './tickets.js';

/** Steps whose answers decide whether their guards are met. */
const DECIDING: ReadonlySet<CommitStep['op']> = new Set([
  ...(['tickets.issue', 'tickets.redeem', 'marks.claim', 'entries.claim', 'actionTokens.remove'] as const),
]);

type Taken = readonly [outcome: unknown, met: boolean];
type Asked = Statement | readonly Statement[];

export const commitOperations = {
  /** The next statements of all steps are sent together, in their order: no step waits for the answer of another. */
  *commit(steps: readonly CommitStep[]): Operation<CommitResult> {
    const takes = steps.map(take);
    const taken: (Taken | undefined)[] = steps.map(() => undefined);
    const answers: unknown[] = steps.map(() => undefined);
    for (;;) {
      const asked: [index: number, asked: Asked][] = [];
      for (const [index, operation] of takes.entries()) {
        if (taken[index] !== undefined) continue;
        const step = operation.next(answers[index]);
        if (step.done === true) taken[index] = step.value;
        else asked.push([index, step.value]);
        const failed = firstUnmet(taken);
        if (failed !== undefined) throw new Undo({ committed: false, ...failed } satisfies CommitResult);
      }
      if (asked.length === 0) break;
      const isLast = asked.every(([index, statements]) => endsWhollyMet(steps[index] as CommitStep, statements));
      const together = asked.flatMap(([, statements]) => listOf(statements).map(withoutEnd));
      const end = together.pop() as Statement;
      const given = (yield [...together, isLast ? { ...end, ends: true } : end]) as unknown[];
      for (const [index, statements] of asked) {
        const own = given.splice(0, listOf(statements).length);
        answers[index] = Array.isArray(statements) ? own : own[0];
      }
    }
    return { committed: true, outcomes: taken.map((one) => one?.[0]) };
  },
};

/** The first step whose guard is not met, when all before it are taken. */
function firstUnmet(taken: readonly (Taken | undefined)[]): { failed: number; outcome: unknown } | undefined {
  for (const [failed, one] of taken.entries()) {
    if (one === undefined) return undefined;
    const [outcome, met] = one;
    if (!met) return { failed, outcome };
  }
  return undefined;
}

/** True if these are the step's last statements, and its guard is met for all possible answers. */
function endsWhollyMet({ op }: CommitStep, asked: Asked): boolean {
  return !DECIDING.has(op) && listOf(asked).at(-1)?.ends === true;
}

function listOf(asked: Asked): readonly Statement[] {
  return Array.isArray(asked) ? asked : [asked as Statement];
}

function withoutEnd({ ends: _ends, ...statement }: Statement): Statement {
  return statement;
}

/** @returns what the step answered and whether its guard is met */
function* take(step: CommitStep): Operation<Taken> {
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
