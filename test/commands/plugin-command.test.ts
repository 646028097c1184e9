import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { keyhost } from '../helpers/command.js';
import { fetchAnswer } from '../helpers/host.js';
import { enabledResources, providersFolder, resourcePlugin } from '../helpers/plugins.js';
import { folder, run } from '../helpers/process.js';
import { testRealm } from '../helpers/realms.js';

/** A plugin that reads the second of its files when it is asked. */
const files = (version: string, index = '') => ({
  'package.json': JSON.stringify({ name: 'late', version: `${version}.0.0`, type: 'module', exports: './index.js' }),
  'part.js': `export const part = '${version}';`,
  'index.js':
    index ||
    `import { provide, RealmResourceProvider } from '@keyhost/spi';
export default { name: 'late', api: 1, providers: [provide(RealmResourceProvider, {
  id: 'late', routes: { run: { method: 'GET', path: '/' } },
  open: () => ({ create: () => ({ run: async () => ({ body: (await import('./part.js')).part }) }) }),
})] };`,
});

test('keyhost plugin: a production host replaces a plugin by command, keeps the old one if the new one fails, and rolls back', async (t) => {
  const dir = await folder(t, [testRealm('demo', { providers: enabledResources(['late']) })]);
  const providers = await providersFolder(t, { late: files('1') });
  await writeFile(join(dir, 'plugins.json'), '{ "plugins": [ { "module": "late" } ] }');
  const production = ['start', '--hostname', 'http://id.example', '--http-enabled', '--providers-dir', providers];
  const { child, url, output, ended } = await run(t, dir, production);
  t.truthy(url, output());
  const data = ['--data-dir', join(dir, 'data')];
  const plugin = (...argv: string[]) => keyhost(['plugin', ...argv, ...data]);
  const served = async () => (await fetchAnswer(`${url}/realms/demo/late`)).text;
  const replace = async (version: string, index?: string) => {
    for (const [name, text] of Object.entries(files(version, index)))
      await writeFile(join(providers, 'late', name), text);
  };
  await replace('2');
  // The running plugin uses its own copy, so it does not see changed files.
  t.is(await served(), '"1"');
  t.deepEqual(await plugin('reload'), { code: 0, stdout: 'late 1.0.0 → 2.0.0\ngeneration 2 is in use\n', stderr: '' });
  t.is(await served(), '"2"');
  await replace('3', 'export default {');
  const refused = await plugin('reload', 'late');
  t.deepEqual([refused.code, refused.stdout], [1, '']);
  t.regex(refused.stderr, /late could not be imported: .* \[plugin_import_failed]\n {2}→ /);
  t.is(await served(), '"2"');
  const open = `realmConfig: { type: 'object', properties: { authentication: { type: 'string', default: 'none' } } }, routes:`;
  await replace('4', files('4')['index.js'].replace('routes:', open));
  const unsafe = await plugin('reload');
  t.is(unsafe.code, 1);
  t.regex(
    unsafe.stderr,
    /\[production_unsafe]\n.*demo\.json:\d+:\d+ providers\S*late: would answer without authentication/,
  );
  await replace('3', 'export default {');
  t.is((await plugin('reload')).code, 1);
  t.regex(
    (await plugin('status')).stdout,
    /^late {2}2\.0\.0 {2}running\n {4}the plugin folder contains 3\.0\.0; .*\n {4}keyhost: late could not be imported: index\.js:1:17: .*\n.*\ngeneration 2, .*\n$/,
  );
  t.is((await plugin('rollback')).stdout, 'late 2.0.0 → 1.0.0\ngeneration 3 is in use\n');
  t.is(await served(), '"1"');
  t.regex((await plugin('rollback', 'late')).stderr, /late was not replaced since the start.*\[plugin_rollback]/);
  t.regex((await plugin('restart')).stderr, /NAME is required \[options_invalid]/);
  t.regex(
    (await plugin('status')).stdout,
    /^late {2}1\.0\.0 {2}running\n {4}the plugin folder contains 3\.0\.0; .*\ngeneration 3, in use since \S+\nthe last update \(rollback, \S+\) failed:\n {4}keyhost: late was not replaced/,
  );
  t.is((await plugin('status', 'late')).code, 1);
  t.is((await plugin('restart')).code, 1);

  const access = join(dir, 'data/management.json');
  t.is((await stat(access)).mode & 0o777, 0o600);
  const { url: management, secret } = JSON.parse(await readFile(access, 'utf8')) as { url: string; secret: string };
  const post = (path: string, authorization?: string) =>
    fetchAnswer(`${management}${path}`, {
      method: 'POST',
      headers: authorization === undefined ? {} : { authorization },
    });
  t.is((await post('/plugins/reload')).status, 401);
  t.is((await post('/plugins/reload', `Bearer ${secret.slice(1)}`)).status, 401);
  t.is((await post('/plugins', `Bearer ${secret}`)).headers.get('allow'), 'GET, HEAD');
  t.is((await fetchAnswer(`${management}/plugins/reload`)).status, 405);
  t.is((await post('/plugins/nothing', `Bearer ${secret}`)).status, 404);
  const conflict = await post('/plugins/reload?module=nobody', `Bearer ${secret}`);
  t.deepEqual([conflict.status, conflict.json.error], [409, 'plugin_missing']);
  const { json } = await fetchAnswer(`${management}/plugins`);
  t.like(json, { generation: 3, draining: [], swaps: 2, failedUpdates: 5, loadedInProcess: 4 });
  t.notRegex(JSON.stringify(json), new RegExp(secret));
  const { text } = await fetchAnswer(`${management}/metrics`);
  t.regex(text, /^keyhost_plugin_generation 3$/m);
  t.regex(text, /^keyhost_plugin_failed_updates 5$/m);

  child.kill('SIGTERM');
  t.is(await ended, 0);
  t.regex((await plugin('status')).stderr, /no running server uses the data directory/);
  await t.throwsAsync(stat(access));
});

