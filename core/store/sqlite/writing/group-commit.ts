import { Undo } from '../../engine/operation.js';
import { type Failure, storeUnavailable } from '../../engine/store-error.js';
import { eventOperations } from '../../records/events.js';
import { type OperationName, operationOf } from '../../records/operations.js';
import type { EventRecord } from '../../store.js';
import type { Connection } from '../connection.js';
import { rollBack } from '../roll-back.js';
import { failureOf } from '../sqlite-error.js';
import { carryOut } from './carry-out.js';

export type Request = readonly [
  name: OperationName,
  parameters: readonly unknown[],
  /** Written with the operation's changes, and not at all if it changes nothing. */
  events?: readonly EventRecord[],
];

/** Answers in the order of the requests. */
export interface Reply {
  readonly results: readonly unknown[];
  /** By index in `results`. */
  readonly failures: ReadonlyMap<number, Failure> | undefined;
  /** Those whose events were written with them, by index. */
  readonly carried: ReadonlySet<number> | undefined;
}

/** Limits of one transaction, so that later requests do not wait long. */
const MAX_OPERATIONS = 500;
const MAX_MS = 5;

/** Thrown when a request of a group failed that had no savepoints to undo it alone. */
class NeedsSavepoints extends Error {}

/**
 * Runs requests from `first` on in one transaction, as many as its limits allow and at least one. A failing request
 * does not affect the others. Returns after the commit, so the results are on disk. If the transaction fails, all of
 * them have failed.
 *
 * Requests rarely fail, and a savepoint costs as much as a small write. So the group runs without savepoints first, and
 * again with a savepoint for each if one fails.
 */
export function commitGroup(db: Connection, requests: readonly Request[], first: number): Reply {
  const bound = Math.min(requests.length, first + MAX_OPERATIONS);
  try {
    return carryOutGroup(db, requests.slice(first, bound), plainly);
  } catch (error) {
    if (!(error instanceof NeedsSavepoints)) return allFailed(db, bound - first, error);
  }
  rollBack(db);
  try {
    return carryOutGroup(db, requests.slice(first, bound), inSavepoint);
  } catch (error) {
    return allFailed(db, bound - first, error);
  }
}

type Outcome = { readonly result: unknown; readonly failure?: Failure; readonly carried?: boolean };

function carryOutGroup(
  db: Connection,
  requests: readonly Request[],
  carryOutOne: (db: Connection, request: Request) => Outcome,
): Reply {
  const results: unknown[] = [];
  let failures: Map<number, Failure> | undefined;
  let carriedBy: Set<number> | undefined;
  db.run('BEGIN IMMEDIATE');
  const deadline = performance.now() + MAX_MS;
  for (const request of requests) {
    const { result, failure, carried } = carryOutOne(db, request);
    if (failure !== undefined) {
      failures ??= new Map();
      failures.set(results.length, failure);
    }
    if (carried) {
      carriedBy ??= new Set();
      carriedBy.add(results.length);
    }
    results.push(result);
    if (performance.now() > deadline) break;
  }
  db.run('COMMIT');
  return { results, failures, carried: carriedBy };
}

function plainly(db: Connection, request: Request): Outcome {
  try {
    return answer(db, request);
  } catch (error) {
    throw new NeedsSavepoints('', { cause: error });
  }
}

function inSavepoint(db: Connection, request: Request): Outcome {
  db.run('SAVEPOINT operation');
  let outcome: Outcome;
  try {
    outcome = answer(db, request);
  } catch (error) {
    // This fails when SQLite has given up the whole transaction, as it may on a full disk.
    db.run('ROLLBACK TO operation');
    outcome = error instanceof Undo ? { result: error.answer } : { result: undefined, failure: failureOf(error) };
  }
  db.run('RELEASE operation');
  return outcome;
}

/** Nothing of the group was written. Those beyond what was tried fail with it: the store has a trouble of its own. */
function allFailed(db: Connection, count: number, error: unknown): Reply {
  rollBack(db);
  const { message } = storeUnavailable(error instanceof Error ? error.message : String(error));
  const failure = { code: 'store_unavailable', message, status: 503 };
  return {
    results: new Array(count).fill(undefined),
    failures: new Map(Array.from({ length: count }, (_, index) => [index, failure])),
    carried: undefined,
  };
}

function answer(db: Connection, [name, parameters, events]: Request): Outcome {
  const operation = operationOf(name, parameters);
  if (events === undefined) return { result: carryOut(db, operation) };
  const before = rowsChanged(db);
  const result = carryOut(db, operation);
  // A refusal such as `conflict` has changed nothing, so there is no event.
  const carried = rowsChanged(db) > before;
  if (carried) carryOut(db, eventOperations['events.append'](events));
  return { result, carried };
}

/** Since the connection was opened. */
function rowsChanged(db: Connection): number {
  return Number(db.get<{ n: number }>('SELECT total_changes() AS n')?.n);
}
