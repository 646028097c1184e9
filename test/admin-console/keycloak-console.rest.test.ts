import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { consoleFolders } from '../../core/admin-console/keycloak-console/console-folders.js';
import { KeycloakConsoleFolders } from '../../core/admin-console/module.js';
import { replacing } from '../../core/di/module.js';
import { administered } from '../helpers/admin.js';
import { axeFindings, openAdminConsole, signIn } from '../helpers/admin-console.js';
import { browserTest, startBrowser } from '../helpers/browser.js';
import { fetchAnswer, startHost, type TestHostOptions } from '../helpers/host.js';
import { folder } from '../helpers/process.js';
import { rawGet } from '../helpers/raw.js';
import { testRealm } from '../helpers/realms.js';
import { shows } from '../helpers/shows.js';

const PAGE = `<html><head><script id="environment" type="application/json"></script>
<script type="module" src="./assets/index-a1.js"></script></head></html>`;

/** A host with a console of three lines, put in place when it is asked for. */
async function hostWithConsole(t: ExecutionContext, options: TestHostOptions = {}) {
  const dir = join(await folder(t, []), 'dist');
  const host = await startHost(t, administered({ ...options, replace: [replacing(KeycloakConsoleFolders, [dir])] }));
  return { host, install: () => installAt(dir) };
}

async function installAt(dir: string): Promise<void> {
  await mkdir(join(dir, 'assets'), { recursive: true });
  await writeFile(join(dir, 'assets', 'index-a1.js'), 'let program;');
  await writeFile(join(dir, 'index.html'), PAGE);
}

test('Keycloak’s console: npm installs it in the folder of plugins.json, which reports another version; parent folders are not searched', async (t) => {
  const above = await folder(t, []);
  const dir = join(above, 'identity');
  const folders = consoleFolders({ providersDir: join(dir, 'providers'), pluginsFile: join(dir, 'plugins.json') });
  const host = await startHost(t, administered({ replace: [replacing(KeycloakConsoleFolders, folders)] }));
  const place = ['node_modules', '@keyhost', 'keycloak-console'];
  await installAt(join(above, ...place));
  t.is((await fetchAnswer(`${host.url}/admin/master/console/`)).status, 302);
  const installed = join(dir, ...place);
  await installAt(installed);
  await writeFile(join(installed, 'package.json'), JSON.stringify({ version: '0.0.1' }));
  for (let n = 0; n < 2; n += 1) t.is((await fetchAnswer(`${host.url}/admin/master/console/`)).status, 200);
  t.is((await fetchAnswer(`${host.url}/resources/keycloak-console/assets/index-a1.js`)).text, 'let program;');
  const told = host.log.filter(({ message }) => message === 'Keycloak’s console is of another version of Keyhost');
  t.is(told.length, 1);
  t.like(told[0]?.fields, { folder: installed, version: '0.0.1' });
});

test('Keycloak’s console: its path leads to the admin console until it is installed, and then to it without a restart', async (t) => {
  const { host, install } = await hostWithConsole(t, { realms: [testRealm('demo')] });
  const before = await fetchAnswer(`${host.url}/admin/demo/console/`);
  t.deepEqual([before.status, before.headers.get('location')], [302, '/admin/desk/?realm=demo']);
  await install();
  const { status, headers, text } = await fetchAnswer(`${host.url}/admin/demo/console/`);
  t.is(status, 200);
  t.regex(
    headers.get('content-security-policy') ?? '',
    /^default-src 'none'; script-src 'self'; .*frame-ancestors 'none'$/,
  );
  t.is(headers.get('cache-control'), 'no-store');
  const [, environment = ''] = /application\/json">(.*?)<\/script>/.exec(text) ?? [];
  t.like(JSON.parse(environment), {
    serverBaseUrl: host.url,
    adminBaseUrl: host.url,
    consoleBaseUrl: `${host.url}/admin/demo/console/`,
    realm: 'demo',
    masterRealm: 'master',
    clientId: 'security-admin-console',
    darkMode: true,
  });
  const script = await fetchAnswer(`${host.url}/resources/keycloak-console/assets/index-a1.js`);
  t.deepEqual([script.status, script.text], [200, 'let program;']);
  t.true(text.includes('src="/resources/keycloak-console/assets/index-a1.js"'));
});

