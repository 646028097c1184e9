/** A value of a statement; `undefined` is stored as NULL. */
export type Parameter = string | number | null | undefined;

/** One statement of SQL, with PostgreSQL's `$1`, `$2`, … */
export interface Statement {
  /** What it answers with: its first row, all of them, or how many rows it changed. */
  readonly answer: 'row' | 'rows' | 'changed';
  /** Whether the row is kept from others until the transaction ends. */
  readonly locks?: true;
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

/** Locks rows, in this order: everybody locks in one order, so that nobody waits in a circle. */
export function* lockAll(reads: readonly (readonly [sql: string, ...Parameter[]])[]): Operation<void> {
  if (reads.length > 0) yield reads.map(([sql, ...parameters]) => ({ answer: 'row', locks: true, sql, parameters }));
}

export function* all<Row>(sql: string, ...parameters: Parameter[]): Operation<Row[]> {
  return (yield { answer: 'rows', sql, parameters }) as Row[];
}

/** @returns how many rows it changed */
export function* run(sql: string, ...parameters: Parameter[]): Operation<number> {
  return (yield { answer: 'changed', sql, parameters }) as number;
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
