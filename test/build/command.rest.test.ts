import { copyFile, mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { ran } from '../helpers/command.js';
import { COMMAND } from '../helpers/process.js';

/** The command in a separate folder, with programs in place of the built ones: each prints its name. */
async function command(t: ExecutionContext, programs: Readonly<Record<string, string>>) {
  const dir = await mkdtemp(join(tmpdir(), 'keyhost-command-'));
  t.teardown(() => rm(dir, { recursive: true, force: true }));
  await mkdir(join(dir, 'core'));
  await writeFile(join(dir, 'package.json'), '{ "type": "module" }');
  for (const file of ['keyhost.js', 'built.js']) await copyFile(join(dirname(COMMAND), file), join(dir, 'core', file));
  for (const [file, text] of Object.entries(programs)) {
    await mkdir(dirname(join(dir, file)), { recursive: true });
    await writeFile(join(dir, file), text);
  }
  const written = (file: string, at: number) => utimes(join(dir, file), at, at);
  return { run: () => ran(process.execPath, [join(dir, 'core/keyhost.js'), '--help']), written };
}

const COMPILED = { 'dist/core/main.js': 'console.log("compiled")', 'dist/tsconfig.tsbuildinfo': '{}' };
const BUNDLE = {
  'dist/bundle/package.json': '{ "type": "commonjs" }',
  'dist/bundle/begin.js': 'exports.runBundle = () => console.log("bundle")',
};

test('keyhost command: it runs a bundle of these sources, and so does every test that starts it', async (t) => {
  const { built } = await import(new URL('../../../core/built.js', import.meta.url).href);
  t.true(built('begin', 'core/main.js')?.isBundle, 'npm run build makes it');
});

test('keyhost command: without a build it names the command that builds it', async (t) => {
  const { run } = await command(t, {});
  const { code, stderr } = await run();
  t.deepEqual([code, stderr], [1, 'keyhost: it is not built\n  → npm run build builds it\n']);
});

test('keyhost command: it runs the bundle, and the compiled files if they are newer or alone', async (t) => {
  const installed = await command(t, BUNDLE);
  t.is((await installed.run()).stdout, 'bundle\n');
  const alone = await command(t, COMPILED);
  t.is((await alone.run()).stdout, 'compiled\n');
  const both = await command(t, { ...COMPILED, ...BUNDLE });
  await both.written('dist/tsconfig.tsbuildinfo', 1_000);
  await both.written('dist/bundle/package.json', 1_001);
  t.is((await both.run()).stdout, 'bundle\n');
  await both.written('dist/tsconfig.tsbuildinfo', 1_002);
  t.is((await both.run()).stdout, 'compiled\n');
});
