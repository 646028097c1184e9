import type { Operation, Statement } from '../../engine/operation.js';
import type { Connection } from '../connection.js';

/**
 * Runs an operation synchronously. If a statement fails, the error ends it: no operation catches errors of its
 * statements, so none is thrown into it.
 */
export function runOperation<Result>(db: Connection, operation: Operation<Result>): Result {
  let step = operation.next();
  while (step.done !== true) {
    const yielded = step.value;
    step = operation.next(
      isList(yielded) ? yielded.map((statement) => runStatement(db, statement)) : runStatement(db, yielded),
    );
  }
  return step.value;
}

/** Runs a statement. Named locks are skipped, because there is no other writer. */
function runStatement(db: Connection, { answer, sql, parameters, excludes }: Statement): unknown {
  if (excludes === true) return 0;
  if (answer === 'changed') return db.run(sql, ...parameters);
  return answer === 'row' ? db.get(sql, ...parameters) : db.all(sql, ...parameters);
}

function isList(yielded: Statement | readonly Statement[]): yielded is readonly Statement[] {
  return Array.isArray(yielded);
}
