import type { Operation, Statement } from '../../engine/operation.js';
import type { Connection } from '../connection.js';

/**
 * Carries out an operation without waiting. A statement that fails ends it: no operation catches an error of its
 * statements, so none is thrown into it.
 */
export function carryOut<Result>(db: Connection, operation: Operation<Result>): Result {
  let step = operation.next();
  while (step.done !== true) {
    const asked = step.value;
    step = operation.next(isList(asked) ? asked.map((one) => answerTo(db, one)) : answerTo(db, asked));
  }
  return step.value;
}

/** There is no other writer, so no locks are needed. */
function answerTo(db: Connection, { answer, sql, parameters, excludes }: Statement): unknown {
  if (excludes === true) return 0;
  if (answer === 'changed') return db.run(sql, ...parameters);
  return answer === 'row' ? db.get(sql, ...parameters) : db.all(sql, ...parameters);
}

function isList(asked: Statement | readonly Statement[]): asked is readonly Statement[] {
  return Array.isArray(asked);
}
