import test, { type ExecutionContext } from 'ava';
import { postgresqlPrograms } from './postgresql-server.js';

/** `test` where PostgreSQL is installed; otherwise each says so and is skipped. */
export const testPostgresql =
  postgresqlPrograms() === undefined
    ? (title: string, _run: unknown) => test.skip(`${title} (PostgreSQL is not installed)`, () => {})
    : test;

/**
 * The same, one after the other: a host gives up a connection that is not ready within 5 s, and tests that all open a store at once
 * are slower than that on a busy machine.
 */
export const testPostgresqlSerially =
  postgresqlPrograms() === undefined
    ? testPostgresql
    : (title: string, run: (t: ExecutionContext) => Promise<void>) => test.serial(title, run);
