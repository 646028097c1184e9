import type { ExecutionContext, TestFn } from 'ava';
import { fetchAnswer, startHost, type TestHost, type TestHostOptions } from './host.js';
import { testRealm } from './realms.js';

/** What a log must not hold: what nobody caught, and errors that the tests did not mean to cause. */
const NEVER = /unhandled|TypeError|ReferenceError|RangeError/i;

/**
 * One host for all tests of a file. When they are over it must be healthy, and its log free of errors but those that
 * `expected` names.
 */
export function shareHost(
  test: TestFn,
  options: TestHostOptions = { realms: [testRealm('demo'), testRealm('other')] },
  expected: RegExp = /^$/,
): () => TestHost {
  const cleanups: (() => unknown)[] = [];
  let host: TestHost | undefined;
  test.before(async () => {
    host = await startHost({ teardown: (cleanup) => void cleanups.unshift(cleanup) }, options);
  });
  test.after.always('the host is healthy and logged no error', async (t) => {
    try {
      if (host !== undefined) await assertHealthy(t, host, expected);
    } finally {
      for (const cleanup of cleanups) await cleanup();
    }
  });
  return () => {
    if (host === undefined) throw new Error('the host did not start');
    return host;
  };
}

/** Health answers quickly, and the log has no unexpected error. */
export async function assertHealthy(t: ExecutionContext, host: TestHost, expected: RegExp = /^$/): Promise<void> {
  const { status, json } = await fetchAnswer(`${host.managementUrl}/health`);
  t.deepEqual([status, json.status], [200, 'UP' as never]);
  const lines = host.log.map(({ level, message, fields }) => ({ level, text: `${message} ${JSON.stringify(fields)}` }));
  const bad = lines.filter(({ level, text }) => (level === 'error' || NEVER.test(text)) && !expected.test(text));
  t.deepEqual(bad, [], 'the log has an error that no test expects');
}
