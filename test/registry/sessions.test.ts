import test from 'ava';
import { fetchAnswer, startHost } from '../helpers/host.js';
import { enabledResources, providersFolder } from '../helpers/plugins.js';
import { testRealm } from '../helpers/realms.js';

const KEEPER = `import { provide, RealmResourceProvider } from '@keyhost/spi';
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

test('a provider is closed with its session, and a session that ended is good for nothing', async (t) => {
  const host = await startHost(t, {
    realms: [testRealm('demo', { providers: enabledResources(['keeper']) })],
    plugins: [{ module: 'keeper' }],
    argv: ['--providers-dir', await providersFolder(t, { keeper: KEEPER })],
  });
  t.is((await fetchAnswer(`${host.realm('demo')}/keeper/keep`)).text, 'false');
  const { json } = await fetchAnswer(`${host.realm('demo')}/keeper/late`);
  t.deepEqual(json as object, { codes: Array(6).fill('session_closed'), told: ['closed'] });
  const failures = host.log.filter(({ message }) => message === 'a provider did not close');
  t.deepEqual(failures[0]?.fields, { plugin: 'keeper', reason: 'not clean' });
});
