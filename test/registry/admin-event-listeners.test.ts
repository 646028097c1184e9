import test from 'ava';
import { adminCaller, administered, ownRealm } from '../helpers/admin.js';
import { eventually } from '../helpers/eventually.js';
import { shareHost } from '../helpers/shared-host.js';

const listener = (id: string) => `import { EventListener, provide } from '@keyhost/spi';
export default { name: '${id}', api: 1, providers: [provide(EventListener, {
  id: '${id}',
  open: () => ({ create: (session) => ({
    async onAdminEvent({ resourceType, representation }, include) {
      session.logger.info('heard ${id}', { resourceType, representation: JSON.stringify(representation), include });
    },
  }) }),
})] };`;

const shared = shareHost(
  test,
  administered({
    realms: [],
    plugins: [{ module: 'here' }, { module: 'apart', isolation: 'worker' }],
    packages: { here: listener('here'), apart: listener('apart') },
  }),
);

test('admin event listeners: listeners get the details of an admin event, and whether the realm stores it', async (t) => {
  for (const [adminEventsEnabled, adminEventsDetailsEnabled] of [
    [false, false],
    [true, false],
    [true, true],
  ] as const) {
    const settings = { adminEventsEnabled, adminEventsDetailsEnabled };
    const { host } = await ownRealm(shared(), {
      ...settings,
      providers: {},
      eventsListeners: ['here', 'apart', 'jboss-logging'],
    });
    const call = await adminCaller(host);
    const from = host.log.length;
    const body = { clientId: 'app', secret: 'a-secret-that-nobody-sees' };
    t.is((await call('POST', `/realms/${host.defaultRealm}/clients`, body)).status, 201);
    for (const id of ['here', 'apart']) {
      const heard = () => host.log.slice(from).filter(({ message }) => message === `heard ${id}`);
      await eventually(() => heard().length > 0);
      const representation = JSON.stringify({ ...body, secret: '**********' });
      t.like(heard().at(-1)?.fields, { resourceType: 'CLIENT', representation, include: adminEventsDetailsEnabled });
    }
    const stored = (await call('GET', `/realms/${host.defaultRealm}/admin-events`)).json as unknown as object[];
    t.is(stored.length, adminEventsEnabled ? 1 : 0);
    if (adminEventsEnabled) t.is('representation' in (stored[0] ?? {}), adminEventsDetailsEnabled);
  }
});
