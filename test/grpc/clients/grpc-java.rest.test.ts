import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import test from 'ava';
import { execute, type OutsideRun, runOutsideClient } from './outside-client.js';
import { checks, sharedTests } from './shared-expectations.js';

const PROGRAM = fileURLToPath(new URL('../../../../test/grpc/clients/GrpcJavaClient.java', import.meta.url));
const JARS = '/usr/share/java';
/** The jars that Debian's libgrpc-java needs at run time, most of which are not among its dependencies. */
const NEEDED = [
  ...['api', 'context', 'core', 'netty', 'protobuf', 'protobuf-lite', 'stub'].map((part) => `grpc-${part}`),
  'protobuf',
  'guava',
  'perfmark-api',
  'opencensus-api',
  'gson',
  'jsr305',
  'netty-all',
  'netty-tcnative',
].map((name) => join(JARS, `${name}.jar`));

/** Debian's netty speaks TLS by this library alone, and looks for it by another name than Debian gave it. */
const NATIVE = '/usr/lib';
const native = (existsSync(NATIVE) ? readdirSync(NATIVE) : [])
  .map((folder) => join(NATIVE, folder, 'jni/libnetty-tcnative.so'))
  .find((file) => existsSync(file));

function absent(): string | undefined {
  const missing = NEEDED.filter((jar) => !existsSync(jar));
  if (missing.length > 0) return `no ${missing.join(', ')} here`;
  if (native === undefined) return 'no libnetty-tcnative.so here';
  return spawnSync('javac', ['-version'], { timeout: 30_000 }).status === 0 ? undefined : 'no javac here';
}

const reason = absent();
const check = checks(test, reason);

let outside: OutsideRun | undefined;
const cleanups: (() => unknown)[] = [];
const run = () => {
  if (outside === undefined) throw new Error('the client did not run');
  return outside;
};

test.before(async () => {
  if (reason !== undefined || native === undefined) return;
  const classes = await mkdtemp(join(tmpdir(), 'keyhost-grpc-java-'));
  cleanups.push(() => rm(classes, { recursive: true, force: true }));
  // In some releases, netty-all only lists the other jars.
  const netty = readdirSync(JARS).filter((name) => /^netty-(?!all)[a-z0-9-]+\.jar$/.test(name));
  const classpath = [...NEEDED, ...netty.map((name) => join(JARS, name)), classes].join(':');
  await execute(['javac', '-nowarn', '-cp', classpath, '-d', classes, PROGRAM]);
  await copyFile(native, join(classes, 'libnetty_tcnative.so'));
  const quick = ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC'];
  const java = ['java', ...quick, `-Djava.library.path=${classes}`, '-cp', classpath, 'GrpcJavaClient'];
  outside = await runOutsideClient({ teardown: (cleanup) => void cleanups.unshift(cleanup) }, java);
});
test.after.always(async () => {
  for (const cleanup of cleanups) await cleanup();
});

sharedTests(check, run);

check('grpc-java: the async stub hears of a missing author by onCompleted alone', (t) => {
  t.deepEqual(run().told.notFoundAsync, { code: 'OK', messages: [] });
});

check('grpc-java: the blocking stub gives an author, and refuses an answer without a message as INTERNAL', (t) => {
  const { found, foundBlocking, notFoundBlocking } = run().told;
  t.deepEqual(foundBlocking, found);
  t.deepEqual(notFoundBlocking, { code: 'INTERNAL', details: 'No value received for unary call' });
});
