import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import test from 'ava';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** Helpers that `npm test` does not use, since a machine with only Node may lack their programs. */
const MORE = [
  'test/helpers/browser.ts',
  'test/helpers/keycloak.ts',
  'test/helpers/npm-registry.ts',
  'test/helpers/postgresql.ts',
  'test/helpers/postgresql-server.ts',
];

const IMPORT = /^(?:import|export)\b[^'"]*?\bfrom '(\.{1,2}\/[^']+)\.js';/gm;

/** The files of test/ that a file imports, directly or not. Dynamic imports are not counted. */
function reach(file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file)) return seen;
  seen.add(file);
  const source = readFileSync(join(ROOT, file), 'utf8');
  for (const [, to = ''] of source.matchAll(IMPORT)) {
    const imported = `${relative(ROOT, join(ROOT, dirname(file), to))}.ts`;
    if (imported.startsWith('test/')) reach(imported, seen);
  }
  return seen;
}

const tests = readdirSync(join(ROOT, 'test'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.test.ts') && !file.startsWith('fixtures'))
  .map((file) => `test/${file}`);

test('test lanes: a test that needs more than Node has a name *.rest.test.ts or *.peers.test.ts', (t) => {
  t.true(tests.length > 200);
  const wrong = tests
    .filter((file) => !/\.(rest|peers)\.test\.ts$/.test(file))
    .flatMap((file) => [...reach(file)].filter((needed) => MORE.includes(needed)).map((needed) => [file, needed]));
  t.deepEqual(wrong, []);
});

test('test lanes: the help of the test command names files that exist', (t) => {
  const { stdout } = spawnSync(process.execPath, ['test/run.mjs', '--help'], { cwd: ROOT, encoding: 'utf8' });
  const named = stdout.match(/test\/[\w/-]+\.test\.ts/g) ?? [];
  t.true(named.length > 0);
  t.deepEqual(
    named.filter((file) => !tests.includes(file)),
    [],
  );
});

test('test lanes: the lint ignores what git ignores, such as data of a host that ran in this folder', (t) => {
  const { includes } = JSON.parse(readFileSync(join(ROOT, 'biome.json'), 'utf8')).files as { includes: string[] };
  const ignored = readFileSync(join(ROOT, '.gitignore'), 'utf8').split('\n');
  const folders = ignored.filter((line) => line.endsWith('/')).map((line) => `!**/${line.slice(0, -1)}`);
  t.true(folders.length > 3);
  t.deepEqual(
    folders.filter((folder) => !includes.includes(folder)),
    [],
  );
});
