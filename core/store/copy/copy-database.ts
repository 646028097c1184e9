import type { Statement } from '../engine/operation.js';
import type { Row, Table } from './tables.js';

/** A row of `schema_migrations`. */
export interface AppliedRecord {
  readonly version: number;
  readonly checksum: string;
  readonly applied_at: number;
}

/** The database of a store that is copied. It rejects with BootErrors. */
export interface CopyDatabase {
  /** The location of the database, as shown to the operator. */
  readonly location: string;
  readonly engine: 'sqlite' | 'postgresql';
  rows(statement: Statement): Promise<readonly Row[]>;
  close(): Promise<void>;
}

/** A complete store that no process changes while it is copied. */
export interface CopySource extends CopyDatabase {
  /** The migrations that were applied to it, in order. */
  appliedMigrations(): Promise<readonly AppliedRecord[]>;
}

/**
 * The progress of a copy, as the target stores it: a text for each table whose copy has begun, and one under `ORIGIN`.
 */
export type CopyState = ReadonlyMap<string, string>;
/** The name under which the target stores the origin of the copy. */
export const ORIGIN = '';

/** A store that is being created by a copy. No host opens it until `finish` was called. */
export interface CopyTarget extends CopyDatabase {
  /**
   * Returns the stored progress of an unfinished copy.
   * @returns undefined if the target is empty
   * @throws BootError `copy_failed` if it contains something else
   */
  kept(): Promise<CopyState | undefined>;
  /** Creates the tables without rows, and stores the origin, in one transaction. */
  begin(tables: readonly Table[], origin: string): Promise<void>;
  /** Runs statements and stores the progress, in one transaction that is on disk when this resolves. */
  write(statements: readonly Statement[], progress: { readonly name: string; readonly said: string }): Promise<void>;
  /** Completes the copy: from now on hosts can open the store. */
  finish(tables: readonly Table[]): Promise<void>;
}

/** The table in which a target stores the progress of the copy. */
export const COPY_TABLE = 'CREATE TABLE store_copy (name TEXT NOT NULL PRIMARY KEY, said TEXT NOT NULL)';
export const DROP_COPY_TABLE = 'DROP TABLE store_copy';
export const ALL_PROGRESS = 'SELECT name, said FROM store_copy';

export function storeProgress(name: string, said: string): Statement {
  return {
    answer: 'changed',
    sql: 'INSERT INTO store_copy (name, said) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET said = excluded.said',
    parameters: [name, said],
  };
}
