import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { writeLoginPage } from '../../core/commands/console/login-page.js';
import { administered } from '../helpers/admin.js';
import { browserTest, hasChromium, startBrowser } from '../helpers/browser.js';
import { fetchAnswer, startHost } from '../helpers/host.js';
import { testRealm } from '../helpers/realms.js';
import { shareStarted } from '../helpers/shared-host.js';

const scene = shareStarted(test, async (scope) => ({
  host: await startHost(scope, administered({ realms: [testRealm('demo')] })),
  browser: hasChromium ? await startBrowser(scope) : undefined,
}));

browserTest(
  'keyhost console: its page leads to the admin console, signed in, and leaves no key in a URL',
  async (t) => {
    const { host, browser } = scene();
    if (browser === undefined) throw new Error('the browser did not start');
    const { json } = await fetchAnswer(`${host.managementUrl}/console?realm=demo`, {
      method: 'POST',
      headers: { authorization: `Bearer ${host.managementSecret}` },
    });
    const { key, path } = json as unknown as { key: string; path: string };
    const folder = await mkdtemp(join(tmpdir(), 'keyhost-console-'));
    t.teardown(() => rm(folder, { recursive: true, force: true }));
    const file = await writeLoginPage(folder, `${host.publicUrl}${path}`, key);
    const context = await browser.newContext();
    t.teardown(() => context.close());
    const page = await context.newPage();
    const sent: string[] = [];
    page.on('request', (request) => sent.push(`${request.url()} ${request.headers().referer ?? ''}`));
    await page.goto(file.url);
    await page.getByRole('heading', { name: 'Clients of demo', exact: true, level: 1 }).waitFor();
    await page.locator('.frame').getByText('root', { exact: true }).waitFor();
    t.false(sent.join('\n').includes(key));
    t.false(String(await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])')).includes(key));
  },
);
