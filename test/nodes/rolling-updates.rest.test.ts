import test, { type ExecutionContext } from 'ava';
import type { BootError } from '../../core/config/boot-error.js';
import { NodeList } from '../../core/registry/nodes/node-list.js';
import { RollingUpdates } from '../../core/registry/nodes/rolling-updates.js';
import { eventually } from '../helpers/eventually.js';
import { fetchAnswer, type TestHost } from '../helpers/host.js';
import { startNodes } from '../helpers/nodes.js';
import { providersFolder, writePackage } from '../helpers/plugins.js';
import { testRealm } from '../helpers/realms.js';
import { STATE_2, tally } from '../helpers/stateful-plugin.js';

const source = (version: string, open = '', id = 'a') => `
import { provide, RealmResourceProvider } from '@keyhost/spi';
export default { name: '${id}', api: 1, providers: [provide(RealmResourceProvider, {
  id: '${id}',
  routes: { run: { method: 'GET', path: '/' } },
  async open() {
    ${open}
    return { create: () => ({ run: async () => ({ body: { version: '${version}' } }) }) };
  },
})] };
`;

/** Three nodes, each with a providers folder of its own. */
async function threeNodes(t: ExecutionContext, plugins: readonly object[] = [{ module: 'a' }]) {
  const packages = { a: source('1'), b: source('1', '', 'b') };
  const folders = await Promise.all([1, 2, 3].map(() => providersFolder(t, packages)));
  const realm = testRealm('demo', {
    providers: { 'realm-restapi-extension': { a: { enabled: true } } },
  } as object);
  const { nodes } = await startNodes(t, {
    count: 3,
    plugins,
    realms: [realm],
    argvOf: (node) => ['--providers-dir', folders[node] ?? ''],
  });
  const rollingUpdates = nodes.map((node) => node.use(RollingUpdates)) as [
    RollingUpdates,
    RollingUpdates,
    RollingUpdates,
  ];
  await Promise.all(nodes.map((node) => node.use(NodeList).publish()));
  await Promise.all(nodes.map((node) => node.use(NodeList).publish()));
  const versions = () => Promise.all(nodes.map(async (node) => (await callPlugin(node)).json.version));
  const write = (node: number, text: string, name = 'a') => writePackage(folders[node] ?? '', name, text, '1.1.0');
  return { nodes, rollingUpdates, versions, write, folders };
}

const callPlugin = (node: TestHost) => fetchAnswer(`${node.url}/realms/demo/a`);

test('rolling updates: a new version goes over the nodes one after the other, this one first, and goes back over all', async (t) => {
  const { nodes, rollingUpdates, versions, write } = await threeNodes(t);
  t.deepEqual(await versions(), ['1', '1', '1']);
  for (const node of [0, 1, 2]) await write(node, source('2'));
  const names = nodes.map(
    (node) =>
      node
        .use(NodeList)
        .listAlive()
        .find(({ id }) => id === node.use(NodeList).id)?.name,
  );
  const result = await rollingUpdates[1].reload('a');
  t.is(result.outcome, 'replaced');
  t.deepEqual(
    result.nodes.map(({ outcome }) => outcome),
    ['replaced', 'replaced', 'replaced'],
  );
  t.is(result.nodes[0]?.node, names[1]);
  t.deepEqual(await versions(), ['2', '2', '2']);
  const back = await rollingUpdates[0].rollback();
  t.is(back.nodes.length, 3);
  t.deepEqual(await versions(), ['1', '1', '1']);
});

test('rolling updates: an update that the first node refuses reaches no other, and one that another refuses is reverted everywhere', async (t) => {
  const { rollingUpdates, versions, write } = await threeNodes(t);
  for (const node of [0, 1, 2]) await write(node, source('2', "throw new Error('no database')"));
  t.is(((await t.throwsAsync(rollingUpdates[0].reload('a'))) as BootError).code, 'plugin_open_failed');
  t.deepEqual(await versions(), ['1', '1', '1']);
  for (const node of [0, 1]) await write(node, source('3'));
  const refused = (await t.throwsAsync(rollingUpdates[0].reload('a'))) as BootError;
  t.is(refused.code, 'plugin_nodes');
  t.regex(refused.report(), /refused the update: .*no database/s);
  t.deepEqual(await versions(), ['1', '1', '1']);
  await write(2, source('3'));
  await rollingUpdates[0].reload('a');
  t.deepEqual(await versions(), ['3', '3', '3']);
});