test('keyhost plugin: a plugin that ends the process leaves its name and its stack in the log', async (t) => {
  const dir = await folder(t, [testRealm('demo', { providers: enabledResources(['leaves']) })]);
  const providers = await providersFolder(t, { leaves: resourcePlugin('leaves', 'process.exit(3);') });
  await writeFile(join(dir, 'plugins.json'), '{ "plugins": [ { "module": "leaves" } ] }');
  const { url, output, ended } = await run(t, dir, ['start-dev', '--providers-dir', providers]);
  t.truthy(url, output());
  await t.throwsAsync(fetch(`${url}/realms/demo/leaves`));
  t.is(await ended, 3);
  t.regex(
    output(),
    /"plugin":"leaves","exit":"3","stack":"[^"]*leaves\/index\.js:\d+:\d+[^"]*","msg":"leaves ended the process by process\.exit"/,
  );
});

test('keyhost plugin: production serves a route without authentication only if that is allowed, and names routes that do not declare it', async (t) => {
  const realm = testRealm('demo', { providers: enabledResources(['open']) });
  const dir = await folder(t, [realm]);
  const source = resourcePlugin('open', 'return { body: {} };').replace(
    "path: '/' }",
    "path: '/', authentication: 'none' }",
  );
  const providers = await providersFolder(t, { open: source });
  await writeFile(join(dir, 'plugins.json'), '{ "plugins": [ { "module": "open" } ] }');
  const production = ['start', '--hostname', 'http://id.example', '--http-enabled', '--providers-dir', providers];
  const refused = await run(t, dir, production);
  t.is(await refused.ended, 1);
  t.regex(refused.output(), /realm-restapi-extension\/open answers without authentication in realm demo/);
  const { url, output } = await run(t, dir, [...production, '--allow-open-providers', 'realm-restapi-extension/open']);
  t.is((await fetchAnswer(`${url}/realms/demo/open`)).status, 200);
  t.regex(
    output(),
    /open: realm-restapi-extension\/open: routes without authentication are open unless their methods ask: one"/,
  );
});

test('keyhost plugin: an invalid schedule is reported by realm check at its place, and a default one by plugin verify', async (t) => {
  const tidy = (times: string) => `import { EventListener, provide } from '@keyhost/spi';
    export default { name: 'tidy', api: 1, providers: [provide(EventListener, { id: 'tidy',
      config: { type: 'object', properties: { url: { type: 'string' } }, required: ['url'] },
      realmConfig: { type: 'object', properties: { times: ${times} } },
      schedule: { every: 60, setting: 'times' },
      open: () => ({ create: () => ({ scheduled: async () => undefined }) }) })] };`;
  const config = { times: '0 25 * * *' };
  const dir = await folder(t, [testRealm('demo', { providers: { 'events-listener': { tidy: { config } } } })]);
  const providers = await providersFolder(t, { tidy: tidy("{ type: 'string' }") });
  const entry = { module: 'tidy', config: { 'events-listener/tidy': { url: 'https://tidy.example' } } };
  await writeFile(join(dir, 'plugins.json'), JSON.stringify({ plugins: [entry] }));
  const check = () => keyhost(['realm', 'check', 'realms', '--providers-dir', providers], { cwd: dir });
  const { code, stdout, stderr } = await check();
  t.is(code, 1);
  t.regex(
    stdout + stderr,
    /demo\.json:\d+:\d+ providers\.events-listener\.tidy\.config\.times.*is not a valid cron expression/,
  );
  // A plugin that requires configuration is not opened, and its schedule is checked anyway.
  const ill = await providersFolder(t, { tidy: tidy("{ type: 'string', default: 'nightly' }") });
  const verified = await keyhost(['plugin', 'verify', join(ill, 'tidy')], { cwd: ill });
  t.is(verified.code, 1, verified.stderr);
  t.regex(verified.stdout, /tidy: events-listener\/tidy: realmConfig: the default of times is not a valid cron/);
});
