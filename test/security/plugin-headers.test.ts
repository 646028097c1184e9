import test, { type ExecutionContext } from 'ava';
import { answering, answeringPlugin } from '../helpers/answering-plugin.js';
import { fetchAnswer, startHost, type TestHost } from '../helpers/host.js';
import { pluginSource } from '../helpers/plugins.js';
import { ALICE, testRealm } from '../helpers/realms.js';

/** Headers with effects beyond their response, or that weaken the host's security headers. */
const REFUSED: Readonly<Record<string, string>> = {
  'strict-transport-security': 'max-age=0',
  'clear-site-data': '"*"',
  'service-worker-allowed': '/',
  'cross-origin-opener-policy': 'unsafe-none',
  'cross-origin-embedder-policy': 'unsafe-none',
  'cross-origin-resource-policy': 'cross-origin',
  'origin-agent-cluster': '?0',
  refresh: '0; url=/admin/desk/',
  'alt-svc': 'h3="evil.test:443"; ma=31536000; persist=1',
  nel: '{"report_to":"evil","max_age":31536000,"success_fraction":1}',
  'report-to': '{"group":"evil","max_age":31536000,"endpoints":[{"url":"https://evil.test"}]}',
  'reporting-endpoints': 'evil="https://evil.test"',
  'speculation-rules': '"/rules.json"',
  'referrer-policy': 'unsafe-url',
  'x-frame-options': 'ALLOWALL',
  'x-content-type-options': 'none',
  'x-accel-redirect': '/internal/keys',
  'x-sendfile': '/etc/passwd',
  'access-control-allow-origin': 'https://evil.test',
  'access-control-allow-credentials': 'true',
  'access-control-allow-private-network': 'true',
  'content-length': '5',
  'transfer-encoding': 'chunked',
  connection: 'upgrade',
  'a-name-of-tomorrow': '1',
};
const ALLOWED: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  'content-disposition': 'attachment; filename="a.csv"',
  'content-language': 'de',
  etag: '"1"',
  'retry-after': '1',
  'x-total-count': '3',
};
const COOKIES = [
  'KEYCLOAK_IDENTITY=x; Path=/realms/demo/',
  'KEYCLOAK_IDENTITY=x; Path=/',
  'AUTH_SESSION_ID=x',
  '=KEYCLOAK_IDENTITY=x',
  '\tKEYCLOAK_IDENTITY=x',
  'own=1; Path=/realms/demo/plain',
  'own=1; Domain=example.com',
  '__Host-own=1; Secure; Path=/',
];

const MODES = { plain: 'none', apart: 'worker' } as const;

async function boot(t: ExecutionContext, name: keyof typeof MODES): Promise<TestHost> {
  return startHost(t, {
    realms: [
      testRealm('demo', { providers: answering(name) }),
      // Its provider throws when it is created.
      testRealm('other', {
        providers: {
          'realm-restapi-extension': { [name]: { enabled: true, config: { creation: { 'set-cookie': 'a=b' } } } },
        },
      }),
    ],
    plugins: [{ module: name, isolation: MODES[name] }],
    packages: { [name]: answeringPlugin(name) },
  });
}

const json = (body: object) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});
const answered = (host: TestHost, name: string, answer: object) =>
  fetchAnswer(`${host.realm('demo')}/${name}/answer`, json(answer));

/** By a link whose handler gives this answer. */
async function followed(host: TestHost, name: string, answer: object, headers: Record<string, string> = {}) {
  const issued = await fetchAnswer(`${host.realm('demo')}/${name}/issue`, json({ userId: ALICE, answer }));
  return fetchAnswer(String(issued.json.link), { headers });
}

const reasons = (host: TestHost) => host.log.map(({ fields }) => (fields as { reason?: string }).reason ?? '');

/** An answer or error whose members are valid when first read, and malicious from then on. */
const TURNING = pluginSource(import.meta.url, 'plugins/turning.js');

test('T505 · headers of plugins: headers are sent as they were judged, whatever a plugin lets each reading be', async (t) => {
  const providers = { 'realm-restapi-extension': { turning: { enabled: true } } };
  const plugins = [{ module: 'turning' }];
  const host = await startHost(t, {
    realms: [testRealm('demo', { providers })],
    plugins,
    packages: { turning: TURNING },
  });
  const kinds = [
    'proxy',
    'getter',
    'stream',
    'thrown proxy',
    'thrown getter',
    'thrown by a proxy',
    'thrown and frozen',
    'thrown and changed',
  ];
  for (const kind of kinds) {
    for (let times = 0; times < 8; times += 1) {
      const { status, headers } = await answered(host, 'turning', { kind, times });
      const what = `${kind}, evil after ${times}: ${status}`;
      t.true(status === 500 || status === (kind.startsWith('thrown') ? 400 : 200), what);
      for (const name of ['clear-site-data', 'set-cookie']) t.is(headers.get(name), null, what);
      t.is(headers.get('content-type'), 'application/json', what);
    }
  }
});

