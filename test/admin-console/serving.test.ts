import test from 'ava';
import { ReadConsole } from '../../core/admin-console/module.js';
import { replacing } from '../../core/di/module.js';
import { adminClient, administered } from '../helpers/admin.js';
import { fetchAnswer, startHost } from '../helpers/host.js';
import { testRealm } from '../helpers/realms.js';
import { shareHost } from '../helpers/shared-host.js';

const host = shareHost(test, administered({ realms: [testRealm('demo'), testRealm('desk')] }));

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; " +
  "form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'";

/** Addresses of files that a page names. */
const filesOf = (html: string) => [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address = '']) => address);

test('admin console: /admin leads to it', async (t) => {
  for (const path of ['/admin', '/admin/', '/admin/desk']) {
    const { status, headers } = await fetchAnswer(host().url + path);
    t.deepEqual([status, headers.get('location')], [302, '/admin/desk/'], path);
  }
  const { headers } = await fetchAnswer(`${host().url}/admin?realm=demo`);
  t.is(headers.get('location'), '/admin/desk/?realm=demo', 'a link says which realm is meant');
});

test('admin console: every path answers its one page, which is not cached or framed and loads nothing from other origins', async (t) => {
  for (const path of ['', 'plugins', 'realms/demo/providers/a/b', 'nothing/here']) {
    const { status, headers, text } = await fetchAnswer(`${host().url}/admin/desk/${path}`);
    t.is(status, 200);
    t.is(headers.get('content-type'), 'text/html; charset=utf-8');
    t.is(headers.get('content-security-policy'), POLICY);
    t.is(headers.get('cache-control'), 'no-store');
    t.is(headers.get('cross-origin-opener-policy'), 'same-origin');
    t.is(headers.get('referrer-policy'), 'no-referrer');
    t.is(headers.get('x-frame-options'), 'DENY');
    t.false(/<script(?![^>]*src=)/.test(text), 'no script stands in the page');
    t.true(
      filesOf(text).every((address) => address.startsWith('/admin/desk/assets/')),
      text,
    );
  }
});

test('admin console: its files can be cached forever, and are sent as the build compressed them', async (t) => {
  const { text } = await fetchAnswer(`${host().url}/admin/desk/`);
  const script = filesOf(text).find((address) => address.endsWith('.js')) ?? '';
  const plain = await fetchAnswer(host().url + script, { headers: { 'accept-encoding': 'identity' } });
  t.is(plain.headers.get('cache-control'), 'public, max-age=31536000, immutable');
  t.is(plain.headers.get('content-type'), 'text/javascript; charset=utf-8');
  for (const encoding of ['br', 'gzip']) {
    const packed = await fetchAnswer(host().url + script, { headers: { 'accept-encoding': encoding } });
    t.is(packed.headers.get('content-encoding'), encoding);
    t.is(packed.headers.get('vary'), 'Accept-Encoding');
    t.is(packed.text, plain.text);
  }
  const head = await fetchAnswer(host().url + script, { method: 'HEAD' });
  t.deepEqual([head.status, head.text], [200, '']);
});

test('admin console: a missing file is 404 as for other paths, and a request writes nothing', async (t) => {
  for (const path of ['assets/none.js', 'assets/..%2findex.html', 'assets/']) {
    const { status, json } = await fetchAnswer(`${host().url}/admin/desk/${path}`);
    t.deepEqual([status, json], [404, { error: 'HTTP 404 Not Found' }], path);
  }
  const { status, headers } = await fetchAnswer(`${host().url}/admin/desk/`, { method: 'POST' });
  t.deepEqual([status, headers.get('allow')], [405, 'GET, HEAD']);
});

test('admin console: paths of the API stay the API’s, including those of a realm called desk', async (t) => {
  t.is((await fetchAnswer(`${host().url}/admin/realms`)).status, 401);
  t.is((await fetchAnswer(`${host().url}/admin/nothing`)).status, 404);
  const admin = await adminClient(host(), { realm: 'desk', username: 'dave', password: 'Dave-pass-1!' });
  const { json } = await fetchAnswer(`${host().url}/admin/desk/console/whoami`, {
    headers: { authorization: `Bearer ${await admin.getAccessToken()}` },
  });
  t.is(json.realm, 'desk');
});

test('admin console: below a path prefix of a proxy, it finds its files', async (t) => {
  const below = await startHost(t, { argv: ['--http-relative-path', '/auth'] });
  const { headers } = await fetchAnswer(`${below.url}/admin/`);
  t.is(headers.get('location'), '/auth/admin/desk/');
  const { text } = await fetchAnswer(`${below.url}/admin/desk/plugins`);
  for (const address of filesOf(text)) {
    t.true(address.startsWith('/auth/admin/desk/assets/'), address);
    t.is((await fetchAnswer(new URL(address, below.url).href)).status, 200, address);
  }
});

test('admin console: a public address with a path prefixes its files', async (t) => {
  const proxied = await startHost(t, { argv: ['--hostname', 'https://login.example.test/id'] });
  const { text } = await fetchAnswer(`${proxied.url}/admin/desk/`);
  t.true(
    filesOf(text).every((address) => address.startsWith('/id/admin/desk/assets/')),
    text,
  );
});

test('admin console: a host whose console was not built names the command', async (t) => {
  const unbuilt = await startHost(t, { replace: [replacing(ReadConsole, async () => undefined)] });
  const { status, text } = await fetchAnswer(`${unbuilt.url}/admin/desk/`);
  t.is(status, 503);
  t.regex(text, /^The admin console is not built: run "npm run build" .*\n$/);
});
