/** A value of a statement; `undefined` is stored as NULL. */
export type Parameter = string | number | null | undefined;

/** One SQL statement, with PostgreSQL's placeholders `$1`, `$2`, … */
export interface Statement {
  /** The answer that the operation gets: the first row, all rows, or the number of changed rows. */
  readonly answer: 'row' | 'rows' | 'changed';
  /** If true, the row is locked until the transaction ends. */
  readonly locks?: true;
  /**
   * If true, rows that other transactions have locked are left out of the select (also of one in brackets), and the
   * other rows are locked.
   */
  readonly skipsLocked?: true;
  /**
   * If true, the statement only takes a named lock, as in `lockNames`. An engine with a single writer skips it, and its
   * row does not count as a change.
   */
  readonly excludes?: true;
  /**
   * If true, the operation ends with this statement and is committed with any answer. An engine behind a network
   * may send the commit with it. In a list, only the last statement may have this flag.
   */
  readonly ends?: true;
  readonly sql: string;
  readonly parameters: Parameter[];
}

/**
 * A write, independent of the engine. It yields statements, and resumes with the answer of each. All of them run in one
 * transaction, and the result is valid once it is on disk. Statements in a list do not depend on each other's answers,
 * so an engine behind a network sends them together. An operation may run again, so it must have no other effects than
 * its statements.
 */
export type Operation<Result> = Generator<Statement | readonly Statement[], Result, unknown>;

/** Reads the first row. If a write depends on it, use `lock` instead. */
export function* get<Row>(sql: string, ...parameters: Parameter[]): Operation<Row | undefined> {
  return (yield { answer: 'row', sql, parameters }) as Row | undefined;
}

/**
 * Reads and locks a row on which the operation depends. No other transaction changes or deletes it until this one ends.
 */
export function* lock<Row>(sql: string, ...parameters: Parameter[]): Operation<Row | undefined> {
  return (yield { answer: 'row', locks: true, sql, parameters }) as Row | undefined;
}

/**
 * Locks a row, and reads other rows that this lock protects.
 * @returns the first row of each select
 */
export function* lockAndGet<Row>(
  [sql, ...parameters]: readonly [sql: string, ...Parameter[]],
  reads: readonly (readonly [sql: string, ...Parameter[]])[],
): Operation<readonly (Row | undefined)[]> {
  const lockStatement: Statement = { answer: 'row', locks: true, sql, parameters };
  const readStatements = reads.map(
    ([text, ...values]): Statement => ({ answer: 'row', sql: text, parameters: values }),
  );
  return (yield [lockStatement, ...readStatements]) as (Row | undefined)[];
}

/** Locks rows in this order. All operations lock rows in the same order, so that they do not deadlock. */
export function* lockAll(reads: readonly (readonly [sql: string, ...Parameter[]])[]): Operation<void> {
  if (reads.length > 0) yield reads.map(([sql, ...parameters]) => ({ answer: 'row', locks: true, sql, parameters }));
}

/**
 * Claims a row that has no meaning of its own: other transactions wait for it until this one ends. The sweeper deletes
 * it like any expired claim.
 */
const LOCK_NAME_SQL =
  "INSERT INTO marks (realm, kind, key_hash, expires_at) VALUES ($1, 'exclusion', $2, 0) " +
  'ON CONFLICT (realm, kind, key_hash) DO UPDATE SET expires_at = 0';
const NAMES_PER_BATCH = 500;

/**
 * Takes named locks for the rest of the transaction, for operations that depend on the absence of a row. Later reads
 * see what earlier holders have committed.
 */
export function* lockNames(realm: string, names: readonly string[]): Operation<void> {
  const sortedNames = [...new Set(names)].sort();
  for (let first = 0; first < sortedNames.length; first += NAMES_PER_BATCH) {
    const batch = sortedNames.slice(first, first + NAMES_PER_BATCH);
    yield batch.map((name) => ({ answer: 'changed', excludes: true, sql: LOCK_NAME_SQL, parameters: [realm, name] }));
  }
}

export function* all<Row>(sql: string, ...parameters: Parameter[]): Operation<Row[]> {
  return (yield { answer: 'rows', sql, parameters }) as Row[];
}

/**
 * Runs a statement.
 * @returns the number of rows that it changed
 */
export function* run(sql: string, ...parameters: Parameter[]): Operation<number> {
  return (yield { answer: 'changed', sql, parameters }) as number;
}

/** Runs a statement as the last one of the operation, which is then committed with any answer. */
export function* endWith(sql: string, ...parameters: Parameter[]): Operation<number> {
  return (yield { answer: 'changed', ends: true, sql, parameters }) as number;
}

/** Runs statements as the last ones of the operation, which is then committed with any answers. */
export function* endWithAll(writes: readonly (readonly [sql: string, ...Parameter[]])[]): Operation<readonly number[]> {
  if (writes.length === 0) return [];
  return (yield writes.map(([sql, ...parameters], index) => ({
    answer: 'changed',
    ...(index === writes.length - 1 && { ends: true }),
    sql,
    parameters,
  }))) as number[];
}

/**
 * Runs statements that do not depend on each other's answers, in this order.
 * @returns the number of rows that each changed
 */
export function* runAll(writes: readonly (readonly [sql: string, ...Parameter[]])[]): Operation<readonly number[]> {
  if (writes.length === 0) return [];
  return (yield writes.map(([sql, ...parameters]) => ({ answer: 'changed', sql, parameters }))) as number[];
}

/** Thrown by an operation to roll itself back. `answer` becomes its result. */
export class RollBack extends Error {
  readonly answer: unknown;

  constructor(answer: unknown) {
    super('the operation undoes itself');
    this.answer = answer;
  }
}
