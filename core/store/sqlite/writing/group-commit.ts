import { RollBack } from '../../engine/operation.js';
import { type SerializedError, storeUnavailableError } from '../../engine/store-error.js';
import { eventOperations } from '../../records/events.js';
import { type OperationName, operationOf } from '../../records/operations.js';
import type { EventRecord } from '../../store.js';
import type { Connection } from '../connection.js';
import { rollBack } from '../roll-back.js';
import { toSerializedError } from '../sqlite-error.js';
import { runOperation } from './carry-out.js';
import { isBulk } from './request-queue.js';

export type Request = readonly [
  name: OperationName,
  parameters: readonly unknown[],
  /** Written with the operation's changes; not written if it changes nothing. */
  events?: readonly EventRecord[],
];

/** The answers, in the order of the requests. */
export interface Reply {
  readonly results: readonly unknown[];
  /** The failures, by index in `results`. */
  readonly failures: ReadonlyMap<number, SerializedError> | undefined;
  /** The indexes of requests whose events were written with them. */
  readonly carried: ReadonlySet<number> | undefined;
}

/**
 * Limits of one transaction, so that later requests do not wait long: a number of requests, and a time in milliseconds.
 */
const MAX_OPERATIONS = 500;
const MAX_TRANSACTION_MS = 5;

/** Thrown if a request fails in a group without savepoints, where it cannot be rolled back alone. */
class NeedsSavepoints extends Error {}

/**
 * Runs requests from the index `first` on in one transaction: as many as its limits allow, and at least one. A bulk
 * request runs alone, so that the others need not wait for it. A failing request does not affect the others. Returns
 * after the commit, so that the results are on disk. If the transaction fails, all of its requests fail. `now` returns
 * milliseconds.
 *
 * Requests rarely fail, and a savepoint costs as much as a small write. So the group runs without savepoints first; if
 * a request fails, it runs again with a savepoint for each.
 */
export function commitGroup(
  db: Connection,
  requests: readonly Request[],
  first: number,
  now: () => number = () => performance.now(),
): Reply {
  const end = endOfGroup(requests, first);
  try {
    return carryOutGroup(db, requests.slice(first, end), runWithoutSavepoint, now);
  } catch (error) {
    if (!(error instanceof NeedsSavepoints)) return failAll(db, end - first, error);
  }
  rollBack(db);
  try {
    return carryOutGroup(db, requests.slice(first, end), runInSavepoint, now);
  } catch (error) {
    return failAll(db, end - first, error);
  }
}

function endOfGroup(requests: readonly Request[], first: number): number {
  const max = Math.min(requests.length, first + MAX_OPERATIONS);
  for (let end = first; end < max; end += 1) {
    if (isBulk(requests[end] as Request)) return Math.max(end, first + 1);
  }
  return max;
}

type Outcome = { readonly result: unknown; readonly failure?: SerializedError; readonly carried?: boolean };

function carryOutGroup(
  db: Connection,
  requests: readonly Request[],
  carryOutOne: (db: Connection, request: Request) => Outcome,
  now: () => number,
): Reply {
  const results: unknown[] = [];
  let failures: Map<number, SerializedError> | undefined;
  let carriedIndexes: Set<number> | undefined;
  db.run('BEGIN IMMEDIATE');
  const deadline = now() + MAX_TRANSACTION_MS;
  for (const request of requests) {
    const { result, failure, carried } = carryOutOne(db, request);
    if (failure !== undefined) {
      failures ??= new Map();
      failures.set(results.length, failure);
    }
    if (carried) {
      carriedIndexes ??= new Set();
      carriedIndexes.add(results.length);
    }
    results.push(result);
    if (now() > deadline) break;
  }
  db.run('COMMIT');
  return { results, failures, carried: carriedIndexes };
}

function runWithoutSavepoint(db: Connection, request: Request): Outcome {
  try {
    return runRequest(db, request);
  } catch (error) {
    throw new NeedsSavepoints('', { cause: error });
  }
}

function runInSavepoint(db: Connection, request: Request): Outcome {
  db.run('SAVEPOINT operation');
  let outcome: Outcome;
  try {
    outcome = runRequest(db, request);
  } catch (error) {
    // This fails if SQLite has already rolled back the whole transaction, for example on a full disk.
    db.run('ROLLBACK TO operation');
    outcome =
      error instanceof RollBack ? { result: error.answer } : { result: undefined, failure: toSerializedError(error) };
  }
  db.run('RELEASE operation');
  return outcome;
}

/**
 * Nothing of the group was written. Requests that were not tried yet fail too, because the store itself cannot work.
 */
function failAll(db: Connection, count: number, error: unknown): Reply {
  rollBack(db);
  const { message } = storeUnavailableError(error instanceof Error ? error.message : String(error));
  const failure = { code: 'store_unavailable', message, status: 503 };
  return {
    results: new Array(count).fill(undefined),
    failures: new Map(Array.from({ length: count }, (_, index) => [index, failure])),
    carried: undefined,
  };
}

function runRequest(db: Connection, [name, parameters, events]: Request): Outcome {
  const operation = operationOf(name, parameters);
  if (events === undefined) return { result: runOperation(db, operation) };
  const changesBefore = countChanges(db);
  const result = runOperation(db, operation);
  // A refusal such as `conflict` has changed nothing, so there is no event.
  const carried = countChanges(db) > changesBefore;
  if (carried) runOperation(db, eventOperations['events.append'](events));
  return { result, carried };
}

/** Returns the number of rows that were changed since the connection was opened. */
function countChanges(db: Connection): number {
  return Number(db.get<{ n: number }>('SELECT total_changes() AS n')?.n);
}
