import type { Connection } from '../sqlite/connection.js';
import type { CommitResult, CommitStep } from '../store.js';
import { actionTokenOperations } from './action-tokens.js';
import { eventOperations } from './events.js';
import { markOperations } from './marks.js';
import { sessionOperations } from './sessions/session-operations.js';
import { ticketOperations } from './tickets.js';

/** Undoes the operation that throws it and is its answer. */
export class Undo extends Error {
  readonly answer: unknown;

  constructor(answer: unknown) {
    super('the operation undoes itself');
    this.answer = answer;
  }
}

export const commitOperations = {
  commit(db: Connection, steps: readonly CommitStep[]): CommitResult {
    const outcomes = steps.map((step, index) => {
      const [outcome, met] = take(db, step);
      if (!met) throw new Undo({ committed: false, failed: index, outcome } satisfies CommitResult);
      return outcome;
    });
    return { committed: true, outcomes };
  },
};

/** @returns what the step answered and whether its guard is met */
function take(db: Connection, step: CommitStep): [outcome: unknown, met: boolean] {
  switch (step.op) {
    case 'tickets.issue': {
      const outcome = ticketOperations['tickets.issue'](db, step.args);
      return [outcome, outcome === step.require];
    }
    case 'tickets.redeem': {
      const outcome = ticketOperations['tickets.redeem'](db, step.args);
      return [outcome, outcome.outcome === step.require];
    }
    case 'marks.claim': {
      const claimed = markOperations['marks.claim'](db, step.args);
      return [claimed, claimed === step.require];
    }
    case 'sessions.start':
      return [sessionOperations['sessions.start'](db, ...step.args), true];
    case 'sessions.attach': {
      const attached = sessionOperations['sessions.attach'](db, ...step.args);
      return [attached, attached === step.require];
    }
    case 'sessions.join':
      return [sessionOperations['sessions.join'](db, ...step.args), true];
    case 'actionTokens.remove': {
      const removed = actionTokenOperations['actionTokens.remove'](db, step.args);
      return [removed, removed === step.require];
    }
    case 'events.append':
      return [eventOperations['events.append'](db, step.args), true];
  }
}
