import { type Operation, type Statement, Undo } from '../engine/operation.js';
import { eventOperations } from '../records/events.js';
import type { EventRecord } from '../store.js';
import { type Answer, rowsWritten } from './batch.js';
import type { Plan } from './plans.js';
import { ALLOW_LONG_STATEMENTS, BEGIN, COMMIT, ROLLBACK } from './postgresql-dialect.js';
import { isLost } from './postgresql-error.js';
import type { Session } from './session.js';

/** The connection was lost when COMMIT was on its way: it may have been carried out, and what was asked for is not granted. */
export class UnknownOutcome extends Error {}

export interface Outcome {
  readonly result: unknown;
  /** Whether the events were written with it. */
  readonly carried: boolean;
}

/**
 * Carries out an operation in a transaction of its own. BEGIN goes with the first statement, and none is sent for an operation
 * without statements.
 * @param events written with what the operation changes, and not at all where it changes nothing
 * @throws UnknownOutcome; what the server or the network says, and nothing was changed then
 */
export async function carryOut(
  session: Session,
  operation: Operation<unknown>,
  { plan, events }: { readonly plan: Plan; readonly events: readonly EventRecord[] },
): Promise<Outcome> {
  const beginning = [BEGIN, ...(plan.isLong === true ? [ALLOW_LONG_STATEMENTS] : [])];
  let hasBegun = false;
  let written = 0;
  try {
    let step = operation.next();
    while (step.done !== true) {
      const asked = statementsOf(step.value);
      const answers = await session.send(hasBegun ? asked : [...beginning, ...asked]);
      const own = hasBegun ? answers : answers.slice(beginning.length);
      hasBegun = true;
      written += own.reduce(
        (sum, answer, index) => (asked[index]?.excludes === true ? sum : sum + rowsWritten(answer)),
        0,
      );
      step = operation.next(answerTo(step.value, own));
    }
    if (!hasBegun) return { result: step.value, carried: false };
    const carried = events.length > 0 && written > 0;
    const told = carried ? eventOperations['events.append'](events).next().value : undefined;
    await commit(session, told === undefined ? [] : statementsOf(told as Statement));
    return { result: step.value, carried };
  } catch (error) {
    await giveUp(session);
    if (error instanceof Undo) return { result: error.answer, carried: false };
    throw error;
  }
}

/** Ends a transaction without its changes; with its connection where nothing else ends it. */
export async function giveUp(session: Session): Promise<void> {
  if (session.isBroken) return;
  try {
    await session.send([ROLLBACK]);
  } catch (error) {
    session.destroy(`a transaction could not be rolled back: ${String(error)}`);
  }
}

async function commit(session: Session, last: readonly Statement[]): Promise<void> {
  let answers: readonly Answer[];
  try {
    answers = await session.send([...last, COMMIT]);
  } catch (error) {
    throw isLost(error) ? unknownOutcome(error) : error;
  }
  // The server answers so to the end of a transaction that it has given up.
  if (answers.at(-1)?.tag !== COMMIT) throw new Error('the server has not committed');
}

export function unknownOutcome(cause: unknown): UnknownOutcome {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new UnknownOutcome(`whether it was written is not known: ${reason}`, { cause });
}

export function statementsOf(asked: Statement | readonly Statement[]): readonly Statement[] {
  return Array.isArray(asked) ? asked : [asked as Statement];
}

/** What the operation that asked for it is sent on with. */
export function answerTo(asked: Statement | readonly Statement[], answers: readonly Answer[]): unknown {
  const each = statementsOf(asked).map((statement, index) => answerOf(statement, answers[index] as Answer));
  return Array.isArray(asked) ? each : each[0];
}

function answerOf({ answer }: Statement, given: Answer): unknown {
  if (answer === 'changed') return rowsWritten(given);
  return answer === 'row' ? given.rows[0] : given.rows;
}
