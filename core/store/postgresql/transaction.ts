import { HostError } from '@keyhost/spi';
import { type Operation, RollBack, type Statement } from '../engine/operation.js';
import { toHostError } from '../engine/store-error.js';
import { eventOperations } from '../records/events.js';
import type { EventRecord } from '../store.js';
import { type Answer, rowsWritten } from './batch.js';
import type { Plan } from './plans.js';
import { ALLOW_LONG_STATEMENTS, BEGIN, COMMIT, ROLLBACK } from './postgresql-dialect.js';
import { isConnectionLost } from './postgresql-error.js';
import type { Session } from './session.js';

/**
 * Thrown if the connection was lost while COMMIT was in flight. The transaction may have been committed, but the
 * caller's request counts as not granted.
 */
export class UnknownOutcome extends Error {}

export interface Outcome {
  readonly result: unknown;
  /** True if the events were written with the operation. */
  readonly carried: boolean;
}

type StatementBatch = Statement | readonly Statement[];

/** An operation that has yielded its first statements. */
export interface BegunOperation {
  readonly operation: Operation<unknown>;
  readonly asked: StatementBatch;
}

/**
 * Begins an operation. An operation without statements ends here, without a connection.
 * @throws HostError `store_error` if a value cannot be stored
 */
export function beginOperation(operation: Operation<unknown>): BegunOperation | { readonly result: unknown } {
  try {
    const step = resume(operation);
    return step.done === true ? { result: step.value } : { operation, asked: step.value };
  } catch (error) {
    if (error instanceof RollBack) return { result: error.answer };
    throw error;
  }
}

/**
 * Resumes an operation. An error that the operation itself throws does not come from the server: another attempt would
 * fail in the same way.
 */
function resume(operation: Operation<unknown>, answer?: unknown): IteratorResult<StatementBatch, unknown> {
  try {
    return operation.next(answer);
  } catch (error) {
    if (error instanceof RollBack || error instanceof HostError) throw error;
    const message = error instanceof Error ? error.message : String(error);
    throw toHostError({ code: 'store_error', message, status: 500 }, error);
  }
}

/**
 * Runs an operation in a separate transaction. BEGIN is sent with the first statement, and COMMIT with the last one if
 * the operation marks it.
 * @param events written with the operation's changes; not written if it changes nothing
 * @throws UnknownOutcome; errors of the server or the network, if nothing was changed
 */
export async function carryOut(
  session: Session,
  { operation, asked: first }: BegunOperation,
  { plan, events }: { readonly plan: Plan; readonly events: readonly EventRecord[] },
): Promise<Outcome> {
  let prefix = [BEGIN, ...(plan.isLong === true ? [ALLOW_LONG_STATEMENTS] : [])];
  let changedRows = 0;
  try {
    let step: IteratorResult<StatementBatch, unknown> = { done: false, value: first };
    while (step.done !== true) {
      const asked = statementsOf(step.value);
      // Events are only written if something was changed, which earlier answers must show.
      if (asked.at(-1)?.ends === true && (events.length === 0 || changedRows > 0)) {
        const isSingleStatement = prefix.length === 1 && asked.length === 1 && events.length === 0;
        const own = isSingleStatement ? await sendFinal(session, asked) : await sendEnd(session, prefix, asked, events);
        return { result: resultOf(operation, operationAnswer(step.value, own)), carried: events.length > 0 };
      }
      const own = (await session.send([...prefix, ...asked])).slice(prefix.length);
      prefix = [];
      changedRows += own.reduce(
        (sum, answer, index) => (asked[index]?.excludes === true ? sum : sum + rowsWritten(answer)),
        0,
      );
      step = resume(operation, operationAnswer(step.value, own));
    }
    const carried = events.length > 0 && changedRows > 0;
    await sendEnd(session, [], [], carried ? events : []);
    return { result: step.value, carried };
  } catch (error) {
    await rollBack(session);
    if (error instanceof RollBack) return { result: error.answer, carried: false };
    throw error;
  }
}

/** Returns the result of an operation that has marked its last statement. */
function resultOf(operation: Operation<unknown>, answer: unknown): unknown {
  const step = operation.next(answer);
  if (step.done !== true) throw new Error('an operation continues after its end');
  return step.value;
}

/** Rolls back a transaction, or closes its connection if that fails. */
export async function rollBack(session: Session): Promise<void> {
  if (session.isBroken) return;
  try {
    await session.send([ROLLBACK]);
  } catch (error) {
    session.destroy(`a transaction could not be rolled back: ${String(error)}`);
  }
}

/**
 * Sends the events and COMMIT after the last statements.
 * @returns the answers to `asked`
 */
async function sendEnd(
  session: Session,
  prefix: readonly string[],
  asked: readonly Statement[],
  events: readonly EventRecord[],
): Promise<readonly Answer[]> {
  const eventStatements =
    events.length === 0 ? [] : statementsOf(eventOperations['events.append'](events).next().value as StatementBatch);
  const answers = await sendFinal(session, [...prefix, ...asked, ...eventStatements, COMMIT]);
  // If the server has aborted the transaction, it answers COMMIT with ROLLBACK.
  if (answers.at(-1)?.tag !== COMMIT) throw new Error('the server has not committed');
  return answers.slice(prefix.length);
}

/**
 * Sends the statements that end a transaction.
 * @throws UnknownOutcome if the connection was lost
 */
async function sendFinal(session: Session, statements: readonly (Statement | string)[]): Promise<readonly Answer[]> {
  try {
    return await session.send(statements);
  } catch (error) {
    throw isConnectionLost(error) ? toUnknownOutcome(error) : error;
  }
}

export function toUnknownOutcome(cause: unknown): UnknownOutcome {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new UnknownOutcome(`whether it was written is not known: ${reason}`, { cause });
}

export function statementsOf(asked: StatementBatch): readonly Statement[] {
  return Array.isArray(asked) ? asked : [asked as Statement];
}

/** Returns the value with which the operation resumes. */
export function operationAnswer(asked: StatementBatch, answers: readonly Answer[]): unknown {
  const answerList = statementsOf(asked).map((statement, index) => answerOf(statement, answers[index] as Answer));
  return Array.isArray(asked) ? answerList : answerList[0];
}

function answerOf({ answer }: Statement, serverAnswer: Answer): unknown {
  if (answer === 'changed') return rowsWritten(serverAnswer);
  return answer === 'row' ? serverAnswer.rows[0] : serverAnswer.rows;
}
