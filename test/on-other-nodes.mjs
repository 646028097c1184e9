import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Runs the tests that depend on Node's version (bundle, native packages, threads, crypto, HTTP/2, processes) with the
 * oldest supported Node and newer lines. Each Node is npm's package `node`, cached in node_modules/.cache. The line
 * that runs this script has run all tests, so only the bundle is tested with another of its versions.
 */
const VERSIONS = ['20.19.0', '22', '24'];
const MODULES = ['grpc', 'keys', 'store'];
/** Files of the module host; its others (options, metrics, telemetry) do not depend on Node. */
const PROCESSES = ['closing', 'on-demand', 'start', 'unread-answers'].map((name) => `test/host/${name}.test.ts`);
/** Files of both lanes. The site's conversion of Markdown does not depend on Node's version. */
const isOfNode = (name) => name.endsWith('.test.ts') && !name.startsWith('site.');
const ROOT = fileURLToPath(new URL('../', import.meta.url));
const FILES = readdirSync(join(ROOT, 'test/build'))
  .filter(isOfNode)
  .map((name) => `test/build/${name}`);

for (const version of VERSIONS) {
  const dir = join(ROOT, 'node_modules/.cache', `node-${version}`);
  mkdirSync(dir, { recursive: true });
  run('npm', ['install', '--prefix', dir, '--no-audit', '--no-fund', '--silent', `node@${version}`], process.env.PATH);
  const path = `${join(dir, 'node_modules/node/bin')}${delimiter}${process.env.PATH}`;
  run('node', ['-e', 'console.log(`Node ${process.version}`)'], path);
  const isOther = lineOf(version) !== lineOf(process.versions.node);
  if (isOther) run('node', [join(ROOT, 'test/run.mjs'), ...MODULES], path);
  run('node', [join(ROOT, 'test/run.mjs'), ...FILES, ...(isOther ? PROCESSES : [])], path);
}

/** A line of Node is its major version: documented behaviour may change only between lines. */
function lineOf(version) {
  return version.split('.', 1)[0];
}

function run(program, words, PATH) {
  const { status } = spawnSync(program, words, { cwd: ROOT, stdio: 'inherit', env: { ...process.env, PATH } });
  if (status !== 0) process.exit(status ?? 1);
}
