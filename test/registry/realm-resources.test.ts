import test, { type ExecutionContext } from 'ava';
import { adminCaller, startAdministered } from '../helpers/admin.js';
import { fetchAnswer } from '../helpers/host.js';
import { basic, bearer, NL } from '../helpers/login.js';
import { figures } from '../helpers/metrics.js';
import { enabledResources, type PackageFiles, providersFolder, resourcePlugin } from '../helpers/plugins.js';
import { testRealm } from '../helpers/realms.js';

const SPA = 'http://127.0.0.1:9998';
const OTHER = 'http://shop.test';

const corsHeaders = ({ headers }: { headers: Headers }) =>
  ['origin', 'credentials'].map((name) => headers.get(`access-control-allow-${name}`));

async function boot(t: ExecutionContext, isolation: string, sources: Record<string, PackageFiles>) {
  const realm = testRealm('demo', { providers: enabledResources(Object.keys(sources)) });
  const shop = { clientId: 'shop', publicClient: true, webOrigins: [OTHER] };
  return startAdministered(t, {
    realms: [{ ...realm, clients: [...(realm.clients ?? []), shop] }],
    plugins: Object.keys(sources).map((module) => ({ module, isolation })),
    argv: ['--providers-dir', await providersFolder(t, sources)],
  });
}

