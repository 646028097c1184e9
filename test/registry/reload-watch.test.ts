import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { adminCaller, administered } from '../helpers/admin.js';
import { eventually } from '../helpers/eventually.js';
import { testRealm } from '../helpers/realms.js';
import { reloadScene } from '../helpers/reload.js';

const WATCHING = { argv: ['--watch-plugins', 'true'] };

test('reload, watching: a change of a package or of plugins.json is noticed; one that fails is reported and replaced by the next', async (t) => {
  const scene = await reloadScene(t, ({ resource }) => ({ a: resource('a', '1'), b: resource('b', '1') }), WATCHING);
  const { host, write, get, list, resource, providersDir } = scene;
  const serves = (path: string, version: string) =>
    eventually(async () => (await get(path)).text.includes(`"${version}"`));
  await write('a', resource('a', '2'));
  await serves('a', '2');
  await write('a', 'export default {');
  await eventually(() => host.plugins.status().failure?.code === 'plugin_import_failed');
  t.regex((await get('a')).text, /"2"/);
  await write('a', resource('a', '3'));
  await serves('a', '3');
  t.is(host.plugins.status().failure, undefined);
  // A folder that replaces an existing one, and a folder that is added within a new scope.
  await rename(join(providersDir, 'b'), join(providersDir, '.b'));
  await write('b', resource('b', '2'));
  await serves('b', '2');
  await mkdir(join(providersDir, '@new'));
  await write('@new/c', {
    'package.json': '{ "name": "@new/c", "type": "module", "exports": "./index.js" }',
    'index.js': resource('c', '1'),
  });
  await list('a', 'b', '@new/c');
  await eventually(() => host.plugins.status().plugins.length === 3);
  await write('@new/c', {
    'package.json': '{ "name": "@new/c", "version": "2.0.0", "type": "module", "exports": "./index.js" }',
  });
  await eventually(() => host.plugins.status().plugins[2]?.version === '2.0.0');
});

test('reload, watching: two edits at once both take effect, and commands wait for their turn', async (t) => {
  const scene = await reloadScene(
    t,
    ({ resource }) => ({ a: resource('a', '1'), b: resource('b', '1'), c: resource('c', '1') }),
    { ...WATCHING, enabled: ['a', 'b'] },
  );
  const { host, record, write, get, list, resource } = scene;
  const both = Promise.all([
    write('a', resource('a', '2', { open: "record.events.push('waiting a 2'); await record.gate;" })),
    write('b', resource('b', '2')),
    list('a', 'b'),
    host.plugins.reload(),
    host.plugins.reload('b'),
    host.plugins.reload(),
  ]);
  // Both changes are requested while one of the plugins is still opening.
  await eventually(() => record.events.includes('waiting a 2'));
  record.openGate();
  await both;
  await eventually(() => host.plugins.status().plugins.length === 2);
  await eventually(async () => /"2"/.test((await get('a')).text) && /"2"/.test((await get('b')).text));
  await eventually(() => host.plugins.status().draining.length === 0);
  const of = (what: string) =>
    record.events.filter((event) => event.startsWith(what)).map((event) => event.slice(what.length + 1));
  // No version is open twice, and no version that serves was closed.
  t.is(of('open').length, of('close').length + 2);
  t.false(of('close').includes('a 2') || of('close').includes('b 2'));
});

test('reload, watching: a package that is taken away serves on until it is back, and a host that stops watches nothing', async (t) => {
  const { host, write, remove, get, resource, providersDir } = await reloadScene(
    t,
    ({ resource }) => ({ a: resource('a', '1') }),
    WATCHING,
  );
  await remove('a');
  await eventually(() => host.plugins.status().failure?.code === 'plugin_missing');
  t.regex((await get('a')).text, /"1"/);
  await write('a', resource('a', '2'));
  await eventually(async () => (await get('a')).text.includes('"2"'));
  await host.close();
  await writeFile(join(providersDir, 'a/index.js'), 'nonsense');
  await t.throwsAsync(host.plugins.reload());
  await rm(join(providersDir, 'a'), { recursive: true });
});

test('reload, watching: a removal that realms refuse takes effect when the last of them no longer names the plugin', async (t) => {
  const enabled = { providers: { 'realm-restapi-extension': { a: { enabled: true } } } };
  const scene = await reloadScene(t, ({ resource }) => ({ a: resource('a', '1'), b: resource('b', '1') }), {
    ...administered(WATCHING),
    realms: [testRealm('demo', enabled), testRealm('shop', enabled), testRealm('other', { providers: {} })],
  });
  const { host, list, record } = scene;
  const admin = await adminCaller(host);
  await list('b');
  await eventually(() => host.plugins.status().failure?.code === 'realm_invalid');
  const { failedUpdates } = host.plugins.status();
  // A change of another realm, or one that does not remove the cause, triggers no retry.
  t.is((await admin('PUT', '/realms/other', { displayName: 'Other' })).status, 204);
  t.is((await admin('PUT', '/realms/shop', { displayName: 'Shop' })).status, 204);
  await writeFile(join(host.dir, 'realms/demo.json'), JSON.stringify(testRealm('demo', { providers: {} })));
  const named = async () => (await admin('GET', '/realms/demo/providers/realm-restapi-extension/a')).text;
  await eventually(async () => !(await named()).includes('"enabled":true'));
  t.deepEqual([host.plugins.status().failedUpdates, host.plugins.status().plugins.length], [failedUpdates, 2]);
  t.is((await admin('DELETE', '/realms/shop')).status, 204);
  await eventually(() => host.plugins.status().plugins.length === 1);
  t.is(host.plugins.status().failure, undefined);
  t.deepEqual(record.events, ['open a 1', 'open b 1', 'close a 1']);
});
