import test from 'ava';
import { type Answer, fetchAnswer, startHost } from '../helpers/host.js';
import { follow, issueKey, logIn, SVC, userinfo } from '../helpers/login.js';
import { rawGet, rawRequest, rawStatus } from '../helpers/raw.js';
import { guardedRealm, testRealm } from '../helpers/realms.js';
import { shareHost } from '../helpers/shared-host.js';

const host = shareHost(test, { realms: [testRealm('demo')] });
const form = { ...SVC, grant_type: 'client_credentials' };

/** Every endpoint, with its allowed methods. */
const ENDPOINTS: readonly (readonly [string, string])[] = [
  ['', 'GET, HEAD, OPTIONS'],
  ['/.well-known/openid-configuration', 'GET, HEAD, OPTIONS'],
  ['/protocol/openid-connect/certs', 'GET, HEAD, OPTIONS'],
  ['/protocol/openid-connect/token', 'POST, OPTIONS'],
  ['/protocol/openid-connect/token/introspect', 'POST, OPTIONS'],
  ['/protocol/openid-connect/revoke', 'POST, OPTIONS'],
  ['/protocol/openid-connect/userinfo', 'GET, POST, HEAD, OPTIONS'],
  ['/protocol/openid-connect/auth/device', 'POST, OPTIONS'],
  ['/device', 'GET, POST, HEAD, OPTIONS'],
  ['/device/status', 'GET, HEAD, OPTIONS'],
  ['/login-actions/action-token', 'GET, POST, HEAD, OPTIONS'],
  ['/newsletter/generate-token', 'POST, OPTIONS'],
];

/** A stack trace, a source file, or the name of the server software. */
const TELLS = /\bat .*\.[jt]s\b|node_modules|core\/|x-powered-by|\nserver:|root:.*:0:0/i;

test('T200 · HTTP: a wrong method is 405 with Allow, in JSON, at every endpoint', async (t) => {
  for (const [path, allow] of ENDPOINTS) {
    const refused = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].filter((method) => !allow.split(', ').includes(method));
    t.true(refused.length >= 3, path);
    for (const method of refused) {
      const answer = await fetchAnswer(`${host().realm('demo')}${path}`, { method });
      t.deepEqual([answer.status, answer.headers.get('allow')], [405, allow], `${method} ${path}`);
      t.is(answer.headers.get('content-type'), 'application/json');
      t.is(answer.json.error, 'HTTP 405 Method Not Allowed');
    }
    for (const method of ['TRACE', 'PROPFIND', 'SEARCH']) {
      const request = `${method} /realms/demo${path} HTTP/1.1\r\nHost: x\r\nX-Echo: y\r\nConnection: close\r\n\r\n`;
      const answer = await rawRequest(host().url, request);
      t.is(rawStatus(answer), 405, `${method} ${path}`);
      t.false(answer.includes('X-Echo'));
    }
    const options = await fetchAnswer(`${host().realm('demo')}${path}`, { method: 'OPTIONS' });
    t.deepEqual([options.status, options.headers.get('allow'), options.text], [204, allow, ''], path);
  }
});

test('T201 · HTTP: HEAD has the headers of GET and no body', async (t) => {
  for (const path of ['', '/.well-known/openid-configuration', '/protocol/openid-connect/certs', '/nothing']) {
    const url = `${host().realm('demo')}${path}`;
    const [head, full] = await Promise.all([fetchAnswer(url, { method: 'HEAD' }), fetchAnswer(url)]);
    const headers = ({ headers }: Answer) =>
      [...headers].filter(([name]) => !/^(date|connection|keep-alive)$/.test(name));
    t.deepEqual([head.status, head.text, headers(head)], [full.status, '', headers(full)], path);
    t.true(full.text.length > 0);
  }
});

test('T202 · HTTP: an unknown path is 404: JSON for programs, a page for browsers', async (t) => {
  const paths = ['/realms/demo/xyz', '/realms/demo/protocol/xyz', '/realms/demo/login-actions/xyz', '/admin/xyz'];
  for (const path of [...paths, '/xyz', '/realms', '/realms/', '/realms/demo/newsletter/nothing']) {
    const json = await fetchAnswer(`${host().url}${path}`, { headers: { accept: 'application/json' } });
    t.deepEqual([json.status, json.headers.get('content-type')], [404, 'application/json'], path);
    t.is(typeof json.json.error, 'string');
    const page = await fetchAnswer(`${host().url}${path}`, { headers: { accept: 'text/html,*/*;q=0.8' } });
    t.deepEqual([page.status, page.headers.get('content-type')], [404, 'text/html; charset=utf-8'], path);
    t.notRegex(json.text + page.text, TELLS);
  }
});

