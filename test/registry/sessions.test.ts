import test from 'ava';
import { fetchAnswer, startHost } from '../helpers/host.js';
import { enabledResources, pluginSource, providersFolder } from '../helpers/plugins.js';
import { testRealm } from '../helpers/realms.js';

const STORING_PLUGIN = `import { provide, RealmResourceProvider } from '@keyhost/spi';
let kept; const told = [];
export default { name: 'keeper', api: 1, providers: [provide(RealmResourceProvider, {
  id: 'keeper',
  routes: { keep: { method: 'GET', path: '/keep' }, late: { method: 'GET', path: '/late' } },
  open: () => ({ create: (session) => ({
    keep: async () => { kept = session; return { body: await session.users.byUsername('alice') === undefined }; },
    late: async () => {
      const tries = [() => kept.users.byId('x'), () => kept.clients.byClientId('x'), () => kept.store.get('x'),
        () => kept.store.put('x', 1), () => kept.events.emit({ type: 'X' }), () => kept.authenticate()];
      const codes = await Promise.all(tries.map(async (run) => { try { await run(); return 'worked'; } catch (error) { return error.code; } }));
      return { body: { codes, told } };
    },
    close: async () => { told.push('closed'); throw new Error('not clean'); },
  }) }),
})] };`;

test('sessions of plugins: a provider is closed with its session, and a session that ended is good for nothing', async (t) => {
  const host = await startHost(t, {
    realms: [testRealm('demo', { providers: enabledResources(['keeper']) })],
    plugins: [{ module: 'keeper' }],
    argv: ['--providers-dir', await providersFolder(t, { keeper: STORING_PLUGIN })],
  });
  t.is((await fetchAnswer(`${host.realm('demo')}/keeper/keep`)).text, 'false');
  const { json } = await fetchAnswer(`${host.realm('demo')}/keeper/late`);
  t.deepEqual(
    json as object,
    { codes: Array(6).fill('session_closed'), told: ['closed', 'closed'] },
    'once when loaded',
  );
  const failures = host.log.filter(({ message }) => message === 'closing a provider failed');
  t.deepEqual(failures[0]?.fields, { plugin: 'keeper', reason: 'not clean' });
});

const LISTENING_PLUGIN = pluginSource(import.meta.url, 'plugins/ears.js');

test('sessions of plugins: a listener has a session of its own, which lasts longer than the request, and a grant is closed with its request', async (t) => {
  const providers = { 'oauth2-grant-type': { 'urn:test:alice': { enabled: true } } };
  const host = await startHost(t, {
    realms: [testRealm('demo', { providers, eventsListeners: ['ears'] })],
    plugins: [{ module: 'ears' }],
    argv: ['--providers-dir', await providersFolder(t, { ears: LISTENING_PLUGIN })],
  });
  // The host created each provider once to check for work that it does not declare.
  (globalThis as unknown as { keyhostTold: string[] }).keyhostTold.length = 0;
  const { status } = await host.token('demo', { grant_type: 'urn:test:alice', client_id: 'spa' });
  t.is(status, 200);
  // The listener waits until the request has ended.
  const { keyhostRequest, keyhostTold: told } = globalThis as unknown as {
    keyhostRequest: { end(): void };
    keyhostTold: string[];
  };
  keyhostRequest.end();
  await host.events.flush();
  t.deepEqual(told, ['grant closed', 'OAUTH2_EXTENSION_GRANT alice', 'listener closed']);
});
