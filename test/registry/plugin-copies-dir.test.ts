import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { fetchAnswer, startHost } from '../helpers/host.js';
import { enabledResources, providersFolder, resourcePlugin, writePackage } from '../helpers/plugins.js';
import { testRealm } from '../helpers/realms.js';

const DEPENDENCY = {
  'index.js': 'export default "shared";',
  'package.json': '{"name":"shared","type":"module","exports":"./index.js"}',
};
const pluginSource = (name: string, version: string) =>
  `import shared from 'shared';\n${resourcePlugin(name, `return { body: { shared, version: '${version}', from: import.meta.url } }`)}`;

test('copies of plugins: plugins of a read-only folder are copied to another one, find their shared files, and are replaced', async (t) => {
  const copies = join(await mkdtemp(join(tmpdir(), 'keyhost-copies-')), 'of/plugins');
  t.teardown(() => rm(join(copies, '../..'), { recursive: true, force: true }));
  const names = ['here', 'apart'];
  const dir = await providersFolder(t, Object.fromEntries(names.map((name) => [name, pluginSource(name, '1')])));
  await writePackage(join(dir, 'node_modules'), 'shared', DEPENDENCY);
  // A file with the name of the folder for copies prevents them. A read-only folder would not: root can write to it.
  await writeFile(join(dir, '.generations'), '');
  const host = await startHost(t, {
    realms: [testRealm('demo', { providers: enabledResources(names) })],
    plugins: [{ module: 'here' }, { module: 'apart', isolation: 'worker' }],
    mode: 'start',
    argv: [
      '--providers-dir',
      dir,
      '--plugin-copies-dir',
      copies,
      '--hostname',
      'http://id.example',
      '--http-enabled',
      '--outbound-private-networks',
      '127.0.0.0/8',
    ],
  });
  t.false(host.log.some(({ message }) => message.includes('where they lie')));
  const answers = async (version: string) => {
    for (const name of names) {
      const { json, text } = await fetchAnswer(`${host.realm('demo')}/${name}`);
      t.like(json, { shared: 'shared', version }, text);
      t.true(String(json.from).includes(copies), String(json.from));
    }
  };
  await answers('1');
  for (const name of names) await writePackage(dir, name, pluginSource(name, '2'), '2.0.0');
  t.is((await host.plugins.reload()).outcome, 'replaced');
  await answers('2');
  await host.close();
  t.deepEqual([existsSync(copies), await readdir(copies)], [true, []]);
});

test('copies of plugins: if no copies can be made the log names the option', async (t) => {
  const dir = await providersFolder(t, { here: resourcePlugin('here', 'return { body: {} }') });
  await writeFile(join(dir, '.generations'), '');
  const host = await startHost(t, {
    realms: [testRealm('demo', { providers: enabledResources(['here']) })],
    plugins: [{ module: 'here' }],
    mode: 'start',
    argv: ['--providers-dir', dir, '--hostname', 'http://id.example', '--http-enabled'],
  });
  t.is((await fetchAnswer(`${host.realm('demo')}/here`)).status, 200);
  t.true(host.log.some(({ message }) => message.startsWith('plugins run without a copy: cannot copy here')));
  await writePackage(dir, 'here', resourcePlugin('here', 'return { body: { changed: true } }'), '2.0.0');
  const error = await t.throwsAsync(host.plugins.reload(), { code: 'plugin_copy' });
  t.regex((error as unknown as { hint: string }).hint, /--plugin-copies-dir/);
});
