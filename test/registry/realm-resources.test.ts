import test, { type ExecutionContext } from 'ava';
import { fetchAnswer, startHost } from '../helpers/host.js';
import { bearer } from '../helpers/login.js';
import { enabledResources, providersFolder, resourcePlugin } from '../helpers/plugins.js';
import { testRealm } from '../helpers/realms.js';

const SPA = 'http://127.0.0.1:9998';
const OTHER = 'http://shop.test';

const allowed = ({ headers }: { headers: Headers }) =>
  ['origin', 'credentials'].map((name) => headers.get(`access-control-allow-${name}`));

async function boot(t: ExecutionContext, isolation: string, sources: Record<string, string>) {
  const realm = testRealm('demo', { providers: enabledResources(Object.keys(sources)) });
  const shop = { clientId: 'shop', publicClient: true, webOrigins: [OTHER] };
  return startHost(t, {
    realms: [{ ...realm, clients: [...(realm.clients ?? []), shop] }],
    plugins: Object.keys(sources).map((module) => ({ module, isolation })),
    argv: ['--providers-dir', await providersFolder(t, sources)],
  });
}

for (const isolation of ['none', 'worker']) {
  test(`a page may read what its own client is answered, and refusals where its realm knows it (${isolation})`, async (t) => {
    const host = await boot(t, isolation, {
      mine: resourcePlugin('mine', 'const { userId } = await session.authenticate(); return { body: { userId } };'),
      open: resourcePlugin('open', 'return { headers: { "access-control-allow-origin": "*" }, body: {} };'),
    });
    const form = { grant_type: 'password', client_id: 'spa', username: 'alice', password: 'Alice-pass-1!' };
    const token = (await host.token('demo', form)).json.access_token ?? '';
    const call = (path: string, origin: string, init: RequestInit & { headers?: object } = {}) =>
      fetchAnswer(`${host.realm('demo')}/${path}`, { ...init, headers: { ...init.headers, origin } });

    const preflight = await call('mine', SPA, {
      method: 'OPTIONS',
      headers: { 'access-control-request-method': 'GET' },
    });
    t.deepEqual([preflight.status, ...allowed(preflight)], [204, SPA, 'true']);
    t.is(preflight.headers.get('access-control-allow-methods'), 'GET, HEAD, OPTIONS');
    t.regex(preflight.headers.get('access-control-allow-headers') ?? '', /Authorization/);
    t.deepEqual(allowed(await call('mine', 'https://evil.test', { method: 'OPTIONS' })), [null, null]);

    const own = await call('mine', SPA, { headers: bearer(token) });
    t.deepEqual([own.status, ...allowed(own)], [200, SPA, 'true']);
    t.regex(own.headers.get('vary') ?? '', /Origin/);
    const strange = await call('mine', OTHER, { headers: bearer(token) });
    t.deepEqual(
      [strange.status, ...allowed(strange)],
      [200, null, null],
      'another client of the realm is another site',
    );
    for (const path of ['mine', 'nowhere', 'open/a/b']) {
      const refused = await call(path, OTHER);
      t.true(refused.status >= 401);
      t.deepEqual(allowed(refused), [OTHER, 'true'], path);
      t.deepEqual(allowed(await call(path, 'https://evil.test')), [null, null], path);
    }
    t.deepEqual(allowed(await call('open', SPA)), ['*', null], 'what is open to everybody asks for no credentials');
  });
}
