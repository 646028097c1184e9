import test from 'ava';
import { fetchAnswer, startHost } from '../helpers/host.js';
import { providersFolder } from '../helpers/plugins.js';
import { ALICE, testRealm } from '../helpers/realms.js';

const FLAKY = `import { ActionTokenHandler, HostError, provide, RealmResourceProvider } from '@keyhost/spi';
const answers = ['throws', 'is away', 'refuses', 'works'];
export default { name: 'flaky', api: 1, providers: [
  provide(RealmResourceProvider, {
    id: 'flaky',
    routes: { issue: { method: 'POST', path: '/' } },
    open: () => ({ create: (session) => ({
      issue: async () => ({ body: { ...(await session.actionTokens.issue({ type: 'flaky', userId: '${ALICE}' })) } }),
    }) }),
  }),
  provide(ActionTokenHandler, {
    id: 'flaky', eventType: 'EXECUTE_ACTION_TOKEN', defaultError: 'invalid_request', defaultMessage: 'invalidRequestMessage',
    open: () => ({ create: () => ({
      reusable: async () => false,
      async handle() {
        const answer = answers.shift();
        if (answer === 'throws') throw new Error('no');
        if (answer === 'is away') throw new HostError('temporarily_unavailable', 'Not now.', { status: 503, expose: true });
        return { status: answer === 'works' ? 200 : 409, body: { answer } };
      },
    }) }),
  }),
] };`;

test('action tokens: a single-use link whose handler failed can be followed again, and one that worked cannot', async (t) => {
  const enabled = { flaky: { enabled: true } };
  const host = await startHost(t, {
    realms: [testRealm('demo', { providers: { 'realm-restapi-extension': enabled, 'action-token-handler': enabled } })],
    plugins: [{ module: 'flaky' }],
    argv: ['--providers-dir', await providersFolder(t, { flaky: FLAKY })],
  });
  const issued = await fetchAnswer(`${host.realm('demo')}/flaky`, { method: 'POST' });
  const follow = async () => {
    const { status, json } = await fetchAnswer(String(issued.json.link));
    return [status, json.answer ?? json.error];
  };
  t.deepEqual(await follow(), [500, 'unknown_error']);
  t.deepEqual(await follow(), [503, 'temporarily_unavailable']);
  t.deepEqual(await follow(), [409, 'refuses']);
  t.deepEqual(await follow(), [200, 'works']);
  t.deepEqual(await follow(), [400, 'invalid_request']);
  const errors = (await host.stored('demo')).map(({ error }) => error).reverse();
  t.deepEqual(errors.slice(0, 3), ['unknown_error', 'temporarily_unavailable', 'invalid_request']);
});
