import { setTimeout as delay } from 'node:timers/promises';
import { carriedEvents } from '../engine/carried-events.js';
import type { Writer } from '../engine/engine.js';
import { storeUnavailableError } from '../engine/store-error.js';
import {
  type OperationArguments,
  type OperationName,
  type OperationResult,
  operationOf,
} from '../records/operations.js';
import type { EventRecord } from '../store.js';
import { TransactionalEventScope, type TransactionalEvents } from '../transactional-events.js';
import type { Answer } from './batch.js';
import { Gatherer } from './gatherer.js';
import { planOf } from './plans.js';
import type { Pool } from './pool.js';
import { BEGIN, COMMIT } from './postgresql-dialect.js';
import {
  hostErrorOf,
  isConnectionLost,
  isRolledBackForOthers,
  isUnavailable,
  isUniqueViolation,
} from './postgresql-error.js';
import {
  type BegunOperation,
  beginOperation,
  carryOut,
  operationAnswer,
  rollBack,
  statementsOf,
  toUnknownOutcome,
  UnknownOutcome,
} from './transaction.js';

/** Maximum number of attempts of a transaction that the server rolls back because of concurrent ones. */
const MAX_ATTEMPTS = 8;
/**
 * Maximum pause before the second attempt, in milliseconds. It doubles with each attempt, and the actual pause is
 * random.
 */
const FIRST_PAUSE_MS = 5;

interface Request {
  readonly name: OperationName;
  readonly parameters: readonly unknown[];
  readonly events: readonly EventRecord[];
  readonly recordings: readonly TransactionalEvents[];
}

interface GatheredRequest extends Request {
  /** The key of what it writes, by which the requests of a group are sorted. */
  readonly sortKey: string;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** Runs each operation as a transaction, or together with others that arrive in the same turn; see plans.ts. */
export class PostgresqlWriter implements Writer {
  readonly transactionalEvents = new TransactionalEventScope();
  readonly #pool: Pool;
  readonly #gatherer: Gatherer<GatheredRequest>;
  #activeCount = 0;
  #isClosed = false;
  #onDrained: (() => void) | undefined;

  constructor(pool: Pool, options: { readonly atOnce: number; readonly together?: number }) {
    this.#pool = pool;
    this.#gatherer = new Gatherer<GatheredRequest>((requests) => this.#carryOutTogether(requests), options);
  }

  async call<Name extends OperationName>(
    name: Name,
    ...parameters: OperationArguments<Name>
  ): Promise<OperationResult<Name>> {
    if (this.#isClosed) throw storeUnavailableError('it is closed');
    const request: Request = { name, parameters, ...carriedEvents(this.transactionalEvents, name, parameters) };
    this.#activeCount += 1;
    try {
      return (await this.#dispatch(request)) as OperationResult<Name>;
    } finally {
      this.#activeCount -= 1;
      if (this.#activeCount === 0) this.#onDrained?.();
    }
  }

  /** Rejects new operations. Resolves when all earlier ones have ended. */
  async drain(): Promise<void> {
    this.#isClosed = true;
    if (this.#activeCount === 0) return;
    await new Promise<void>((resolve) => {
      this.#onDrained = resolve;
    });
  }

  #dispatch(request: Request): Promise<unknown> {
    const keyOfRequest = planOf(request.name).together as
      | ((...parameters: readonly unknown[]) => string | undefined)
      | undefined;
    const sortKey = keyOfRequest?.(...request.parameters);
    // Its events may only be written if it has changed something. To find that out takes a transaction of its own.
    if (sortKey === undefined || request.events.length > 0) return this.#carryOutAlone(request);
    return new Promise((resolve, reject) => {
      this.#gatherer.add({ ...request, sortKey: sortKey, resolve, reject });
    });
  }

  async #carryOutAlone(request: Request): Promise<unknown> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#attempt(request);
      } catch (error) {
        if (!mayRetry(error, attempt)) throw hostErrorOf(error);
        await delay(Math.random() * FIRST_PAUSE_MS * 2 ** (attempt - 1));
      }
    }
  }

  async #attempt({ name, parameters, events, recordings }: Request): Promise<unknown> {
    const begun = beginOperation(operationOf(name, parameters));
    if ('result' in begun) return begun.result;
    const plan = planOf(name);
    const session = await this.#pool.lease();
    session.mayTakeLong = plan.isLong === true;
    try {
      const { result, carried } = await carryOut(session, begun, { plan, events });
      if (carried) for (const recording of recordings) recording.markWritten();
      return result;
    } finally {
      session.mayTakeLong = false;
      this.#pool.release(session);
    }
  }

  /**
   * Runs the statements of all requests as one transaction. If that fails, or an operation has further statements, each
   * request runs alone.
   */
  async #carryOutTogether(requests: readonly GatheredRequest[]): Promise<void> {
    const sortedRequests = requests.length === 1 ? requests : [...requests].sort(bySortKey);
    const begun = sortedRequests.flatMap((request) => beginRequest(request));
    let answers: readonly Answer[];
    try {
      answers = await this.#send(begun.flatMap(({ asked }) => statementsOf(asked)));
    } catch (error) {
      if (error instanceof UnknownOutcome || isUnavailable(error)) {
        for (const { request } of begun) request.reject(hostErrorOf(error));
      } else {
        await Promise.all(
          begun.map(({ request }) => this.#carryOutAlone(request).then(request.resolve, request.reject)),
        );
      }
      return;
    }
    let nextAnswer = 0;
    for (const { request, operation, asked } of begun) {
      const count = statementsOf(asked).length;
      const step = operation.next(operationAnswer(asked, answers.slice(nextAnswer, nextAnswer + count)));
      nextAnswer += count;
      if (step.done === true) request.resolve(step.value);
      else this.#carryOutAlone(request).then(request.resolve, request.reject);
    }
  }

  /** Sends statements as a transaction. A single statement needs no BEGIN and COMMIT. */
  async #send(statements: readonly ReturnType<typeof statementsOf>[number][]) {
    if (statements.length === 0) return [];
    const session = await this.#pool.lease();
    try {
      if (statements.length === 1) return await session.send(statements);
      const answers = await session.send([BEGIN, ...statements, COMMIT]);
      return answers.slice(1);
    } catch (error) {
      if (isConnectionLost(error)) throw toUnknownOutcome(error);
      if (statements.length > 1) await rollBack(session);
      throw error;
    } finally {
      this.#pool.release(session);
    }
  }
}

/** Begins a request. Resolves or rejects it at once if its operation needs no statements, or fails by itself. */
function beginRequest(request: GatheredRequest): (BegunOperation & { readonly request: GatheredRequest })[] {
  try {
    const begun = beginOperation(operationOf(request.name, request.parameters));
    if (!('result' in begun)) return [{ ...begun, request }];
    request.resolve(begun.result);
  } catch (error) {
    request.reject(error);
  }
  return [];
}

function bySortKey(a: GatheredRequest, b: GatheredRequest): number {
  return a.sortKey < b.sortKey ? -1 : Number(a.sortKey > b.sortKey);
}

/**
 * True if another attempt may succeed. That is so if the server has rolled it back because of concurrent transactions,
 * or one of these has inserted the row that was missing. It is also so if the connection was lost before the commit was
 * sent, because nothing was changed then.
 */
function mayRetry(error: unknown, attempt: number): boolean {
  if (error instanceof UnknownOutcome || isUnavailable(error)) return false;
  if (isRolledBackForOthers(error)) return attempt < MAX_ATTEMPTS;
  return attempt === 1 && (isUniqueViolation(error) || isConnectionLost(error));
}
