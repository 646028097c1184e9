import { adminCaller, administered } from '../helpers/admin.js';
import { axeFindings, confirmed, openAdminConsole, signIn } from '../helpers/admin-console.js';
import { browserTest, startBrowser } from '../helpers/browser.js';
import { fetchAnswer } from '../helpers/host.js';
import { startNodes } from '../helpers/nodes.js';
import { enabledResources, providersFolder, resourcePlugin, writePackage } from '../helpers/plugins.js';
import { testRealm } from '../helpers/realms.js';

const version = (number: number) => resourcePlugin('a', `return { body: ${number} };`);

browserTest(
  'admin console, nodes: behind a load balancer it shows all nodes: a plugin is loaded on each, and one that a node refuses on none',
  async (t) => {
    const folders = await Promise.all([0, 1].map(() => providersFolder(t, { a: version(1) })));
    const { nodes, front } = await startNodes(t, {
      ...administered({ realms: [testRealm('demo', { providers: enabledResources(['a']) } as object)] }),
      plugins: [{ module: 'a' }],
      argvOf: (node) => ['--providers-dir', folders[node] ?? ''],
    });
    const write = (node: number, text: string, number: string) => writePackage(folders[node] ?? '', 'a', text, number);
    const served = () => Promise.all(nodes.map(async ({ url }) => (await fetchAnswer(`${url}/realms/demo/a`)).text));
    const call = await adminCaller(front);
    // One request per node, so that each has sent its heartbeat.
    for (const _ of nodes) await call('GET', '/plugins');
    const host = { ...front, publicUrl: front.url };
    const { page, done } = await openAdminConsole(t, { host, browser: await startBrowser(t) }, 'plugins');
    await signIn(page);
    const rows = page.getByRole('table', { name: 'Nodes' }).locator('tbody tr');
    await rows.nth(1).waitFor();
    for (const row of await rows.allInnerTexts()) t.regex(row, /a 1\.2\.3/);

    for (const node of [0, 1]) await write(node, version(2), '2.0.0');
    await confirmed(page, 'Load changes');
    await page.getByRole('status').getByText('a 1.2.3 → 2.0.0').waitFor();
    t.deepEqual(await served(), ['2', '2']);
    await rows.filter({ hasText: 'a 2.0.0' }).nth(1).waitFor();
    t.deepEqual(await axeFindings(page), []);

    await write(0, version(3), '3.0.0');
    await write(1, 'throw new Error("not here");', '3.0.0');
    await confirmed(page, 'Load changes');
    await page.getByRole('heading', { name: 'Update failed: all plugins run as before', exact: true }).waitFor();
    t.deepEqual(await served(), ['2', '2']);
    await done();
  },
);
