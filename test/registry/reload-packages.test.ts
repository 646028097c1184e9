import { utimesSync } from 'node:fs';
import { mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
// biome-ignore lint/plugin: file times are coarse, so the test waits until the next one differs
import { setTimeout as sleep } from 'node:timers/promises';
import test from 'ava';
import type { BootError } from '../../core/config/boot-error.js';
import { packageIntegrity } from '../../core/registry/loading/package-integrity.js';
import { eventually } from '../helpers/eventually.js';
import { reloadScene } from '../helpers/reload.js';

const versionIn = (text: string) => /"version":"(.*?)"/.exec(text)?.[1];

test('reload: only published files of a package count, and a touched file does not', async (t) => {
  const files = (index: string, note: string) => ({
    'package.json': JSON.stringify({
      name: 'a',
      version: '1.0.0',
      type: 'module',
      exports: './out/index.js',
      files: ['out'],
    }),
    'out/index.js': index,
    'index.ts': note,
  });
  const scene = await reloadScene(t, ({ resource }) => ({ a: files(resource('a', '1'), 'draft') }));
  const { host, write, get, resource, providersDir } = scene;
  await writeFile(join(providersDir, 'a/index.ts'), 'another draft');
  t.is((await host.plugins.reload()).outcome, 'unchanged');
  await write('a', files(resource('a', '2'), 'draft'));
  t.is((await host.plugins.reload()).outcome, 'replaced');
  await write('a', files(resource('a', '2'), 'draft'));
  t.is((await host.plugins.reload()).outcome, 'unchanged');
  t.is(host.plugins.status().loadedInProcess, 1);
  // A folder that takes its place counts as another package, even if its files are older.
  const made = join(providersDir, '.next');
  await mkdir(join(made, 'out'), { recursive: true });
  for (const [name, text] of Object.entries(files(resource('a', '3'), ''))) await writeFile(join(made, name), text);
  await rename(join(providersDir, 'a'), join(providersDir, '.before'));
  await rename(made, join(providersDir, 'a'));
  t.is((await host.plugins.reload()).outcome, 'replaced');
  t.is(versionIn((await get('a')).text), '3');
});

test('reload: integrity, the folder’s rules and unique names hold for reloads too', async (t) => {
  const { host, write, remove, get, list, resource, providersDir } = await reloadScene(t, ({ resource }) => ({
    a: resource('a', '1'),
    b: resource('b', '1'),
  }));
  const integrity = await packageIntegrity({ name: 'a', dir: join(providersDir, 'a') });
  await list({ module: 'a', integrity }, 'b');
  await host.plugins.reload();
  await write('a', resource('a', '2'));
  const changed = (await t.throwsAsync(host.plugins.reload())) as BootError;
  t.is(changed.code, 'plugin_integrity');
  const next = await packageIntegrity({ name: 'a', dir: join(providersDir, 'a') });
  t.true(changed.hint?.includes(next));
  await list({ module: 'a', integrity: next }, 'b');
  await host.plugins.reload();
  t.is(versionIn((await get('a')).text), '2');
  await write('b', resource('a', '3'));
  await t.throwsAsync(host.plugins.reload(), { code: 'plugin_duplicate_id' });
  await write('b', resource('b', '2').replace("id: 'b'", "id: 'a'"));
  await t.throwsAsync(host.plugins.reload(), { code: 'plugin_duplicate_id' });
  await remove('b');
  await symlink('/', join(providersDir, 'b'));
  await t.throwsAsync(host.plugins.reload(), { code: 'plugin_missing' });
  await rm(join(providersDir, 'b'));
  await mkdir(join(providersDir, '../elsewhere-b'), { recursive: true });
  t.teardown(() => rm(join(providersDir, '../elsewhere-b'), { recursive: true }));
  await writeFile(join(providersDir, '../elsewhere-b/package.json'), '{ "name": "b" }');
  await symlink(join(providersDir, '../elsewhere-b'), join(providersDir, 'b'));
  await t.throwsAsync(host.plugins.reload(), { code: 'plugin_outside' });
  await t.throwsAsync(host.plugins.reload('nobody'), { code: 'plugin_missing' });
  t.is((await get('b')).text, '{"version":"1"}');
});

test('reload: a version brings its own dependencies along; one that it shares with the older version must not have changed', async (t) => {
  const dependency = (of: string) => ({
    'package.json': JSON.stringify({ name: 'number', version: `${of}.0.0`, type: 'module', exports: './index.js' }),
    'index.js': `export default '${of}';`,
  });
  const plugin = (source: string, of: string, own: boolean) => ({
    'package.json': JSON.stringify({
      name: 'a',
      version: `${of}.0.0`,
      type: 'module',
      exports: './index.js',
      dependencies: { number: '*' },
    }),
    'index.js': `import number from 'number';\n${source}`.replace(/version: '\d'/, 'version: number'),
    ...(own
      ? Object.fromEntries(Object.entries(dependency(of)).map(([file, text]) => [`node_modules/number/${file}`, text]))
      : {}),
  });
  const scene = await reloadScene(t, ({ resource }) => ({ a: plugin(resource('a', '1'), '1', true) }));
  const { host, write, get, resource, providersDir } = scene;
  t.is(versionIn((await get('a')).text), '1');
  await write('a', plugin(resource('a', '2'), '2', true));
  await host.plugins.reload();
  t.is(versionIn((await get('a')).text), '2');
  await rm(join(providersDir, 'a/node_modules'), { recursive: true });
  await write('node_modules/number', dependency('3'));
  await sleep(30);
  // Another plugin that uses this folder may have loaded its earlier content.
  await write('a', plugin(resource('a', '3'), '3', false));
  await t.throwsAsync(host.plugins.reload(), { code: 'plugin_dependency_changed' });
  t.is(versionIn((await get('a')).text), '2');
});

/**
 * Number of times that the package is written during the reload. It is small, because the reload stops waiting for the
 * writer after five seconds, even on a slow machine.
 */
const WRITES = 5;

test('reload: a package that is being written is loaded whole; one that cannot be copied is reported', async (t) => {
  const { host, write, get, resource, providersDir } = await reloadScene(t, ({ resource }) => ({
    a: resource('a', '1'),
  }));
  let writing = true;
  let round = 0;
  const writer = (async () => {
    for (; writing; round += 1) {
      await write('a', { 'index.js': resource('a', '2'), 'data.json': `${round}` });
    }
  })();
  await eventually(() => round >= 1);
  const began = round;
  const reloaded = host.plugins.reload();
  await eventually(() => round >= began + WRITES);
  writing = false;
  await writer;
  t.is((await reloaded).outcome, 'replaced');
  t.is(versionIn((await get('a')).text), '2');
  await rm(join(providersDir, '.generations'), { recursive: true });
  await writeFile(join(providersDir, '.generations'), '');
  await write('a', resource('a', '3'));
  await t.throwsAsync(host.plugins.reload(), { code: 'plugin_copy' });
  await rm(join(providersDir, '.generations'));
  t.is(versionIn((await get('a')).text), '2');
});

test('reload: a package that is written without end is not loaded', async (t) => {
  const { host, write, get, resource, providersDir } = await reloadScene(t, ({ resource }) => ({
    a: resource('a', '1'),
  }));
  await write('a', resource('a', '2'));
  let round = 0;
  let writer: NodeJS.Immediate | undefined;
  const touch = () => {
    round += 1;
    utimesSync(join(providersDir, 'a/index.js'), round, round);
    writer = setImmediate(touch);
  };
  touch();
  await t.throwsAsync(host.plugins.reload(), { code: 'plugin_changing' });
  clearImmediate(writer);
  t.is(versionIn((await get('a')).text), '1');
  await host.plugins.reload();
  t.is(versionIn((await get('a')).text), '2');
});
