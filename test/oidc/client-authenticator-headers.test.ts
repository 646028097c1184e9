import { request } from 'node:http';
import test from 'ava';
import { adminCaller, startAdministered } from '../helpers/admin.js';
import { type Answer, fetchAnswer, startHost, type TestHost } from '../helpers/host.js';
import { pluginSource } from '../helpers/plugins.js';
import { testRealm } from '../helpers/realms.js';

/** Clients that send their key in a header. */
const KEYS = pluginSource(import.meta.url, 'plugins/keys.js');
/** Another plugin: which headers it gets, and whether its own token request forwards them. */
const NOSY = pluginSource(import.meta.url, 'plugins/nosy.js');

const KEY = 'the-key-of-the-job';
const ORIGIN = 'https://job.example';
const job = {
  clientId: 'job',
  clientAuthenticatorType: 'api-key',
  serviceAccountsEnabled: true,
  standardFlowEnabled: false,
  attributes: { 'api.key': KEY },
  webOrigins: [ORIGIN],
};

function realm(name: string, own: object = {}) {
  const on = { enabled: true };
  const made = testRealm(name, { providers: { 'realm-restapi-extension': { own: on, nosy: on } }, ...own });
  return { ...made, clients: [...(made.clients ?? []), job] };
}

const start = (t: Parameters<typeof startHost>[0], isolation: string) =>
  startAdministered(t, {
    realms: [realm('demo')],
    plugins: ['keys', 'nosy'].map((module) => ({ module, isolation })),
    packages: { keys: KEYS, nosy: NOSY },
  });

const ask = (host: TestHost, headers: Record<string, string>): Promise<Answer> =>
  host.token('demo', { grant_type: 'client_credentials', client_id: 'job' }, headers);

/** The status of a token request with these headers, sent as they are. */
function raw(host: TestHost, headers: readonly string[]): Promise<number> {
  const body = 'grant_type=client_credentials&client_id=job';
  const type = [
    'host',
    'localhost',
    'content-type',
    'application/x-www-form-urlencoded',
    'content-length',
    String(body.length),
  ];
  return new Promise((resolve, reject) => {
    const sent = request(`${host.oidc('demo')}/token`, { method: 'POST', headers: [...type, ...headers] }, (answer) => {
      answer.resume();
      resolve(answer.statusCode ?? 0);
    });
    sent.on('error', reject).end(body);
  });
}

for (const isolation of ['none', 'worker']) {
  test(`client authenticators, headers: a client proves itself by a header of its own, wherever clients do, and no log has it (${isolation})`, async (t) => {
    const host = await start(t, isolation);
    t.is((await ask(host, { 'x-api-key': KEY })).status, 200);
    t.is((await ask(host, { 'X-API-Key': 'another' })).json.error, 'invalid_client');
    t.is((await ask(host, { 'x-api-key': '' })).status, 401);
    t.is((await ask(host, {})).status, 401);
    t.is((await ask(host, { 'x-acme-proof': 'proof-of-acme', 'x-other': 'x', 'x-api-key': KEY })).status, 200);
    const asked = host.log.filter(({ message }) => message === 'asked').map(({ fields }) => fields as { seen: string });
    t.deepEqual([...new Set(asked.map(({ seen }) => seen))].sort(), ['', 'x-api-key', 'x-api-key x-acme-proof']);
    const call = await adminCaller(host);
    const { text } = await call('GET', '/plugins/log?module=keys');
    t.regex(text, /asked/);
    t.notRegex(text, /the-key-of|proof-of-acme|another/);
    // A repeated header is ambiguous, and a very long one is no key.
    t.is(await raw(host, ['x-api-key', KEY]), 200);
    t.is(await raw(host, ['x-api-key', KEY, 'x-api-key', KEY]), 401);
    t.is(await raw(host, ['x-api-key', 'x'.repeat(8193)]), 401);
    const form = new URLSearchParams({ client_id: 'job', token: 'x' });
    for (const path of ['revoke', 'token/introspect']) {
      const send = async (key: string) =>
        (
          await fetchAnswer(`${host.oidc('demo')}/${path}`, {
            method: 'POST',
            body: form,
            headers: { 'x-api-key': key },
          })
        ).status;
      t.deepEqual([await send(KEY), await send('no')], [200, 401], path);
    }
    // A plugin's route that requires a client: Basic names it, and the header proves it.
    const basic = `Basic ${Buffer.from('job:').toString('base64')}`;
    const who = (headers: Record<string, string>) => fetchAnswer(`${host.realm('demo')}/nosy/who`, { headers });
    t.deepEqual((await who({ authorization: basic, 'x-api-key': KEY })).json as unknown, { clientId: 'job' });
    t.is((await who({ authorization: basic })).status, 401);
  });

  test(`client authenticators, headers: the header is for its own plugin: no other sees it, and no token request of another carries it on (${isolation})`, async (t) => {
    const host = await start(t, isolation);
    const headers = { 'x-api-key': KEY, 'x-other': 'x' };
    const get = async (path: string) =>
      (await fetchAnswer(`${host.realm('demo')}/${path}`, { headers })).json as unknown;
    t.deepEqual(await get('nosy'), { key: null, other: 'x' });
    t.deepEqual(await get('own'), { key: KEY, other: 'x' });
    t.deepEqual(await get('nosy/token'), { status: 401 });
  });
}

test('client authenticators, headers: pages of the realm’s clients may send the header', async (t) => {
  const host = await start(t, 'none');
  const preflight = async (path: string, origin = ORIGIN) => {
    const headers = { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'x-api-key' };
    const answer = await fetchAnswer(`${host.realm('demo')}/${path}`, { method: 'OPTIONS', headers });
    return answer.headers.get('access-control-allow-headers');
  };
  for (const path of ['protocol/openid-connect/token', 'protocol/openid-connect/revoke', 'nosy/who'])
    t.regex((await preflight(path)) ?? '', /, x-api-key, x-acme-proof$/, path);
  t.is(await preflight('protocol/openid-connect/token', 'https://elsewhere.example'), null);
  t.notRegex((await preflight('protocol/openid-connect/certs')) ?? '', /x-api-key/);
});

test('client authenticators, headers: a header that every request has is no credential: the plugin does not load, and the error names it', async (t) => {
  const wrong: [string, RegExp][] = [
    ["['user-agent']", /headers\[0\] must not be user-agent/],
    ["['x-key', 'x-forwarded-for']", /headers\[1\] must not be x-forwarded-for/],
    ["['cookie']", /none of authorization, cookie/],
    ["['X-API-Key']", /in lower case/],
    ["'x-api-key'", /names of headers in lower case/],
    [`[${Array.from({ length: 11 }, (_, n) => `'x-${n}'`)}]`, /at most 10/],
  ];
  for (const [headers, message] of wrong) {
    const keys = KEYS.replace("['x-api-key', 'x-acme-proof']", headers);
    const error = await t.throwsAsync(
      startHost(t, { realms: [], plugins: ['keys'].map((module) => ({ module })), packages: { keys } }),
    );
    t.regex(String(error?.message), message, headers);
  }
});