test('Keycloak’s console: texts of a realm override those of the console, and are public as on the login page', async (t) => {
  const realm = testRealm('demo', { localizationTexts: { de: { profile: 'Mein Profil' } } });
  const { host } = await hostWithConsole(t, { realms: [realm] });
  const textsIn = async (language: string) =>
    (await fetchAnswer(`${host.url}/admin/demo/console/messages/${language}`)).json as unknown;
  t.deepEqual(await textsIn('de'), { profile: 'Mein Profil' });
  for (const other of ['en', '__proto__', 'constructor']) t.deepEqual(await textsIn(other), {}, other);
});

test('Keycloak’s console: other paths below it belong to the API, and unknown ones are 404', async (t) => {
  const { host, install } = await hostWithConsole(t, { argv: ['--http-relative-path', '/auth'] });
  await install();
  const whole = await fetchAnswer(`${host.url}/admin/master/console`);
  t.deepEqual([whole.status, whole.headers.get('location')], [302, `${host.url}/admin/master/console/`]);
  t.true((await fetchAnswer(`${host.url}/admin/master/console/`)).text.includes('"/auth/resources/keycloak-console/'));
  t.is((await fetchAnswer(`${host.url}/admin/master/console/whoami`)).status, 401);
  for (const path of ['/admin/none/console/', '/resources/keycloak-console/assets/..%2findex.html']) {
    t.is((await fetchAnswer(host.url + path)).status, 404, path);
  }
  t.is((await fetchAnswer(`${host.url}/admin/%ff/console/`)).status, 400);
  const { status, headers } = await fetchAnswer(`${host.url}/admin/master/console/`, { method: 'POST' });
  t.deepEqual([status, headers.get('allow')], [405, 'GET, HEAD']);
});

test('Keycloak’s console: with --hostname-admin it uses the login at the public address', async (t) => {
  const argv = ['--hostname', 'https://id.example.test', '--hostname-admin', 'https://admin.example.test/a'];
  const { host, install } = await hostWithConsole(t, { argv });
  await install();
  const page = await rawGet(host.url, '/admin/master/console/', 'Host: admin.example.test');
  const [, environment = ''] = /application\/json">(.*?)<\/script>/.exec(page) ?? [];
  t.like(JSON.parse(environment), {
    serverBaseUrl: 'https://id.example.test',
    adminBaseUrl: 'https://admin.example.test/a',
    consoleBaseUrl: 'https://admin.example.test/a/admin/master/console/',
    resourceUrl: 'https://admin.example.test/a/resources/keycloak-console/assets',
  });
  t.true(page.includes('src="/a/resources/keycloak-console/assets/index-a1.js"'));
  t.regex(page, /connect-src 'self' https:\/\/id\.example\.test; .*frame-src 'self' https:\/\/id\.example\.test;/);
});

browserTest(
  'Keycloak’s console: the admin console links to it if installed, and shows host admins how to install it',
  async (t) => {
    const { host, install } = await hostWithConsole(t, { realms: [testRealm('demo')] });
    const { page, done } = await openAdminConsole(t, { host, browser: await startBrowser(t) }, 'realms/demo/providers');
    await signIn(page);
    await page.getByText('npm run console', { exact: true }).waitFor();
    t.deepEqual(await axeFindings(page), []);
    await install();
    await page.reload();
    const link = page.getByRole('link', { name: /Keycloak’s console/ });
    await shows(t, () => link.getAttribute('href'), `${host.publicUrl}/admin/master/console/#/demo`);
    await done();
  },
);
