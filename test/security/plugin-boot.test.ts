import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import type { BootError } from '../../core/config/boot-error.js';
import { readPluginsFile } from '../../core/config/plugins-file.js';
import { replacing } from '../../core/di/module.js';
import { PluginTimeout } from '../../core/registry/module.js';
import { fetchAnswer, startHost } from '../helpers/host.js';
import { enabledResources, providersFolder, resourcePlugin } from '../helpers/plugins.js';
import { folder, run } from '../helpers/process.js';
import { testRealm } from '../helpers/realms.js';

const good = (name: string) => resourcePlugin(name, 'return { body: { up: true } };');
const MANIFEST = JSON.stringify({ name: 'x', version: '1.0.0', type: 'module', exports: './index.js' });

/** Starts with a working plugin and others that a realm uses too; `required` applies to the others. */
async function boot(
  t: ExecutionContext,
  packages: Parameters<typeof providersFolder>[1],
  required: boolean,
  pluginTimeoutMs = 10_000,
) {
  const names = Object.keys(packages);
  const dir = await providersFolder(t, { good: good('good'), ...packages });
  return startHost(t, {
    realms: [testRealm('demo', { providers: enabledResources(['good', ...(required ? [] : names)]) })],
    plugins: [{ module: 'good' }, ...names.map((module) => ({ module, required }))],
    argv: ['--providers-dir', dir],
    replace: [replacing(PluginTimeout, pluginTimeoutMs)],
  });
}

test('T250 · boot errors of plugins: a plugin that fails to open ends the start when it is required, and is left out when not', async (t) => {
  const failures: [string, string, string][] = [
    ['throwing', "throw new Error('no database');", 'plugin_open_failed'],
    ['rejecting', "await Promise.reject(new Error('no database'));", 'plugin_open_failed'],
    ['rejecting-nothing', 'await Promise.reject(undefined);', 'plugin_open_failed'],
    ['hanging', 'await new Promise(() => {});', 'plugin_open_timeout'],
  ];
  for (const [name, open, code] of failures) {
    const error = (await t.throwsAsync(boot(t, { [name]: resourcePlugin(name, '', open) }, true, 3000))) as BootError;
    t.deepEqual([error.code, error.plugin], [code, name], error.report?.() ?? String(error));
  }
  const sources = failures.map(([name, open]) => [name, resourcePlugin(name, '', open)]);
  const host = await boot(t, Object.fromEntries(sources), false, 3000);
  for (const [name, , code] of failures) {
    const told = host.log.filter(({ level, message }) => level === 'error' && message.includes(name));
    t.true(told.length >= 1 && told.some(({ message }) => message.includes(code)), name);
    t.is((await fetchAnswer(`${host.realm('demo')}/${name}`)).status, 404, name);
  }
  t.deepEqual((await fetchAnswer(`${host.realm('demo')}/good`)).json, { up: true });
});

test('T255 · boot errors of plugins: a package that is no plugin is distinguished from the others, and its reason is logged alone', async (t) => {
  const packages: [string, Record<string, string>, string][] = [
    ['no-manifest', { 'index.js': good('x') }, 'plugin_missing'],
    ['bad-json', { 'package.json': '{', 'index.js': good('x') }, 'plugin_shape'],
    ['null-json', { 'package.json': 'null', 'index.js': good('x') }, 'plugin_shape'],
    ['nameless', { 'package.json': '{"version":"1.0.0"}', 'index.js': good('x') }, 'plugin_shape'],
    ['large', { 'package.json': `${MANIFEST}${' '.repeat(2 * 1024 * 1024)}`, 'index.js': good('x') }, 'plugin_shape'],
    [
      'future',
      { 'package.json': MANIFEST.replace('"x"', '"future"'), 'index.js': good('future').replace('api: 1', 'api: 999') },
      'plugin_api',
    ],
    [
      'lacking',
      { 'package.json': MANIFEST.replace('"x"', '"lacking"'), 'index.js': "import 'not-there-at-all';" },
      'plugin_dependency_missing',
    ],
    [
      'escaping',
      { 'package.json': MANIFEST.replace('"x"', '"escaping"').replace('./index.js', '../../../etc/x.js') },
      'plugin_import_failed',
    ],
    [
      'throwing-nothing',
      { 'package.json': MANIFEST.replace('"x"', '"throwing-nothing"'), 'index.js': 'throw undefined;' },
      'plugin_import_failed',
    ],
    [
      'common',
      { 'package.json': '{"name":"common","type":"commonjs","main":"index.js"}', 'index.js': good('common') },
      'plugin_import_failed',
    ],
  ];
  for (const [name, files, code] of packages) {
    const error = (await t.throwsAsync(boot(t, { [name]: files }, true))) as BootError;
    t.deepEqual([error.code, error.plugin], [code, name], error.report?.() ?? String(error));
  }
  const host = await boot(t, Object.fromEntries(packages.map(([name, files]) => [name, files])), false);
  for (const [name, , code] of packages) {
    t.true(
      host.log.some(({ level, message }) => level === 'error' && message.includes(name) && message.includes(code)),
      name,
    );
    const answer = await fetchAnswer(`${host.realm('demo')}/${name}`);
    t.deepEqual([answer.status, answer.text], [404, '{"error":"HTTP 404 Not Found"}'], name);
  }
  t.is((await fetchAnswer(`${host.realm('demo')}/good`)).status, 200);
});

