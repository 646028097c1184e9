import test from 'ava';
import { postgresqlPrograms } from './postgresql-server.js';

/** `test` where PostgreSQL is installed; otherwise each says so and is skipped. */
export const testPostgresql =
  postgresqlPrograms() === undefined
    ? (title: string, _run: unknown) => test.skip(`${title} (PostgreSQL is not installed)`, () => {})
    : test;
