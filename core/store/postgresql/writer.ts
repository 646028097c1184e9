import { setTimeout as delay } from 'node:timers/promises';
import { carriedEvents } from '../engine/carried-events.js';
import type { Writer } from '../engine/engine.js';
import { storeUnavailable } from '../engine/store-error.js';
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
import { hostErrorOf, isAway, isLost, isRolledBackForOthers, isUniqueViolation } from './postgresql-error.js';
import {
  answerTo,
  type Begun,
  begin,
  carryOut,
  rollBack,
  statementsOf,
  UnknownOutcome,
  unknownOutcome,
} from './transaction.js';

/** How often a transaction is tried that the server rolls back because of others. */
const ATTEMPTS = 8;
/** The longest wait before the second attempt, in milliseconds; it doubles with each. A random part of it is waited. */
const FIRST_WAIT_MS = 5;

interface Request {
  readonly name: OperationName;
  readonly parameters: readonly unknown[];
  readonly events: readonly EventRecord[];
  readonly recordings: readonly TransactionalEvents[];
}

interface GatheredRequest extends Request {
  /** The key of what it writes. */
  readonly place: string;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** Each operation is a transaction, or part of one with others of its turn; see plans.ts. */
export class PostgresqlWriter implements Writer {
  readonly recordings = new TransactionalEventScope();
  readonly #pool: Pool;
  readonly #together: Gatherer<GatheredRequest>;
  #underWay = 0;
  #isClosed = false;
  #idle: (() => void) | undefined;

  constructor(pool: Pool, options: { readonly atOnce: number; readonly together?: number }) {
    this.#pool = pool;
    this.#together = new Gatherer<GatheredRequest>((requests) => this.#carryOutTogether(requests), options);
  }

  async call<Name extends OperationName>(
    name: Name,
    ...parameters: OperationArguments<Name>
  ): Promise<OperationResult<Name>> {
    if (this.#isClosed) throw storeUnavailable('it is closed');
    const request: Request = { name, parameters, ...carriedEvents(this.recordings, name, parameters) };
    this.#underWay += 1;
    try {
      return (await this.#answer(request)) as OperationResult<Name>;
    } finally {
      this.#underWay -= 1;
      if (this.#underWay === 0) this.#idle?.();
    }
  }

  /** Refuses new operations; resolves when all earlier ones are answered. */
  async drain(): Promise<void> {
    this.#isClosed = true;
    if (this.#underWay === 0) return;
    await new Promise<void>((resolve) => {
      this.#idle = resolve;
    });
  }

  #answer(request: Request): Promise<unknown> {
    const together = planOf(request.name).together as
      | ((...parameters: readonly unknown[]) => string | undefined)
      | undefined;
    const place = together?.(...request.parameters);
    // Its events are written when it is known to have changed something, which takes a transaction of its own.
    if (place === undefined || request.events.length > 0) return this.#carryOutAlone(request);
    return new Promise((resolve, reject) => {
      this.#together.add({ ...request, place, resolve, reject });
    });
  }

  async #carryOutAlone(request: Request): Promise<unknown> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#attempt(request);
      } catch (error) {
        if (!mayGoWell(error, attempt)) throw hostErrorOf(error);
        await delay(Math.random() * FIRST_WAIT_MS * 2 ** (attempt - 1));
      }
    }
  }

  async #attempt({ name, parameters, events, recordings }: Request): Promise<unknown> {
    const begun = begin(operationOf(name, parameters));
    if ('result' in begun) return begun.result;
    const plan = planOf(name);
    const session = await this.#pool.lease();
    session.mayTakeLong = plan.isLong === true;
    try {
      const { result, carried } = await carryOut(session, begun, { plan, events });
      if (carried) for (const recording of recordings) recording.written();
      return result;
    } finally {
      session.mayTakeLong = false;
      this.#pool.release(session);
    }
  }

  /**
   * Runs the statements of all of them as one transaction. If that fails, or an operation has further statements, each
   * runs alone.
   */
  async #carryOutTogether(requests: readonly GatheredRequest[]): Promise<void> {
    const ordered = requests.length === 1 ? requests : [...requests].sort(byPlace);
    const begun = ordered.flatMap((request) => beginOne(request));
    let answers: readonly Answer[];
    try {
      answers = await this.#send(begun.flatMap(({ asked }) => statementsOf(asked)));
    } catch (error) {
      if (error instanceof UnknownOutcome || isAway(error)) {
        for (const { request } of begun) request.reject(hostErrorOf(error));
      } else {
        await Promise.all(
          begun.map(({ request }) => this.#carryOutAlone(request).then(request.resolve, request.reject)),
        );
      }
      return;
    }
    let next = 0;
    for (const { request, operation, asked } of begun) {
      const count = statementsOf(asked).length;
      const step = operation.next(answerTo(asked, answers.slice(next, next + count)));
      next += count;
      if (step.done === true) request.resolve(step.value);
      else this.#carryOutAlone(request).then(request.resolve, request.reject);
    }
  }

  /** One statement needs no transaction around it. */
  async #send(statements: readonly ReturnType<typeof statementsOf>[number][]) {
    if (statements.length === 0) return [];
    const session = await this.#pool.lease();
    try {
      if (statements.length === 1) return await session.send(statements);
      const answers = await session.send([BEGIN, ...statements, COMMIT]);
      return answers.slice(1);
    } catch (error) {
      if (isLost(error)) throw unknownOutcome(error);
      if (statements.length > 1) await rollBack(session);
      throw error;
    } finally {
      this.#pool.release(session);
    }
  }
}

/** Answers an operation that ends immediately, or fails by itself. */
function beginOne(request: GatheredRequest): (Begun & { readonly request: GatheredRequest })[] {
  try {
    const begun = begin(operationOf(request.name, request.parameters));
    if (!('result' in begun)) return [{ ...begun, request }];
    request.resolve(begun.result);
  } catch (error) {
    request.reject(error);
  }
  return [];
}

function byPlace(a: GatheredRequest, b: GatheredRequest): number {
  return a.place < b.place ? -1 : Number(a.place > b.place);
}

/**
 * True if another attempt may succeed: the server rolled it back because of others, or another transaction inserted a
 * row that was missing before. Also if the connection was lost before the commit was sent: then nothing was changed.
 */
function mayGoWell(error: unknown, attempt: number): boolean {
  if (error instanceof UnknownOutcome || isAway(error)) return false;
  if (isRolledBackForOthers(error)) return attempt < ATTEMPTS;
  return attempt === 1 && (isUniqueViolation(error) || isLost(error));
}
