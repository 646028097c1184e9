import test, { type ExecutionContext } from 'ava';
import { postgresqlPrograms } from './postgresql-server.js';

/** `test` if PostgreSQL is installed; otherwise each test is reported as skipped. */
export const testPostgresql =
  postgresqlPrograms() === undefined
    ? (title: string, _run: unknown) => test.skip(`${title} (PostgreSQL is not installed)`, () => {})
    : test;

/**
 * The same, serially. A host gives up a connection that is not ready within 5 s, which concurrent tests may exceed on a
 * busy machine.
 */
export const testPostgresqlSerially =
  postgresqlPrograms() === undefined
    ? testPostgresql
    : (title: string, run: (t: ExecutionContext) => Promise<void>) => test.serial(title, run);
