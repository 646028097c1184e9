import test from 'ava';
import { TestClock } from '../helpers/host.js';
import { testRealm } from '../helpers/realms.js';
import { reloadScene } from '../helpers/reload.js';

/** A vault that fails at every read. */
const failingVault = (number: number) => `import { provide, Vault } from '@keyhost/spi';
export default { name: 'a', api: 1, providers: [provide(Vault, { id: 'far',
  open: () => ({ create: () => ({ read: async () => { throw new Error('away'); }, ${number === 1 ? '' : 'async close() {}'} }) }) })] };`;

test('failing providers: the reason is logged once, and again after its plugin was replaced', async (t) => {
  const clock = new TestClock();
  const { host, write } = await reloadScene(t, () => ({ a: failingVault(1) }), {
    plugins: [{ module: 'a' }],
    clock,
    realm: {
      providers: { vault: { far: { enabled: true } } },
      clients: [
        ...(testRealm('demo').clients ?? []),
        { clientId: 'job', secret: '${vault.job}', serviceAccountsEnabled: true },
      ],
    },
  });
  const told = () => host.log.filter(({ message }) => message === 'a call of a provider failed').length;
  const fails = async () => {
    // After a failed read the host pauses for some seconds before it asks the vault again.
    clock.forward(61);
    const form = { grant_type: 'client_credentials', client_id: 'job', client_secret: 'x' };
    t.is((await host.token('demo', form)).status, 503);
  };
  await fails();
  await fails();
  t.is(told(), 1);
  await write('a', failingVault(2), '2.0.0');
  t.is((await host.plugins.reload()).outcome, 'replaced');
  await fails();
  t.is(told(), 2);
});