test('T255 · boot errors of plugins: an unlisted broken package does no harm, and two of one name are refused', async (t) => {
  const dir = await providersFolder(t, { good: good('good'), broken: { 'package.json': '{' } });
  const realms = [testRealm('demo', { providers: enabledResources(['good']) })];
  const host = await startHost(t, { realms, plugins: [{ module: 'good' }], argv: ['--providers-dir', dir] });
  t.is((await fetchAnswer(`${host.realm('demo')}/good`)).status, 200);
  const twins = { one: good('one'), two: good('two').replace("name: 'two'", "name: 'one'") };
  const error = (await t.throwsAsync(boot(t, twins, true))) as BootError;
  t.is(error.code, 'plugin_duplicate_id');
  t.regex(error.report(), /two and one both have the name one/);
});

test('T257 · boot errors of plugins: an invalid plugins.json ends the start with its place, and pollutes nothing', async (t) => {
  const dir = await mkdtemp(join(tmpdir(), 'keyhost-plugins-'));
  t.teardown(() => rm(dir, { recursive: true, force: true }));
  const file = join(dir, 'plugins.json');
  const texts: [string | Uint8Array, RegExp][] = [
    ['{ "plugins": [], "__proto__": { "polluted": 1 } }', /1:18 __proto__: the key "__proto__" is not allowed/],
    [
      '{ "plugins": [ { "module": "a", "config": { "__proto__": { "polluted": 1 } } } ] }',
      /"__proto__" is not allowed/,
    ],
    ['{ "plugins": [ { "module": "a", "constructor": { "prototype": { "polluted": 1 } } } ] }', /constructor/],
    ['{ "plugins": [ { "module": "a" }, { "module": "a" } ] }', /a\b.*twice|twice/],
    ['{ "plugins": [ { "module": "a", "requird": true } ] }', /requird: unknown key \(did you mean "required"\?\)/],
    ['{ "plugin": [] }', /plugin: unknown key/],
    ['{ "plugins": {} }', /plugins: must be/],
    ['{ "plugins": [ "a" ] }', /plugins\[0]: must be/],
    ['[]', /must be/],
    ['null', /must be/],
    ['', /not JSON/],
    ['{ "plugins": [] ', /not JSON/],
    ['{ "plugins": [] } x', /not JSON/],
    ['{ "plugins": [ { "module": "../evil" } ] }', /module: /],
    ['{ "plugins": [ { "module": "/etc" } ] }', /module: /],
    ['{ "plugins": [ { "module": "Good" } ] }', /module: /],
    [new Uint8Array([0x7b, 0xff, 0x7d]), /UTF-8/],
    [' '.repeat(50 * 1024 * 1024), /larger|large/],
  ];
  for (const [text, told] of texts) {
    await writeFile(file, text);
    const error = (await t.throwsAsync(readPluginsFile(file), undefined, String(text).slice(0, 80))) as BootError;
    t.is(error.code, 'plugins_file_invalid', String(text).slice(0, 80));
    t.regex(error.report(), told);
    t.true(error.report().includes(file));
  }
  t.false('polluted' in {});
  await rm(file);
  await mkdir(file);
  t.is(((await t.throwsAsync(readPluginsFile(file))) as BootError).code, 'plugins_file_invalid');
});

test('T242 · boot errors of plugins: an unhandled error of a plugin ends the process with its place, and is no success', async (t) => {
  const late: [string, string][] = [
    ['late-throw', "setTimeout(() => { throw new Error('thrown too late: key=secret-of-alice'); }, 20);"],
    ['unhandled', "void Promise.reject(new Error('thrown too late'));"],
    ['late-nothing', 'setTimeout(() => { throw undefined; }, 20);'],
  ];
  await Promise.all(
    late.map(async ([name, body]) => {
      const dir = await folder(t, [testRealm('demo', { providers: enabledResources([name]) })]);
      const providers = await providersFolder(t, { [name]: resourcePlugin(name, `${body} return { body: {} };`) });
      await writeFile(join(dir, 'plugins.json'), JSON.stringify({ plugins: [{ module: name }] }));
      const host = await run(t, dir, ['start-dev', '--providers-dir', providers]);
      t.truthy(host.url, host.output());
      await fetchAnswer(`${host.url}/realms/demo/${name}`).catch(() => undefined);
      t.is(await host.ended, 1, host.output());
      t.false(host.output().includes('secret-of-alice'));
      if (name !== 'late-nothing') t.regex(host.output(), new RegExp(`thrown too late[^]*/${name}/index\\.js`));
    }),
  );
});
