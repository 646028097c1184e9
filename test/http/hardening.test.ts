import { connect } from 'node:net';
import test from 'ava';
import { fetchAnswer, startHost, type TestHost } from '../helpers/host.js';
import { testRealm } from '../helpers/realms.js';

/** What a raw request is answered with; the connection may also just be closed. */
function raw(host: TestHost, text: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(Number(new URL(host.url).port), '127.0.0.1', () => socket.write(text));
    let answer = '';
    socket.on('data', (chunk) => {
      answer += String(chunk);
    });
    const done = () => {
      socket.destroy();
      resolve(answer);
    };
    socket.on('close', done);
    socket.on('error', done);
    setTimeout(done, 1500).unref();
  });
}

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`;
const status = (answer: string) => Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1]);
const form = { grant_type: 'client_credentials', client_id: 'svc', client_secret: 'svc-secret' };

test('odd realm names and paths are 400 or 404, never more', async (t) => {
  const host = await startHost(t, { realms: [testRealm('demo')] });
  const paths = [
    '/realms/%',
    '/realms/%zz/',
    '/realms/%ff%fe/',
    '/realms/demo%00',
    '/realms/..%2f..%2fetc/passwd',
    '/realms/%2e%2e/',
  ];
  paths.push(
    '/realms/__proto__',
    '/realms/constructor',
    '/realms/toString',
    '/realms/DEMO',
    '/realms/demo%20',
    '/realms/',
    '/realms',
    '/xyz',
  );
  paths.push(
    '/realms/demo/xyz',
    '/realms/demo/__proto__',
    '/realms/demo/constructor/x',
    '/realms/demo/newsletter/%zz',
    '/admin/xyz',
    '/',
  );
  for (const path of paths) {
    const answer = await raw(host, get(path));
    t.true([400, 404].includes(status(answer)), `${path} ${status(answer)}`);
    t.notRegex(answer, /\bat .*\.js|node_modules|x-powered-by/i, path);
  }
  t.deepEqual((await fetchAnswer(`${host.url}/realms/__proto__`)).json, { error: 'Realm does not exist' } as never);
  const page = await fetchAnswer(`${host.realm('demo')}/<script>alert(1)</script>`, {
    headers: { accept: 'text/html' },
  });
  t.deepEqual([page.status, page.text.includes('<script>')], [404, false]);
});

test('a known path with a wrong method is 405 and says what is allowed', async (t) => {
  const host = await startHost(t, { realms: [testRealm('demo')] });
  const oidc = host.oidc('demo');
  const cases: [string, string, string][] = [
    ['GET', `${oidc}/token`, 'POST, OPTIONS'],
    ['PUT', `${oidc}/token`, 'POST, OPTIONS'],
    ['GET', `${oidc}/revoke`, 'POST, OPTIONS'],
    ['DELETE', `${oidc}/userinfo`, 'GET, POST, HEAD, OPTIONS'],
    ['POST', `${oidc}/certs`, 'GET, HEAD, OPTIONS'],
    ['PATCH', `${host.realm('demo')}/login-actions/action-token`, 'GET, POST, HEAD, OPTIONS'],
    ['DELETE', `${host.realm('demo')}/newsletter/generate-token`, 'POST, OPTIONS'],
  ];
  for (const [method, url, allow] of cases) {
    const answer = await fetchAnswer(url, { method });
    t.deepEqual([answer.status, answer.headers.get('allow')], [405, allow], `${method} ${url}`);
  }
  t.true(
    [405, 501].includes(status(await raw(host, `TRACE /realms/demo HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`))),
  );
  const [head, full] = await Promise.all(['HEAD', 'GET'].map((method) => fetchAnswer(`${oidc}/certs`, { method })));
  t.deepEqual(
    [head?.status, head?.text, head?.headers.get('content-length')],
    [200, '', full?.headers.get('content-length') ?? ''],
  );
});

test('bodies of the wrong kind or size are refused by the endpoint, and the host lives on', async (t) => {
  const host = await startHost(t, { realms: [testRealm('demo')] });
  const url = `${host.oidc('demo')}/token`;
  const post = (body: string | URLSearchParams, headers: Record<string, string> = {}) =>
    fetchAnswer(url, { method: 'POST', body, headers });
  const json = await post(JSON.stringify(form), { 'content-type': 'application/json' });
  t.deepEqual([json.status, json.json.error], [415, 'invalid_request' as never]);
  t.is((await fetchAnswer(url, { method: 'POST' })).status, 415);
  t.is(
    (await fetchAnswer(`${url}?${new URLSearchParams(form)}`, { method: 'POST', body: new URLSearchParams() })).json
      .error_description,
    'Missing form parameter: grant_type' as never,
  );
  t.is((await post(new URLSearchParams({ ...form, pad: 'x'.repeat(300_000) }))).status, 413);
  const many = new URLSearchParams(form);
  for (let i = 0; i < 5000; i += 1) many.append(`p${i}`, '1');
  t.is((await post(many)).status, 400);
  t.is((await post(new URLSearchParams({ ...form, scope: 'x '.repeat(20_000) }))).json.error, 'invalid_scope' as never);
  t.is((await post('grant_type=%zz', { 'content-type': 'application/x-www-form-urlencoded' })).status, 400);
  t.is(
    (await post('grant_type[]=password&a.b=2', { 'content-type': 'application/x-www-form-urlencoded' })).status,
    400,
  );
  t.is((await post(new URLSearchParams(form))).status, 200);
});

test('smuggled, oversized and broken-off requests end with the connection', async (t) => {
  const host = await startHost(t, { realms: [testRealm('demo')] });
  const path =
    'POST /realms/demo/protocol/openid-connect/token HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\n';
  const odd = [
    `${path}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    `${path}Content-Length: 5\r\nContent-Length: 6\r\n\r\nabcde`,
    `${path}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n`,
    `GET /realms/demo HTTP/1.1\r\nHost: x\r\nX: ${'y'.repeat(40_000)}\r\n\r\n`,
  ];
  for (const text of odd) t.true([400, 431].includes(status(await raw(host, text))), text.slice(0, 200));
  await Promise.all(
    Array.from(
      { length: 50 },
      () =>
        new Promise<void>((resolve) => {
          const socket = connect(Number(new URL(host.url).port), '127.0.0.1', () => {
            socket.write(`${path}Content-Length: 500\r\n\r\ngrant_type=pass`);
            setTimeout(() => socket.destroy(), 20);
          });
          socket.on('close', () => resolve());
          socket.on('error', () => resolve());
        }),
    ),
  );
  t.is((await host.token('demo', form)).status, 200);
  t.deepEqual(
    host.log.filter(({ level }) => level === 'error'),
    [],
  );
});

test('unknown realms cost nothing, and every answer carries the security headers', async (t) => {
  const host = await startHost(t, { realms: [testRealm('demo')] });
  for (let i = 0; i < 300; i += 1) t.is((await fetchAnswer(`${host.url}/realms/r${i}`)).status, 404);
  for (const url of [host.realm('demo'), `${host.url}/xyz`, `${host.realm('demo')}/login-actions/action-token?key=x`]) {
    const { headers } = await fetchAnswer(url);
    t.is(headers.get('x-content-type-options'), 'nosniff');
    t.is(headers.get('referrer-policy'), 'no-referrer');
    t.truthy(headers.get('x-frame-options'));
    t.is(headers.get('strict-transport-security'), null);
  }
});
