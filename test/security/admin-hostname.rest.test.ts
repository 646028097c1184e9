import test, { type ExecutionContext } from 'ava';
import { administered, ROOT } from '../helpers/admin.js';
import { signIn } from '../helpers/admin-console.js';
import { answering, answeringPlugin } from '../helpers/answering-plugin.js';
import { browserTest, startBrowser } from '../helpers/browser.js';
import { codeRequest } from '../helpers/form-browser.js';
import type { TestHost } from '../helpers/host.js';
import { rawBody, rawRequest, rawStatus } from '../helpers/raw.js';
import { ALICE, testRealm } from '../helpers/realms.js';
import { shareHost } from '../helpers/shared-host.js';

const PUBLIC = 'http://id.localhost';
const ADMIN = 'http://admin.localhost';
const CONSOLE_URL = `${ADMIN}/admin/desk/`;

const host = shareHost(
  test,
  administered({
    realms: [testRealm('demo', { providers: answering('plain') })],
    plugins: [{ module: 'plain' }],
    packages: { plain: answeringPlugin('plain') },
    argv: ['--hostname', PUBLIC, '--hostname-admin', ADMIN],
  }),
);

const OF_ADMINS = [
  '/admin',
  '/admin/',
  '/admin/desk/',
  '/admin/desk/realms/demo/users',
  '/admin/openapi.json',
  '/admin/serverinfo',
  '/admin/realms',
  '/admin/realms/demo',
  '/admin/demo/console/',
  '/admin/master/console/whoami',
];
const OF_EVERYBODY = [
  '/',
  '/realms/demo',
  '/realms/demo/protocol/openid-connect/auth',
  '/realms/demo/.well-known/openid-configuration',
  '/realms/demo/account',
  '/realms/demo/plain/document?type=text/html&text=x',
  '/realms/master/protocol/openid-connect/certs',
];

/** Sends a raw request to the host's address, because the names in the tests do not resolve. */
function sent(...lines: string[]): Promise<string> {
  return rawRequest(host().url, `${lines.join('\r\n')}\r\nConnection: close\r\n\r\n`);
}

const asked = (name: string, path: string, ...lines: string[]) =>
  sent(`GET ${path} HTTP/1.1`, `Host: ${name}`, ...lines);
const statusAt = async (name: string, path: string, ...lines: string[]) => rawStatus(await asked(name, path, ...lines));

test('T510 · --hostname-admin: the admin endpoints are at that name alone, and nothing else is', async (t) => {
  for (const path of OF_ADMINS) {
    t.not(await statusAt('admin.localhost', path), 404, path);
    t.is(await statusAt('id.localhost', path), 404, path);
  }
  for (const path of OF_EVERYBODY) {
    t.is(await statusAt('admin.localhost', path), 404, path);
    t.not(await statusAt('id.localhost', path), 404, path);
  }
});

test('T511 · --hostname-admin: no other name or spelling of a request reaches the admin console or the API, whatever its headers', async (t) => {
  const strange = ['127.0.0.1', 'localhost', 'admin.localhost.', 'admin.localhost:8080', 'admin.localhost.evil.test'];
  for (const name of [...strange, 'evil.admin.localhost', 'xadmin.localhost', 'id.localhost:80'])
    for (const path of ['/admin/desk/', '/admin/realms']) t.is(await statusAt(name, path), 404, name);
  for (const name of ['admin.localhost', 'ADMIN.localhost', 'admin.localhost:80'])
    t.is(await statusAt(name, '/admin/realms'), 401, name);
  for (const header of [
    'X-Forwarded-Host: admin.localhost',
    'Forwarded: host=admin.localhost',
    'X-Host: admin.localhost',
  ])
    t.is(await statusAt('id.localhost', '/admin/realms', header), 404, header);
  for (const path of [
    '/%61dmin/realms',
    '//admin/realms',
    '/admin%2frealms',
    '/./admin/realms',
    '/realms/../admin/realms',
    '/ADMIN/realms',
  ])
    t.true([400, 404].includes(await statusAt('id.localhost', path)), path);
  const statusOf = async (...lines: string[]) => rawStatus(await sent(...lines));
  t.is(await statusOf('GET http://admin.localhost/admin/realms HTTP/1.1', 'Host: id.localhost'), 400);
  t.is(await statusOf('GET /admin/realms HTTP/1.1', 'Host: id.localhost', 'Host: admin.localhost'), 400);
  t.is(await statusOf('GET /admin/realms HTTP/1.0'), 404);
});