for (const isolation of ['none', 'worker']) {
  test(`realm resources: a package that was compiled to CommonJS is a plugin, such as one of a realm’s metrics (${isolation})`, async (t) => {
    const source = resourcePlugin('metrics', 'return { body: { mine: true } };')
      .replace(/^import (.*) from '(.*)';/, "const $1 = require('$2');")
      .replace('export default', 'exports.default =');
    const metrics = {
      'package.json': JSON.stringify({ name: 'metrics', version: '1.0.0', main: './index.js' }),
      'index.js': `Object.defineProperty(exports, '__esModule', { value: true });\n${source}`,
    };
    const host = await boot(t, isolation, { metrics });
    t.deepEqual((await fetchAnswer(`${host.realm('demo')}/metrics`)).json, { mine: true });
  });

  test(`realm resources: a page may read its client’s responses, and errors if its realm knows it (${isolation})`, async (t) => {
    const host = await boot(t, isolation, {
      mine: resourcePlugin('mine', 'const { userId } = await session.authenticate(); return { body: { userId } };'),
      open: resourcePlugin('open', 'return { body: {} };').replace("path: '/' }", "path: '/', cors: 'any' }"),
    });
    const form = { grant_type: 'password', client_id: 'spa', username: 'alice', password: 'Alice-pass-1!' };
    const token = (await host.token('demo', form)).json.access_token ?? '';
    const call = (path: string, origin: string, init: RequestInit & { headers?: object } = {}) =>
      fetchAnswer(`${host.realm('demo')}/${path}`, { ...init, headers: { ...init.headers, origin } });

    const preflight = await call('mine', SPA, {
      method: 'OPTIONS',
      headers: { 'access-control-request-method': 'GET' },
    });
    t.deepEqual([preflight.status, ...corsHeaders(preflight)], [204, SPA, 'true']);
    t.is(preflight.headers.get('access-control-allow-methods'), 'GET, HEAD, OPTIONS');
    t.regex(preflight.headers.get('access-control-allow-headers') ?? '', /Authorization/);
    t.deepEqual(corsHeaders(await call('mine', 'https://evil.test', { method: 'OPTIONS' })), [null, null]);

    const own = await call('mine', SPA, { headers: bearer(token) });
    t.deepEqual([own.status, ...corsHeaders(own)], [200, SPA, 'true']);
    t.regex(own.headers.get('vary') ?? '', /Origin/);
    const strange = await call('mine', OTHER, { headers: bearer(token) });
    t.deepEqual(
      [strange.status, ...corsHeaders(strange)],
      [200, null, null],
      'another client of the realm is another site',
    );
    for (const path of ['mine', 'nowhere', 'open/a/b']) {
      const refused = await call(path, OTHER);
      t.true(refused.status >= 401);
      t.deepEqual(corsHeaders(refused), [OTHER, 'true'], path);
      t.deepEqual(corsHeaders(await call(path, 'https://evil.test')), [null, null], path);
    }
    t.deepEqual(corsHeaders(await call('open', SPA)), ['*', null], 'what is open to everybody asks for no credentials');
  });

  test(`realm resources: an answer that HTTP or JSON cannot carry, and a method that is not there, are failures with a reason (${isolation})`, async (t) => {
    const answers: Record<string, [answer: string, told: string | undefined]> = {
      bigint: ['{ body: { n: 1n } }', 'answered run with body.n, a bigint: not allowed in JSON'],
      map: ['{ body: { list: [new Map()] } }', 'answered run with body.list[0], a Map: not allowed in JSON'],
      number: ['5', 'answered run with no response: { status, headers, body }'],
      status: ['{ status: 99 }', 'answered run with status 99: it must be a number from 200 to 599'],
      header: ['{ headers: { a: "b\\nc" } }', 'answered run with a header "a" that is invalid in HTTP'],
      date: ['{ body: new Date(0) }', undefined],
    };
    const names = Object.keys(answers);
    const sources = names.map((name) => [name, resourcePlugin(name, `return ${answers[name]?.[0]};`)]);
    const renamed = resourcePlugin('renamed', '').replace('async run(', 'async runs(');
    const host = await boot(t, isolation, { ...Object.fromEntries(sources), renamed });
    const reasons = () => host.log.map(({ fields }) => (fields as { reason?: string }).reason ?? '');
    for (const [name, [, told]] of Object.entries(answers)) {
      const { status } = await fetchAnswer(`${host.realm('demo')}/${name}`);
      t.is(status, told === undefined ? 200 : 500, name);
      if (told !== undefined) t.true(reasons().includes(`${name}: realm-restapi-extension/${name} ${told}`), told);
    }
    t.is((await fetchAnswer(`${host.realm('demo')}/renamed`)).status, 500);
    const lacks = 'renamed: create of realm-restapi-extension/renamed returned no method run';
    t.true(reasons().some((reason) => reason.startsWith(lacks)));
    const ends = await figures(host, 'keyhost_provider_calls_total');
    const end = (name: string, word: string) => ends[`provider=realm-restapi-extension/${name},realm=demo,end=${word}`];
    for (const name of [...names, 'renamed']) {
      const isGood = answers[name] !== undefined && answers[name][1] === undefined;
      t.deepEqual([end(name, 'ok') ?? 0, end(name, 'failed') ?? 0], isGood ? [1, 0] : [0, 1], name);
    }
    const { json } = await (await adminCaller(host))('GET', '/realms/demo/providers/realm-restapi-extension/renamed');
    const { health } = json as unknown as { health: { status: string; reason: string } };
    t.deepEqual([health.status, health.reason.startsWith(lacks)], ['failed', true], health.reason);
  });

  test(`realm resources: a route declares its callers, and the host checks them before the call (${isolation})`, async (t) => {
    const routes = {
      bearer: { authentication: 'bearer' },
      client: { authentication: 'client' },
      any: { authentication: 'any' },
      none: { authentication: 'none' },
      scope: { scope: 'phone' },
      realmRole: { role: 'reader' },
      clientRole: { role: 'web.editor', authentication: 'bearer' },
      otherRole: { role: 'admin' },
      silent: {},
    };
    const names = Object.keys(routes);
    const declared = Object.entries(routes).map(([name, more]) => [name, { method: 'GET', path: `/${name}`, ...more }]);
    const source = `import { provide, RealmResourceProvider } from '@keyhost/spi';
export default { name: 'doors', api: 1, providers: [provide(RealmResourceProvider, {
  id: 'doors', routes: ${JSON.stringify(Object.fromEntries(declared))},
  open: () => ({ create: () => Object.fromEntries(${JSON.stringify(names)}.map((name) => [name, async () => ({ body: 1 })])) }),
})] };`;
    const host = await boot(t, isolation, { doors: source });
    const login = { grant_type: 'password', username: 'alice', password: 'Alice-pass-1!', client_id: 'spa' };
    const token = async (scope: string) => (await host.token('demo', { ...login, scope })).json.access_token ?? '';
    const statuses = async (headers: Record<string, string>) => {
      const asked = names.map(async (name) => {
        const { status } = await fetchAnswer(`${host.realm('demo')}/doors/${name}`, { headers });
        return [name, status] as const;
      });
      return Object.fromEntries(await Promise.all(asked));
    };
    const refused = { bearer: 401, client: 401, any: 401, none: 200, scope: 401, realmRole: 401, clientRole: 401 };
    t.deepEqual(await statuses({}), { ...refused, otherRole: 401, silent: 200 });
    const served = { bearer: 200, client: 401, any: 200, none: 200, scope: 403, realmRole: 200, clientRole: 200 };
    t.deepEqual(await statuses(bearer(await token('openid'))), { ...served, otherRole: 403, silent: 200 });
    t.is((await statuses(bearer(await token('phone')))).scope, 200);
    const ofClient = { bearer: 401, client: 200, any: 200, none: 200, scope: 401, realmRole: 403, clientRole: 401 };
    const client = basic(NL.client_id, NL.client_secret);
    t.deepEqual(await statuses(client), { ...ofClient, otherRole: 403, silent: 200 });
    const narrow = await fetchAnswer(`${host.realm('demo')}/doors/scope`, {
      headers: { ...bearer(await token('openid')), origin: SPA },
    });
    t.is(narrow.headers.get('www-authenticate'), 'Bearer realm="demo", error="insufficient_scope", scope="phone"');
    t.deepEqual([narrow.json.error, ...corsHeaders(narrow)], ['insufficient_scope', SPA, 'true']);
  });
}
