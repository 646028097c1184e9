import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import test from 'ava';
import { type OutsideRun, runOutsideClient } from './outside-client.js';
import { checks, sharedTests } from './shared-expectations.js';

const PROGRAM = fileURLToPath(new URL('../../../../test/grpc/clients/grpcio_client.py', import.meta.url));

/** Debian's own Python first: it is the one that python3-grpcio is for. */
const python = ['/usr/bin/python3', 'python3'].find(
  (file) => spawnSync(file, ['-c', 'import grpc, google.protobuf'], { timeout: 30_000 }).status === 0,
);
const check = checks(test, python === undefined ? 'no python3 with grpcio and protobuf here' : undefined);

let outside: OutsideRun | undefined;
const cleanups: (() => unknown)[] = [];
const run = () => {
  if (outside === undefined) throw new Error('the client did not run');
  return outside;
};

test.before(async () => {
  if (python === undefined) return;
  outside = await runOutsideClient({ teardown: (cleanup) => void cleanups.unshift(cleanup) }, [python, PROGRAM]);
});
test.after.always(async () => {
  for (const cleanup of cleanups) await cleanup();
});

sharedTests(check, run);

check('grpcio: the blocking stub reads a missing author as None and OK', (t) => {
  t.deepEqual(run().told.notFound, { code: 'OK', message: null });
});