test('rolling updates: a plugin that differs between nodes is reported, and a stopped node is not waited for', async (t) => {
  const { nodes, rollingUpdates, write } = await threeNodes(t);
  t.deepEqual((await rollingUpdates[0].look()).differences, []);
  await write(2, source('2'));
  await nodes[2]?.plugins.reload();
  await nodes[2]?.use(NodeList).publish();
  const { differences, nodes: listed } = await rollingUpdates[0].look();
  t.is(listed.length, 3);
  t.regex(differences.join(), /^a 1\.2\.3 on .*, 1\.1\.0 on /);
  await eventually(() => nodes[0]?.log.some(({ message }) => message.startsWith('different plugins on nodes: a ')));
  await nodes[2]?.close();
  await write(0, source('4'));
  await write(1, source('4'));
  const result = await rollingUpdates[0].reload();
  t.is(result.nodes.length, 2);
});

test('rolling updates: a node that replaced one plugin and refused another goes back too', async (t) => {
  const { nodes, rollingUpdates, versions, write } = await threeNodes(t, [
    { module: 'a' },
    { module: 'b', required: false },
  ]);
  for (const node of [0, 1, 2]) await write(node, source('2'));
  for (const node of [0, 1]) await write(node, source('2', '', 'b'), 'b');
  await write(2, source('2', "throw new Error('no licence')", 'b'), 'b');
  const refused = (await t.throwsAsync(rollingUpdates[0].reload())) as BootError;
  t.regex(refused.report(), /no licence/s);
  t.deepEqual(await versions(), ['1', '1', '1']);
  for (const node of nodes)
    t.deepEqual(
      node.plugins.status().plugins.map(({ version }) => version),
      ['1.2.3', '1.2.3'],
    );
});

test('rolling updates: a state is migrated once for all nodes, goes back with them, and stays where one node refuses', async (t) => {
  const packages = { tally: tally('1', '{ version: 1 }') };
  const folders = await Promise.all([1, 2].map(() => providersFolder(t, packages)));
  const on = { providers: { 'realm-restapi-extension': { tally: { enabled: true } } } };
  const { nodes } = await startNodes(t, {
    count: 2,
    plugins: [{ module: 'tally' }],
    realms: [testRealm('demo', on)],
    argvOf: (node) => ['--providers-dir', folders[node] ?? ''],
  });
  for (const _ of [1, 2]) await Promise.all(nodes.map((node) => node.use(NodeList).publish()));
  const [first] = nodes.map((node) => node.use(RollingUpdates)) as [RollingUpdates];
  const write = (node: TestHost, key: string) => {
    const headers = { 'content-type': 'application/json' };
    return fetchAnswer(`${node.url}/realms/demo/tally/${key}`, { method: 'PUT', headers, body: '1' });
  };
  const keys = async () =>
    Promise.all(
      nodes.map(async ({ url }) => {
        const { json } = await fetchAnswer(`${url}/realms/demo/tally`);
        return (json as unknown as { entries: { key: string }[] }).entries.map(({ key }) => key);
      }),
    );
  const install = (node: number, text: string) => writePackage(folders[node] ?? '', 'tally', text, '2.0.0');
  for (const [index, node] of nodes.entries()) t.is((await write(node, `k${index}`)).status, 204);

  await install(0, tally('2', STATE_2));
  await install(
    1,
    tally('2', STATE_2).replace('open: () => ({', "open: () => { throw new Error('no licence'); }, never: () => ({"),
  );
  t.is(((await t.throwsAsync(first.reload('tally'))) as BootError).code, 'plugin_nodes');
  t.deepEqual(await keys(), [
    ['k0', 'k1'],
    ['k0', 'k1'],
  ]);
  for (const [index, node] of nodes.entries()) t.is((await write(node, `l${index}`)).status, 204);

  await install(1, tally('2', STATE_2));
  t.is((await first.reload('tally')).outcome, 'replaced');
  const migrated = ['n-k0', 'n-k1', 'n-l0', 'n-l1'];
  t.deepEqual(await keys(), [migrated, migrated]);
  for (const node of nodes) t.is((await write(node, 'new')).status, 204);

  t.is((await first.rollback('tally')).nodes.length, 2);
  t.deepEqual(await keys(), [
    ['k0', 'k1', 'l0', 'l1'],
    ['k0', 'k1', 'l0', 'l1'],
  ]);
  for (const [index, node] of nodes.entries()) t.is((await write(node, `m${index}`)).status, 204);
});
