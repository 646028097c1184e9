import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeBatches } from './batches.mjs';

const HELP = `Usage: npm test [-- module|file ...] [AVA's options]

  npm test                        builds, lints, and runs what needs nothing but Node
  npm test -- oidc login          compiles, and runs the tests of these modules
  npm test -- test/oidc/token-endpoint.test.ts --match='*grant*'
  npm run test:rest               what needs more: a browser, PostgreSQL, other programs, npm's registry, or both cores for
                                  ten seconds and longer (*.rest.test.ts)
  npm run test:all                both, and the modules that depend on Node's version with the other Nodes
  npm run test:peers              what compares with another product (*.peers.test.ts); writes test/PEERS.md
`;

/** The last part of a test file's name selects the lane that runs it. */
const LANES = ['rest', 'peers'];
const HERE = fileURLToPath(new URL('.', import.meta.url));
const ROOT = join(HERE, '..');
const { ava: CONFIG } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
const words = process.argv.slice(2);
if (words.includes('--help')) {
  process.stdout.write(HELP);
  process.exit(0);
}
const [asked] = words.filter((word) => word.startsWith('--lane=')).map((word) => word.slice('--lane='.length));
const options = words.filter((word) => word.startsWith('-') && !word.startsWith('--lane=') && word !== '--prepare');
const named = words.filter((word) => !word.startsWith('-'));

const all = readdirSync(HERE, { recursive: true })
  .filter((file) => file.endsWith('.test.ts') && !file.startsWith('fixtures'))
  .map((file) => `test/${file}`)
  .sort();
const laneOf = (file) => LANES.find((lane) => file.endsWith(`.${lane}.test.ts`));
const files = named.length === 0 ? all.filter(isAsked) : named.flatMap(filesOf);
if (files.length === 0) misused(`there are no tests of ${named.join(', ') || asked}`);

/** Tests of several nodes run twice: over one store in memory, and over PostgreSQL. */
function isAsked(file) {
  if (laneOf(file) === asked) return true;
  return (
    asked === 'rest' && laneOf(file) === undefined && readFileSync(join(ROOT, file), 'utf8').includes('startNodes(')
  );
}

/** A module selects its tests in the lane; a file selects that file. */
function filesOf(word) {
  if (word.includes('/') || word.includes('*')) return [word];
  if (!existsSync(join(HERE, word))) misused(`there is no folder test/${word}`);
  return all.filter((file) => file.startsWith(`test/${word}/`) && isAsked(file));
}

function misused(message) {
  process.stderr.write(`${message}\n\n${HELP}`);
  process.exit(2);
}

if (words.includes('--prepare')) prepare();

/**
 * Builds and lints before all tests, for `npm test`. For named tests it only compiles, which takes seconds: a host in a
 * test runs the compiler's output if the bundle is older. Tests of other lanes may use the bundle and the admin
 * console, so they need a build.
 */
function prepare() {
  const isBuilt = ['bundle/package.json', 'admin-console'].every((path) => existsSync(join(ROOT, 'dist', path)));
  if (named.length === 0 || !isBuilt || files.some((file) => laneOf(file) !== undefined))
    run('npm', 'run', '-s', 'build');
  else run('npx', 'tsc', '-b');
  if (named.length > 0) return;
  run('npx', 'biome', 'check', '.');
  run(process.execPath, 'dist/test/prose/prose.js');
}

/** Ends this process if the command fails. */
function run(program, ...argv) {
  const { status } = spawnSync(program, argv, { stdio: 'inherit', cwd: ROOT });
  if (status !== 0) process.exit(status ?? 1);
}

const ava = join(HERE, 'ava.mjs');
// V8's cache of the bundle is stored with the packages, and is warm for the next run.
const caches = fileURLToPath(new URL('../node_modules/.cache', import.meta.url));
mkdirSync(caches, { recursive: true });
// A test file loads the JSON Schemas that an earlier one compiled: see test/helpers/host.ts.
const checks = join(caches, `keyhost-test-checks-${process.version}`);
rmSync(checks, { recursive: true, force: true });
const env = {
  ...process.env,
  XDG_CACHE_HOME: caches,
  KEYHOST_TEST_CHECKS: checks,
  ...(asked === 'rest' ? { KEYHOST_TEST_NODES: 'postgres' } : {}),
};
// One Keycloak at a time: each has the machine, and the table of them, for itself.
const places = asked === 'peers' ? ['--concurrency=1'] : [];
const batches = named.some((word) => word.includes('/')) ? undefined : await writeBatches(files, CONFIG);
const chosen = batches === undefined ? files : ['--config', batches];
const child = spawn(process.execPath, [ava, ...chosen, ...places, ...options], { stdio: 'inherit', env, cwd: ROOT });
child.on('close', (code) => {
  if (batches !== undefined) rmSync(dirname(batches), { recursive: true, force: true });
  process.exit(code ?? 1);
});
// Let AVA end first, so that its cleanup runs.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