for (const name of ['plain', 'apart'] as const) {
  const where = MODES[name] === 'none' ? 'in the process' : 'in a worker';

  test(`T503 · headers of plugins: a header that only the host sends is refused and logged, and every other is sent (${where})`, async (t) => {
    const host = await boot(t, name);
    for (const [header, value] of Object.entries(REFUSED)) {
      for (const spelt of [header, header.toUpperCase()]) {
        const { status, headers } = await answered(host, name, { headers: { [spelt]: value }, text: 'x' });
        t.is(status, 500, header);
        t.not(headers.get(header), value);
      }
      const told = `${name}: realm-restapi-extension/${name} answered answer with a header "${header}" that only the host sends`;
      t.true(
        reasons(host).some((reason) => reason.startsWith(told)),
        header,
      );
    }
    const { status, headers } = await answered(host, name, { headers: ALLOWED, text: 'x' });
    t.is(status, 200);
    for (const [header, value] of Object.entries(ALLOWED)) t.is(headers.get(header), value);
    t.is(headers.get('x-content-type-options'), 'nosniff');
    const varied = await answered(host, name, { headers: { vary: 'Accept-Language' }, text: 'x' });
    t.is(varied.headers.get('vary'), 'Origin, Accept-Language', 'the host’s own word stays');
  });

  test(`T504 · headers of plugins: a plugin sets no cookie, and gets none of the host’s (${where})`, async (t) => {
    const host = await boot(t, name);
    for (const cookie of COOKIES) {
      const answer = { headers: { 'set-cookie': cookie }, text: 'x' };
      for (const { status, headers } of [
        await answered(host, name, answer),
        await answered(host, name, { ...answer, throws: true }),
        await followed(host, name, answer),
      ]) {
        t.is(status, 500, cookie);
        t.is(headers.get('set-cookie'), null, cookie);
      }
    }
    t.true(
      reasons(host).some((reason) =>
        reason.endsWith('"set-cookie" that only the host sends: a plugin is given no cookies'),
      ),
    );
  });

  test(`T505 · headers of plugins: headers of a thrown error follow the same list (${where})`, async (t) => {
    const host = await boot(t, name);
    for (const [header, value] of Object.entries({ ...REFUSED, 'x-broken': 'a\r\nset-cookie: a=b' })) {
      const { status, headers } = await answered(host, name, { headers: { [header]: value }, throws: true });
      t.is(status, 500, header);
      t.not(headers.get(header), value);
    }
    t.true(
      reasons(host).includes(
        `${name}: realm-restapi-extension/${name} threw in answer with a header "clear-site-data" that only the host sends`,
      ),
    );
    const { status, headers } = await answered(host, name, { headers: ALLOWED, throws: true });
    t.deepEqual([status, headers.get('retry-after')], [400, '1']);
    const made = await fetchAnswer(`${host.realm('other')}/${name}/document`);
    t.deepEqual([made.status, made.headers.get('set-cookie')], [500, null], 'its creation is held to it, too');
  });

  test(`T506 · headers of plugins: answers of a link’s handler follow the same rules (${where})`, async (t) => {
    const host = await boot(t, name);
    const page = { headers: { 'content-type': 'text/html' }, text: '<p>done' };
    const good = await followed(host, name, page, { accept: 'text/html' });
    t.deepEqual([good.status, good.text], [200, '<p>done']);
    t.regex(good.headers.get('content-security-policy') ?? '', /^sandbox (?!.*same-origin)/);
    for (const header of ['referrer-policy', 'access-control-allow-origin', 'clear-site-data']) {
      const { status, headers } = await followed(host, name, { ...page, headers: { [header]: REFUSED[header] } });
      t.is(status, 500, header);
      t.not(headers.get(header), REFUSED[header]);
    }
  });

  test(`T507 · headers of plugins: pages of another origin read an answer if its route says so, and never with credentials (${where})`, async (t) => {
    const host = await boot(t, name);
    const allowed = ({ headers }: { headers: Headers }) =>
      ['origin', 'credentials'].map((one) => headers.get(`access-control-allow-${one}`));
    const at = (path: string, init: RequestInit = {}) =>
      fetchAnswer(`${host.realm('demo')}/${name}/${path}`, {
        ...init,
        headers: { ...init.headers, origin: 'https://evil.test' },
      });
    const asked = (method: string) => ({ method: 'OPTIONS', headers: { 'access-control-request-method': method } });
    t.deepEqual(allowed(await at('open')), ['*', null]);
    t.deepEqual(allowed(await at('open', asked('GET'))), ['*', null]);
    t.deepEqual(allowed(await at('document')), [null, null]);
    t.deepEqual(allowed(await at('document', asked('GET'))), [null, null]);
    t.deepEqual(allowed(await at('open', asked('POST'))), [null, null]);
  });
}