test('T203 · HTTP: every answer has the security headers, errors and pages included', async (t) => {
  const second = await startHost(t, { realms: [guardedRealm('demo', { confirm: true })] });
  const at = (path: string, init?: RequestInit) => fetchAnswer(`${host().realm('demo')}${path}`, init);
  const html = { headers: { accept: 'text/html' } };
  const tokens = await logIn(host());
  const answers: [string, Answer][] = [
    ['realm', await at('')],
    ['not found', await at('/xyz')],
    ['no realm', await fetchAnswer(`${host().url}/realms/nope`)],
    ['wrong method', await at('/protocol/openid-connect/token')],
    ['token', await host().token('demo', form)],
    ['token error', await host().token('demo', {})],
    ['userinfo', await userinfo(host(), tokens.access_token)],
    ['userinfo error', await userinfo(host(), 'x')],
    ['broken path', await fetchAnswer(`${host().url}/realms/%zz`)],
    ['key error', await at('/login-actions/action-token?key=x')],
    ['error page', await at('/login-actions/action-token?key=x', html)],
    ['not found page', await at('/xyz', html)],
    ['confirm page', await follow(second, await issueKey(second), { accept: 'text/html' })],
  ];
  for (const [name, { headers }] of answers) {
    t.is(headers.get('x-content-type-options'), 'nosniff', name);
    t.is(headers.get('referrer-policy'), 'no-referrer', name);
    t.regex(headers.get('x-frame-options') ?? '', /^(SAMEORIGIN|DENY)$/, name);
    t.deepEqual([headers.get('x-powered-by'), headers.get('server')], [null, null], name);
    t.is(headers.get('strict-transport-security'), null, 'not over plain http');
    if (/token|key|page|userinfo$/.test(name)) t.regex(headers.get('cache-control') ?? '', /no-store/, name);
    if (!name.endsWith('page')) continue;
    const policy = headers.get('content-security-policy') ?? '';
    t.regex(policy, /default-src 'none'.*frame-ancestors 'none'/, name);
    t.notRegex(policy, /script/, name);
  }
});

test('T204 T205 T206 · HTTP: odd paths and realm names are 400 or 404 and reach no file', async (t) => {
  const encoded = ['/realms/%', '/realms/%zz/', '/realms/%ff%fe/', '/realms/demo%00', '/realms/demo/newsletter/%zz'];
  const traversing = ['/realms/..%2f..%2fetc/passwd', '/realms/%2e%2e/', '/realms/../package.json', '/%2e%2e/%2e%2e/x'];
  const files = ['/resources/../../package.json', '/resources/%252e%252e/package.json', '/realms/C:%5Cx', '/..%5cx'];
  const names = [
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
    'DEMO',
    'Demo',
    'demo%20',
    '%20demo',
    'demo.',
  ];
  const wide = [
    '%EF%BD%84%EF%BD%85%EF%BD%8D%EF%BD%8F',
    'd%C3%A9mo',
    'demo%E2%80%8B',
    'demo%0a',
    "'or'1'='1",
    'a'.repeat(5000),
  ];
  const resources = ['__proto__', 'constructor/x', 'hasOwnProperty', 'newsletter/__proto__', 'newsletter/constructor'];
  const paths = [
    ...encoded,
    ...traversing,
    ...files,
    ...[...names, ...wide].flatMap((name) => [`/realms/${name}`, `/realms/${name}/.well-known/openid-configuration`]),
    ...resources.map((path) => `/realms/demo/${path}`),
  ];
  for (const path of paths) {
    const answer = await rawGet(host().url, path);
    t.true([400, 404].includes(rawStatus(answer)), `${path} ${rawStatus(answer)}`);
    t.notRegex(answer, TELLS, path);
    t.false(answer.includes('"issuer"'), path);
  }
  const missing = { error: 'Realm does not exist' };
  for (const name of ['__proto__', 'constructor', 'DEMO'])
    t.deepEqual((await fetchAnswer(`${host().url}/realms/${name}`)).json, missing, name);
});

test('T214 T215 · HTTP: the caller’s address is the socket’s, or the one word of a trusted proxy', async (t) => {
  const plain = testRealm('demo', { sslRequired: 'none' });
  const seenBy = async (argv: string[], headers: Record<string, string>) => {
    const proxied = await startHost(t, { realms: [plain], argv });
    t.is((await proxied.token('demo', form, headers)).status, 200);
    await proxied.events.flush();
    const [event] = await proxied.store.events.query('demo', { kind: 'user', max: 1 });
    return event?.ipAddress;
  };
  const evil = [
    'evil.test',
    'x'.repeat(10_000),
    Array.from({ length: 1000 }, (_, i) => `10.0.0.${i % 256}`).join(','),
    '1.2.3.4, evil.test',
    '127.1',
    '0x7f000001',
    ', ',
  ];
  for (const name of ['x-forwarded-for', 'x-real-ip', 'client-ip'])
    t.is(await seenBy([], { [name]: '1.2.3.4' }), '127.0.0.1', name);
  t.is(await seenBy([], { forwarded: 'for=1.2.3.4' }), '127.0.0.1');
  const trusting = await startHost(t, { realms: [plain], argv: ['--proxy-headers', 'xforwarded'] });
  for (const value of [...evil, '9.9.9.9, 1.2.3.4'])
    t.is((await trusting.token('demo', form, { 'x-forwarded-for': value })).status, 200);
  await trusting.events.flush();
  const events = await trusting.store.events.query('demo', { kind: 'user', max: 20 });
  const addresses = events.map(({ ipAddress }) => ipAddress);
  t.deepEqual([...new Set(addresses)].sort(), ['1.2.3.4', '127.0.0.1'], 'the last entry, when it is an address');
  t.is(addresses.filter((address) => address === '1.2.3.4').length, 1);
  const forwarded = ['--proxy-headers', 'forwarded'];
  t.is(await seenBy(forwarded, { forwarded: 'for="[2001:db8::1]:4711";proto=https' }), '2001:db8::1');
  for (const value of ['for=evil.test', 'for='.repeat(2500), 'for=_hidden', 'for=unknown'])
    t.is(await seenBy(forwarded, { forwarded: value }), '127.0.0.1', value.slice(0, 20));
  t.is(
    await seenBy(forwarded, { 'x-forwarded-for': '1.2.3.4' }),
    '127.0.0.1',
    'a header that no proxy was said to set',
  );
});
