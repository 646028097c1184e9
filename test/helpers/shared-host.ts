import type { ExecutionContext, TestFn } from 'ava';
import { fetchAnswer, startHost, type TestHost, type TestHostOptions } from './host.js';
import { testRealm } from './realms.js';

/** Log lines that must never occur: uncaught errors, and errors that tests did not intend. */
const NEVER = /unhandled|TypeError|ReferenceError|RangeError/i;

/** The scope that a host is started in; it is cleaned up after the last test of the file. */
export type FileScope = Pick<ExecutionContext, 'teardown' | 'log'>;

/**
 * One host for all tests of a file. After them it must be healthy, and its log free of errors other than `expected`.
 */
export function shareHost(
  test: TestFn,
  options: TestHostOptions = { realms: [testRealm('demo'), testRealm('other')] },
  expected?: RegExp,
): () => TestHost {
  const started = shareStarted(test, async (scope) => ({ host: await startHost(scope, options) }), expected);
  return () => started().host;
}

/** Starts an object with a host for all tests of a file, as in `shareHost`. */
export function shareStarted<T extends { readonly host: TestHost }>(
  test: TestFn,
  start: (scope: FileScope) => Promise<T>,
  expected?: RegExp,
): () => T {
  const cleanups: (() => unknown)[] = [];
  let started: T | undefined;
  test.before(async (t) => {
    started = await start({ teardown: (cleanup) => void cleanups.unshift(cleanup), log: t.log });
  });
  test.after.always('the host is healthy and logged no error', async (t) => {
    try {
      if (started !== undefined) await assertHealthy(t, started.host, expected);
    } finally {
      for (const cleanup of cleanups) await cleanup();
    }
  });
  return () => {
    if (started === undefined) throw new Error('the host did not start');
    return started;
  };
}

/** Asserts that health answers quickly, and that the log has no unexpected error. */
export async function assertHealthy(t: ExecutionContext, host: TestHost, expected: RegExp = /^$/): Promise<void> {
  const { status, json } = await fetchAnswer(`${host.managementUrl}/health`);
  t.deepEqual([status, json.status], [200, 'UP']);
  const lines = host.log.map(({ level, message, fields }) => ({ level, text: `${message} ${JSON.stringify(fields)}` }));
  const bad = lines.filter(({ level, text }) => (level === 'error' || NEVER.test(text)) && !expected.test(text));
  t.deepEqual(bad, [], 'the log has an error that no test expects');
}
