import { createHash, randomBytes } from 'node:crypto';
import { request } from 'node:http';
import test, { type ExecutionContext } from 'ava';
import { adminCaller, administered } from '../helpers/admin.js';
import { fetchAnswer, startHost, TestClock, type TestHost } from '../helpers/host.js';
import { testRealm } from '../helpers/realms.js';

const PATH = '/login-actions/console-login';

async function started(t: ExecutionContext) {
  const clock = new TestClock();
  const host = await startHost(t, { ...administered({ realms: [testRealm('demo')] }), clock });
  const call = await adminCaller(host);
  await call('PUT', '/realms/master/events/config', { eventsEnabled: true });
  return { host, clock };
}

const bearer = ({ managementSecret }: TestHost) => ({ authorization: `Bearer ${managementSecret}` });

/** A key, as `keyhost console` gets one. */
async function issued(host: TestHost): Promise<{ key: string; id: string }> {
  const { json } = await fetchAnswer(`${host.managementUrl}/console?realm=master`, {
    method: 'POST',
    headers: bearer(host),
  });
  return json as unknown as { key: string; id: string };
}

/** Requests the key's URL with arbitrary headers, some of which `fetch` does not send. */
function follow(host: TestHost, key: string, headers: Record<string, string> = {}, realm = 'master', method = 'GET') {
  return new Promise<{ status: number; cookies: string[] }>((resolve, reject) => {
    const url = `${host.url}/realms/${realm}${PATH}?key=${encodeURIComponent(key)}`;
    const asked = request(url, { method, headers }, (answer) => {
      answer.resume();
      answer.once('end', () =>
        resolve({ status: answer.statusCode ?? 0, cookies: answer.headers['set-cookie'] ?? [] }),
      );
    });
    asked.once('error', reject).end();
  });
}

async function signsIn(t: ExecutionContext, host: TestHost, key: string, expected: boolean, ...more: unknown[]) {
  const { status, cookies } = await follow(host, key, ...(more as [Record<string, string>?, string?]));
  t.is(status, expected ? 302 : 400);
  t.is(
    cookies.some((cookie) => /^KEYCLOAK_IDENTITY=[^;]/.test(cookie)),
    expected,
  );
}

test('console sign-in: a key signs in once, within a minute, in its realm, and is an event', async (t) => {
  const { host, clock } = await started(t);
  const { key } = await issued(host);
  t.is(Buffer.from(key, 'base64url').length, 32);
  // In another realm the key is unknown and is not used up.
  await signsIn(t, host, key, false, {}, 'demo');
  await signsIn(t, host, key, true);
  await signsIn(t, host, key, false);
  const late = await issued(host);
  clock.forward(59);
  const other = await issued(host);
  clock.forward(2);
  await signsIn(t, host, late.key, false);
  // Only one of two concurrent requests succeeds.
  const both = await Promise.all([follow(host, other.key), follow(host, other.key)]);
  t.deepEqual(both.map(({ status }) => status).sort(), [302, 400]);
  const events = await host.stored('master');
  t.like(
    events.find(({ type, clientId }) => type === 'LOGIN' && clientId === 'keyhost-desk'),
    {
      details: { username: 'root', auth_method: 'console' },
    },
  );
  t.like(
    events.find(({ type }) => type === 'LOGIN_ERROR'),
    { error: 'invalid_code', clientId: 'keyhost-desk' },
  );
  t.false(JSON.stringify([events, host.log]).includes(key));
});

test('console sign-in: a proxy, another host name, a prefetch and a guess sign in nobody, and use up nothing', async (t) => {
  const { host } = await started(t);
  const { key, id } = await issued(host);
  const port = new URL(host.url).port;
  for (const headers of [
    { 'x-forwarded-for': '203.0.113.7' },
    { 'x-forwarded-host': 'localhost' },
    { forwarded: 'for=127.0.0.1' },
    { 'x-real-ip': '127.0.0.1' },
    { via: '1.1 proxy' },
    { host: 'id.example.com' },
    { host: `localhost.example.com:${port}` },
    { host: `127.0.0.1.nip.io:${port}` },
  ] as Record<string, string>[]) {
    await signsIn(t, host, key, false, headers);
  }
  for (const headers of [{ 'sec-purpose': 'prefetch;prerender' }, { purpose: 'prefetch' }] as Record<
    string,
    string
  >[]) {
    t.is((await follow(host, key, headers)).status, 204);
  }
  t.is((await follow(host, key, {}, 'master', 'HEAD')).status, 200);
  // A random key, the stored hash, no key and two keys.
  for (const guess of [randomBytes(32).toString('base64url'), id, createHash('sha256').update(key).digest('hex'), ''])
    await signsIn(t, host, guess, false);
  const twice = await fetchAnswer(`${host.url}/realms/master${PATH}?key=${key}&key=x`, { redirect: 'manual' });
  t.is(twice.status, 400);
  await signsIn(t, host, key, true, { host: `localhost:${port}` });
});

test('console sign-in: only a caller with the secret of the data directory gets a key', async (t) => {
  const { host } = await started(t);
  const call = await adminCaller(host);
  const token = /"access_token":"([^"]+)"/.exec(
    (
      await host.token('master', {
        grant_type: 'password',
        client_id: 'admin-cli',
        username: 'root',
        password: 'root-password',
      })
    ).text,
  )?.[1];
  const url = `${host.managementUrl}/console?realm=master`;
  for (const headers of [{}, { authorization: 'Bearer guess' }, { authorization: `Bearer ${token}` }] as Record<
    string,
    string
  >[]) {
    const answer = await fetchAnswer(url, { method: 'POST', headers });
    t.is(answer.status, 401);
    t.notRegex(answer.text, /key/);
  }
  t.is((await fetchAnswer(url, { headers: bearer(host) })).status, 405);
  t.is((await fetchAnswer(`${host.managementUrl}/console/x`)).status, 401);
  // The same is true of the names that a realm has.
  const names = `${host.managementUrl}/taken?realm=master&client=admin-cli&scope=groups`;
  t.is((await fetchAnswer(names)).status, 401);
  t.is((await fetchAnswer(names, { method: 'POST', headers: bearer(host) })).status, 405);
  t.is((await fetchAnswer(names, { headers: bearer(host) })).text, '{"client":true,"scope":false}');
  // A client scope of another protocol also counts as existing.
  const saml = { name: 'marks', protocol: 'saml' };
  t.is((await call('POST', '/realms/master/client-scopes', saml)).status, 201);
  const marks = `${host.managementUrl}/taken?realm=master&client=nobody&scope=marks`;
  t.is((await fetchAnswer(marks, { headers: bearer(host) })).text, '{"client":false,"scope":true}');
  // The public HTTP port issues no keys.
  t.is((await call('POST', '/console')).status, 404);
  t.is((await fetchAnswer(`${host.url}/console?realm=master`, { method: 'POST', headers: bearer(host) })).status, 404);
  // An administrator who is disabled or demoted meanwhile is not signed in.
  const { key } = await issued(host);
  const [root] = (await call('GET', '/realms/master/users?username=root')).json as unknown as { id: string }[];
  const second = { username: 'second', enabled: true, credentials: [{ type: 'password', value: 'x' }] };
  const made = await call('POST', '/realms/master/users', second);
  const role = (await call('GET', '/realms/master/roles/admin')).json;
  const secondPath = `/realms/master/users/${made.headers.get('location')?.split('/').pop()}`;
  await call('POST', `${secondPath}/role-mappings/realm`, [role]);
  t.is((await call('PUT', `/realms/master/users/${root?.id}`, { enabled: false })).status, 204);
  await signsIn(t, host, key, false);
});
