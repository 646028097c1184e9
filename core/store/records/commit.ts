import { type Operation, Undo } from '../engine/operation.js';
import type { CommitResult, CommitStep } from '../store.js';
import { actionTokenOperations } from './action-tokens.js';
import { eventOperations } from './events.js';
import { markOperations } from './marks.js';
import { sessionOperations } from './sessions/session-operations.js';
import { ticketOperations } from './tickets.js';

export const commitOperations = {
  *commit(steps: readonly CommitStep[]): Operation<CommitResult> {
    const outcomes: unknown[] = [];
    for (const [index, step] of steps.entries()) {
      const [outcome, met] = yield* take(step);
      if (!met) throw new Undo({ committed: false, failed: index, outcome } satisfies CommitResult);
      outcomes.push(outcome);
    }
    return { committed: true, outcomes };
  },
};

/** @returns what the step answered and whether its guard is met */
function* take(step: CommitStep): Operation<[outcome: unknown, met: boolean]> {
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