test('T512 · --hostname-admin: the client of the admin console comes back to that origin alone, and tokens stay those of the public address', async (t) => {
  const at = async (redirect_uri: string) => {
    const { url } = codeRequest(host(), { client_id: 'keyhost-desk', redirect_uri }, 'master');
    const { pathname, search } = new URL(url);
    return statusAt('id.localhost', pathname + search);
  };
  t.is(await at(CONSOLE_URL), 200);
  for (const other of [
    `${PUBLIC}/admin/desk/`,
    `${host().url}/admin/desk/`,
    `${ADMIN}/`,
    `${ADMIN}/realms/demo/plain/document`,
  ])
    t.is(await at(other), 400, other);
  const answer = await asked('id.localhost', '/realms/demo/.well-known/openid-configuration');
  t.regex(answer, /"issuer":"http:\/\/id\.localhost\/realms\/demo"/);
  t.notRegex(answer, /admin\.localhost/);
});

async function adminToken({ token }: TestHost): Promise<string> {
  const { json } = await token('master', { grant_type: 'password', client_id: 'admin-cli', ...ROOT });
  return json.access_token ?? '';
}

test('T513 · --hostname-admin: the pages of the admins ask the login of the public address, and it answers their origin', async (t) => {
  const answer = await asked('admin.localhost', '/admin/desk/');
  t.regex(answer, /connect-src 'self' http:\/\/id\.localhost; .*form-action 'self' http:\/\/id\.localhost;/);
  t.true(rawBody(answer).includes('<meta name="login" content="http://id.localhost/"'));
  const preflight = async (origin: string) => {
    const path = '/realms/master/protocol/openid-connect/token';
    const told = await sent(`OPTIONS ${path} HTTP/1.1`, 'Host: id.localhost', `Origin: ${origin}`);
    return /access-control-allow-origin: (\S+)/i.exec(told)?.[1];
  };
  t.is(await preflight(ADMIN), ADMIN);
  t.is(await preflight('http://evil.localhost'), undefined);
  const authorization = `Authorization: Bearer ${await adminToken(host())}`;
  t.is(await statusAt('admin.localhost', '/admin/realms/demo', authorization), 200);
  t.is(await statusAt('id.localhost', '/admin/realms/demo', authorization), 404);
  const impersonation = `POST /admin/realms/demo/users/${ALICE}/impersonation HTTP/1.1`;
  const impersonated = await sent(impersonation, 'Host: admin.localhost', authorization, 'Content-Length: 0');
  t.is(rawStatus(impersonated), 400);
  t.regex(impersonated, /this request uses --hostname-admin/);
  t.notRegex(impersonated, /set-cookie/i, 'no session of a user is handed to the origin of the admins');
  const openapi = await asked('admin.localhost', '/admin/openapi.json');
  t.regex(openapi, /"servers":\[\{"url":"http:\/\/admin\.localhost\/admin"\}\]/);
});

/** A browser that resolves the two names to the host. */
async function browserOf(t: ExecutionContext) {
  const { host: address } = new URL(host().url);
  return startBrowser(t, [`--host-resolver-rules=MAP *.localhost:80 ${address}`]);
}

browserTest(
  'T514 · --hostname-admin: an admin signs in at the admin console of its own origin, reloads, works and signs out',
  async (t) => {
    const page = await (await browserOf(t)).newPage();
    const wrong: string[] = [];
    page.on('console', (message) => message.type() === 'error' && wrong.push(message.text()));
    await page.goto(`${ADMIN}/admin`);
    await signIn(page);
    t.true(page.url().startsWith(CONSOLE_URL), page.url());
    await page.goto(`${CONSOLE_URL}realms/demo/users`);
    await page.getByRole('link', { name: 'alice', exact: true }).waitFor();
    t.is(page.url(), `${CONSOLE_URL}realms/demo/users`, 'signed in without a word');
    await page.locator('.account summary').click();
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await page.getByText('You are signed out.').waitFor();
    t.true(page.url().startsWith(CONSOLE_URL), page.url());
    t.deepEqual(wrong, []);
  },
);
