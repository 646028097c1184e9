import { Undo } from './commit.js';
import type { Connection } from './connection.js';
import { type OperationName, operations } from './operations.js';
import { type Failure, failureOf, storeUnavailable } from './store-error.js';

export type Request = readonly [name: OperationName, parameters: readonly unknown[]];

/** Answers in the order of the requests. */
export interface Reply {
  readonly results: readonly unknown[];
  /** By index in `results`. */
  readonly failures: ReadonlyMap<number, Failure> | undefined;
}

/** One transaction takes no more than this, so that those that come later are not kept waiting. */
const MAX_OPERATIONS = 500;
const MAX_MS = 5;

/**
 * Carries out requests from `first` on in one transaction, as many as its bounds allow and at least one, each in a
 * savepoint of its own: a failing one leaves its neighbours alone. Returns after the commit, so what the reply says is
 * on disk. When the transaction fails, all of them have failed.
 */
export function commitGroup(db: Connection, requests: readonly Request[], first: number): Reply {
  const bound = Math.min(requests.length, first + MAX_OPERATIONS);
  const results: unknown[] = [];
  let failures: Map<number, Failure> | undefined;
  let taken = bound - first;
  try {
    db.run('BEGIN IMMEDIATE');
    const deadline = performance.now() + MAX_MS;
    for (taken = 0; first + taken < bound; ) {
      const request = requests[first + taken] as Request;
      taken += 1;
      db.run('SAVEPOINT operation');
      try {
        results.push(carryOut(db, request));
      } catch (error) {
        // This fails when SQLite has given up the whole transaction, as it may on a full disk.
        db.run('ROLLBACK TO operation');
        if (!(error instanceof Undo)) {
          failures ??= new Map();
          failures.set(results.length, failureOf(error));
        }
        results.push(error instanceof Undo ? error.answer : undefined);
      }
      db.run('RELEASE operation');
      if (performance.now() > deadline) break;
    }
    db.run('COMMIT');
    return { results, failures };
  } catch (error) {
    giveUp(db);
    const { message } = storeUnavailable(error instanceof Error ? error.message : String(error));
    const failure = { code: 'store_unavailable', message, status: 503 };
    return {
      results: new Array(taken).fill(undefined),
      failures: new Map(Array.from({ length: taken }, (_, index) => [index, failure])),
    };
  }
}

function carryOut(db: Connection, [name, parameters]: Request): unknown {
  const operation = operations[name] as (db: Connection, ...parameters: readonly unknown[]) => unknown;
  return operation(db, ...parameters);
}

function giveUp(db: Connection): void {
  try {
    db.run('ROLLBACK');
  } catch {
    // There is no transaction left to roll back: that is what was wanted.
  }
}
