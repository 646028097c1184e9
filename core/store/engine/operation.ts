/** A value of a statement; `undefined` is stored as NULL. */
export type Parameter = string | number | null | undefined;

/** One statement of SQL, with PostgreSQL's `$1`, `$2`, … */
export interface Statement {
  /** The answer: the first row, all rows, or the number of changed rows. */
  readonly answer: 'row' | 'rows' | 'changed';
  /** If true, the row is locked until the transaction ends. */
  readonly locks?: true;
  /**
   * If true, selected rows (also of a select in brackets) that others have locked are left out, and the other ones are
   * locked.
   */
  readonly skipsLocked?: true;
  /**
   * If true, the operation ends with this statement and is committed for every answer. An engine behind a network may
   * send the commit with it. In a list, the last statement has this flag.
   */
  readonly excludes?: true;
  /**
   * If true, the operation ends with this statement and is committed with any answer. An engine behind a network
   * may send the commit with it. In a list, the last statement has this flag.
   */
  readonly ends?: true;
  readonly sql: string;
  readonly parameters: Parameter[];
}

/**
 * A write, independent of the engine: it yields its statements and resumes with the answer of each. All of them run in
 * one transaction, and the result counts once it is on disk. Statements in a list do not need each other's answers: an
 * engine behind a network sends them together. An operation may run again, so its statements must be its only effect.
 */
export type Operation<Result> = Generator<Statement | readonly Statement[], Result, unknown>;

/** Reads the first row. If a write depends on it, use `lock` instead. */
export function* get<Row>(sql: string, ...parameters: Parameter[]): Operation<Row | undefined> {
  return (yield { answer: 'row', sql, parameters }) as Row | undefined;
}

/**
 * Reads and locks a row that the operation decides by: no other transaction changes or removes it until this one ends.
 */
export function* lock<Row>(sql: string, ...parameters: Parameter[]): Operation<Row | undefined> {
  return (yield { answer: 'row', locks: true, sql, parameters }) as Row | undefined;
}

/** Locks a row, and reads other rows that it protects. @returns the first row of each */
export function* lockAndGet<Row>(
  [sql, ...parameters]: readonly [sql: string, ...Parameter[]],
  reads: readonly (readonly [sql: string, ...Parameter[]])[],
): Operation<readonly (Row | undefined)[]> {
  const locking: Statement = { answer: 'row', locks: true, sql, parameters };
  const reading = reads.map(([text, ...values]): Statement => ({ answer: 'row', sql: text, parameters: values }));
  return (yield [locking, ...reading]) as (Row | undefined)[];
}

/** Locks rows in this order. All operations lock in one order, so they do not deadlock. */
export function* lockAll(reads: readonly (readonly [sql: string, ...Parameter[]])[]): Operation<void> {
  if (reads.length > 0) yield reads.map(([sql, ...parameters]) => ({ answer: 'row', locks: true, sql, parameters }));
}

/**
 * A claim whose row has no meaning: others wait for it until the transaction ends. It is swept like any expired claim.
 */
const EXCLUDE =
  "INSERT INTO marks (realm, kind, key_hash, expires_at) VALUES ($1, 'exclusion', $2, 0) " +
  'ON CONFLICT (realm, kind, key_hash) DO UPDATE SET expires_at = 0';
const EXCLUDED_TOGETHER = 500;

/**
 * Takes named locks for the rest of the transaction, for operations that decide on the absence of a row. Reads after
 * this see what earlier holders committed.
 */
export function* lockNames(realm: string, names: readonly string[]): Operation<void> {
  const ordered = [...new Set(names)].sort();
  for (let first = 0; first < ordered.length; first += EXCLUDED_TOGETHER) {
    const some = ordered.slice(first, first + EXCLUDED_TOGETHER);
    yield some.map((name) => ({ answer: 'changed', excludes: true, sql: EXCLUDE, parameters: [realm, name] }));
  }
}

export function* all<Row>(sql: string, ...parameters: Parameter[]): Operation<Row[]> {
  return (yield { answer: 'rows', sql, parameters }) as Row[];
}

/** @returns how many rows it changed */
export function* run(sql: string, ...parameters: Parameter[]): Operation<number> {
  return (yield { answer: 'changed', sql, parameters }) as number;
}

/** As `run`, and ends the operation: it is committed with any answer. */
export function* endWith(sql: string, ...parameters: Parameter[]): Operation<number> {
  return (yield { answer: 'changed', ends: true, sql, parameters }) as number;
}

/** As `runAll`, and ends the operation: it is committed with any answer. */
export function* endWithAll(writes: readonly (readonly [sql: string, ...Parameter[]])[]): Operation<readonly number[]> {
  if (writes.length === 0) return [];
  return (yield writes.map(([sql, ...parameters], index) => ({
    answer: 'changed',
    ...(index === writes.length - 1 && { ends: true }),
    sql,
    parameters,
  }))) as number[];
}

/** Writes that do not need each other's answers, in this order. @returns how many rows each changed */
export function* runAll(writes: readonly (readonly [sql: string, ...Parameter[]])[]): Operation<readonly number[]> {
  if (writes.length === 0) return [];
  return (yield writes.map(([sql, ...parameters]) => ({ answer: 'changed', sql, parameters }))) as number[];
}

/** Undoes the operation that throws it and is its answer. */
export class Undo extends Error {
  readonly answer: unknown;

  constructor(answer: unknown) {
    super('the operation undoes itself');
    this.answer = answer;
  }
}
