import { HostError } from '@keyhost/spi';
import { type Operation, type Statement, Undo } from '../engine/operation.js';
import { errorOf } from '../engine/store-error.js';
import { eventOperations } from '../records/events.js';
import type { EventRecord } from '../store.js';
import { type Answer, rowsWritten } from './batch.js';
import type { Plan } from './plans.js';
import { ALLOW_LONG_STATEMENTS, BEGIN, COMMIT, ROLLBACK } from './postgresql-dialect.js';
import { isLost } from './postgresql-error.js';
import type { Session } from './session.js';

/**
 * The connection was lost while COMMIT was in flight. The transaction may have been committed, and the caller's request
 * is not granted.
 */
export class UnknownOutcome extends Error {}

export interface Outcome {
  readonly result: unknown;
  /** Whether the events were written with it. */
  readonly carried: boolean;
}

type Asked = Statement | readonly Statement[];

/** An operation that needs the server. */
export interface Begun {
  readonly operation: Operation<unknown>;
  /** Its first statements. */
  readonly asked: Asked;
}

/**
 * Begins an operation. One without statements ends here, without a connection.
 * @throws HostError `store_error` if it was given a value that cannot be stored
 */
export function begin(operation: Operation<unknown>): Begun | { readonly result: unknown } {
  try {
    const step = resume(operation);
    return step.done === true ? { result: step.value } : { operation, asked: step.value };
  } catch (error) {
    if (error instanceof Undo) return { result: error.answer };
    throw error;
  }
}

/** An error that an operation throws itself is not the server's: another attempt would fail in the same way. */
function resume(operation: Operation<unknown>, answer?: unknown): IteratorResult<Asked, unknown> {
  try {
    return operation.next(answer);
  } catch (error) {
    if (error instanceof Undo || error instanceof HostError) throw error;
    const message = error instanceof Error ? error.message : String(error);
    throw errorOf({ code: 'store_error', message, status: 500 }, error);
  }
}

/**
 * Runs an operation in a transaction of its own. BEGIN is sent with the first statement, and COMMIT with the last one
 * if the operation marks it.
 * @param events written with the operation's changes, and not at all if it changes nothing
 * @throws UnknownOutcome; errors of the server or the network, if nothing was changed
 */
export async function carryOut(
  session: Session,
  { operation, asked: first }: Begun,
  { plan, events }: { readonly plan: Plan; readonly events: readonly EventRecord[] },
): Promise<Outcome> {
  let beginning = [BEGIN, ...(plan.isLong === true ? [ALLOW_LONG_STATEMENTS] : [])];
  let written = 0;
  try {
    let step: IteratorResult<Asked, unknown> = { done: false, value: first };
    while (step.done !== true) {
      const asked = statementsOf(step.value);
      // Events are written only if something was changed, which the answers show.
      if (asked.at(-1)?.ends === true && (events.length === 0 || written > 0)) {
        const isAll = beginning.length === 1 && asked.length === 1 && events.length === 0;
        const own = isAll ? await sendLast(session, asked) : await end(session, beginning, asked, events);
        return { result: resultOf(operation, answerTo(step.value, own)), carried: events.length > 0 };
      }
      const own = (await session.send([...beginning, ...asked])).slice(beginning.length);
      beginning = [];
      written += own.reduce(
        (sum, answer, index) => (asked[index]?.excludes === true ? sum : sum + rowsWritten(answer)),
        0,
      );
      step = resume(operation, answerTo(step.value, own));
    }
    const carried = events.length > 0 && written > 0;
    await end(session, [], [], carried ? events : []);
    return { result: step.value, carried };
  } catch (error) {
    await rollBack(session);
    if (error instanceof Undo) return { result: error.answer, carried: false };
    throw error;
  }
}

/** The result of an operation that has marked its last statement. */
function resultOf(operation: Operation<unknown>, answer: unknown): unknown {
  const step = operation.next(answer);
  if (step.done !== true) throw new Error('an operation continues after its end');
  return step.value;
}

/** Rolls a transaction back, or closes its connection if that fails. */
export async function rollBack(session: Session): Promise<void> {
  if (session.isBroken) return;
  try {
    await session.send([ROLLBACK]);
  } catch (error) {
    session.destroy(`a transaction could not be rolled back: ${String(error)}`);
  }
}

/** Ends a transaction. @returns the answers to `asked` */
async function end(
  session: Session,
  beginning: readonly string[],
  asked: readonly Statement[],
  events: readonly EventRecord[],
): Promise<readonly Answer[]> {
  const told = events.length === 0 ? [] : statementsOf(eventOperations['events.append'](events).next().value as Asked);
  const answers = await sendLast(session, [...beginning, ...asked, ...told, COMMIT]);
  // The server answers so to the end of a transaction that it has given up.
  if (answers.at(-1)?.tag !== COMMIT) throw new Error('the server has not committed');
  return answers.slice(beginning.length);
}

/** Sends what ends a transaction. */
async function sendLast(session: Session, statements: readonly (Statement | string)[]): Promise<readonly Answer[]> {
  try {
    return await session.send(statements);
  } catch (error) {
    throw isLost(error) ? unknownOutcome(error) : error;
  }
}

export function unknownOutcome(cause: unknown): UnknownOutcome {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new UnknownOutcome(`whether it was written is not known: ${reason}`, { cause });
}

export function statementsOf(asked: Asked): readonly Statement[] {
  return Array.isArray(asked) ? asked : [asked as Statement];
}

/** The value that the operation resumes with. */
export function answerTo(asked: Asked, answers: readonly Answer[]): unknown {
  const each = statementsOf(asked).map((statement, index) => answerOf(statement, answers[index] as Answer));
  return Array.isArray(asked) ? each : each[0];
}

function answerOf({ answer }: Statement, given: Answer): unknown {
  if (answer === 'changed') return rowsWritten(given);
  return answer === 'row' ? given.rows[0] : given.rows;
}
