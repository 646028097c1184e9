import type { Statement } from '../engine/operation.js';
import type { Row, Table } from './tables.js';

/** A row of `schema_migrations`. */
export interface Applied {
  readonly version: number;
  readonly checksum: string;
  readonly applied_at: number;
}

/** The database of a store under the hands of who copies it. Rejections are BootErrors. */
export interface CopyDatabase {
  /** Named to a person. */
  readonly place: string;
  readonly engine: 'sqlite' | 'postgresql';
  rows(statement: Statement): Promise<readonly Row[]>;
  close(): Promise<void>;
}

/** A whole store that no process changes during the copy. */
export interface CopySource extends CopyDatabase {
  /** Its migrations, in order. */
  applied(): Promise<readonly Applied[]>;
}

/** The progress of a copy, as the target stores it: a text for each table that was begun, and one under `ORIGIN`. */
export type CopyState = ReadonlyMap<string, string>;
/** The name under which the target stores what it copies. */
export const ORIGIN = '';

/** A store that is being made. Until it is finished no host opens it. */
export interface CopyTarget extends CopyDatabase {
  /** @returns undefined if the target is empty. @throws BootError `copy_failed` if it contains something else */
  kept(): Promise<CopyState | undefined>;
  /** Creates the tables without rows and stores the origin, in one transaction. */
  begin(tables: readonly Table[], origin: string): Promise<void>;
  /** Runs statements and stores a text, in one transaction that is on disk when this resolves. */
  write(statements: readonly Statement[], kept: { readonly name: string; readonly said: string }): Promise<void>;
  /** From now on it is a store as any. */
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
