import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { keyhost } from '../helpers/command.js';
import { providersFolder, resourcePlugin, writePackage } from '../helpers/plugins.js';

/** A plugin that declares needed rights. */
const asking = (needs: object) =>
  resourcePlugin('asking', 'return { body: 1 };').replace(
    'providers: [',
    `needs: ${JSON.stringify(needs)}, providers: [`,
  );

/** An operator's folder with the package and this plugins.json. */
async function operator(t: ExecutionContext, needs: object, plugins: readonly object[] = []) {
  const providers = await providersFolder(t, { asking: asking(needs) });
  const dir = await mkdtemp(join(tmpdir(), 'keyhost-grants-'));
  t.teardown(() => rm(dir, { recursive: true, force: true }));
  const file = join(dir, 'plugins.json');
  const before = JSON.stringify({ plugins });
  await writeFile(file, before);
  const places = ['--providers-dir', providers, '--plugins-file', file, '--realms-dir', dir];
  const add = (...words: string[]) => keyhost(['plugin', 'add', ...words, ...places]);
  return { add, before, providers, plugins: () => readFile(file, 'utf8') };
}

test('T910 · keyhost plugin add: it grants no requested right unless the operator says so', async (t) => {
  const { add, before, plugins, providers } = await operator(t, { 'manage-admins': 'none of your business' });
  for (const words of [['asking'], ['asking', '--force'], ['asking', '--no-prompt'], [join(providers, 'asking')]]) {
    const { code, stdout, stderr } = await add(...words);
    t.is(code, 0, stderr);
    t.is(await plugins(), before, words.join(' '));
    t.regex(stdout, /which are not granted:\n {2}manage-admins: none of your business\n/);
  }
  const { stdout } = await add('asking', '--grant');
  t.regex(stdout, /It now has these rights in every realm except master:/);
  t.deepEqual(JSON.parse(await plugins()), { plugins: [{ module: 'asking', grants: { '*': ['manage-admins'] } }] });
});

test('T911 · keyhost plugin add: a version that asks for more than was granted does not take the place of the one that runs', async (t) => {
  const granted = { module: 'asking', grants: { shop: ['view-users'] } };
  const needs = { 'view-users': 'counts them', 'any-token': 'shows names' };
  const { add, before, plugins } = await operator(t, needs, [granted]);
  for (const words of [[], ['--force'], ['--force', '--no-prompt']]) {
    const { code, stdout, stderr } = await add('asking', ...words);
    t.deepEqual([code, stdout, await plugins()], [1, '', before]);
    t.regex(stderr, /rights that are not granted: any-token \(shows names\) \[plugin_grants]/);
  }
  // A right granted in one realm only is preserved when the rest is granted.
  t.is((await add('asking', '--grant')).code, 0);
  const [entry] = JSON.parse(await plugins()).plugins;
  t.deepEqual(entry.grants, { shop: ['view-users'], '*': ['any-token'] });
});

test('T912 · keyhost plugin add: the reason of a right cannot hide other requested rights from the operator', async (t) => {
  const { add, before, plugins, providers } = await operator(t, {});
  for (const reason of ['\u001b[2K\u001b[1A', 'a\rb', 'a\n  view-users: b', 'a\u202eb', 'a\u2028b', 'a'.repeat(501)]) {
    await writePackage(providers, 'asking', asking({ 'view-users': 'counts them', 'manage-users': reason }));
    const { code, stdout, stderr } = await add('asking', '--grant');
    t.deepEqual([code, stdout, await plugins()], [1, '', before]);
    t.regex(stderr, /needs\.manage-users must be one line of at most 500 visible characters \[plugin_shape]/);
  }
});
