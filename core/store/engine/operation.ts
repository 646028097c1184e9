/** A value of a statement; `undefined` is stored as NULL. */
export type Parameter = string | number | null | undefined;

/** One statement of SQL, with PostgreSQL's `$1`, `$2`, … */
export interface Statement {
  /** What it answers with: its first row, all of them, or how many rows it changed. */
  readonly answer: 'row' | 'rows' | 'changed';
  /** Whether the row is kept from others until the transaction ends. */
  readonly locks?: true;
  /** Of the rows that it selects, itself or in brackets, those that others have locked are left out, and the rest locked. */
  readonly skipsLocked?: true;
  /** It keeps others from a name, and is no change: an engine that one alone writes to leaves it out. */
  readonly excludes?: true;
  /**
   * The operation asks for nothing after this, and whatever it answers all of it is to stay: an engine beyond a network may end
   * the transaction with it. Of a list the last one says so.
   */
  readonly ends?: true;
  readonly sql: string;
  readonly parameters: Parameter[];
}

/**
 * A write as a text for every engine: it yields the statements that it consists of and is sent on with the answer of each.
 * All of them are in one transaction, and what it returns counts once that is on disk. A list of statements is for those that
 * do not need the answers of each other: an engine beyond a network sends them together. It may be begun anew, so it changes
 * nothing but by its statements.
 */
export type Operation<Result> = Generator<Statement | readonly Statement[], Result, unknown>;

/** Reads the first row. What is written by what it says must be read with `lock` instead. */
export function* get<Row>(sql: string, ...parameters: Parameter[]): Operation<Row | undefined> {
  return (yield { answer: 'row', sql, parameters }) as Row | undefined;
}

/** Reads a row that the operation decides by: nobody else changes or removes it until the operation has ended. */
export function* lock<Row>(sql: string, ...parameters: Parameter[]): Operation<Row | undefined> {
  return (yield { answer: 'row', locks: true, sql, parameters }) as Row | undefined;
}

/** Locks a row, and reads others of what it keeps in place. @returns the first row of each */
export function* lockAndGet<Row>(
  [sql, ...parameters]: readonly [sql: string, ...Parameter[]],
  reads: readonly (readonly [sql: string, ...Parameter[]])[],
): Operation<readonly (Row | undefined)[]> {
  const locking: Statement = { answer: 'row', locks: true, sql, parameters };
  const reading = reads.map(([text, ...values]): Statement => ({ answer: 'row', sql: text, parameters: values }));
  return (yield [locking, ...reading]) as (Row | undefined)[];
}

/** Locks rows, in this order: everybody locks in one order, so that nobody waits in a circle. */
export function* lockAll(reads: readonly (readonly [sql: string, ...Parameter[]])[]): Operation<void> {
  if (reads.length > 0) yield reads.map(([sql, ...parameters]) => ({ answer: 'row', locks: true, sql, parameters }));
}

/** A claim whose row says nothing: others wait for it until the transaction ends, and it is swept like any that has expired. */
const EXCLUDE =
  "INSERT INTO marks (realm, kind, key_hash, expires_at) VALUES ($1, 'exclusion', $2, 0) " +
  'ON CONFLICT (realm, kind, key_hash) DO UPDATE SET expires_at = 0';
const EXCLUDED_TOGETHER = 500;

/**
 * Keeps others that name the same from going on until the operation has ended: for one that decides by what is not there, where
 * no row could be locked. What it reads after this is what they have written.
 */
export function* exclude(realm: string, names: readonly string[]): Operation<void> {
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

/** As `run`, and the end of the operation: whatever it answers is to stay. */
export function* endWith(sql: string, ...parameters: Parameter[]): Operation<number> {
  return (yield { answer: 'changed', ends: true, sql, parameters }) as number;
}

/** As `runAll`, and the end of the operation: whatever they answer is to stay. */
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
