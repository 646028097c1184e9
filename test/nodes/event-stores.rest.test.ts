import test from 'ava';
import { EventDelivery } from '../../core/registry/event-delivery/event-delivery.js';
import { eventStore, startEventService } from '../helpers/event-service.js';
import { eventually } from '../helpers/eventually.js';
import { TestClock } from '../helpers/host.js';
import { ALICE_LOGIN } from '../helpers/login.js';
import { startNodes } from '../helpers/nodes.js';
import { testRealm } from '../helpers/realms.js';

test('of two nodes one delivers at a time, and what a node leaves behind another one delivers', async (t) => {
  const service = await startEventService(t);
  const clock = new TestClock();
  const providers = { eventsStore: { archive: { enabled: true, config: { url: service.url } } } };
  const { nodes } = await startNodes(t, {
    realms: [testRealm('demo', { providers, eventsListeners: [] })],
    plugins: [{ module: 'archive' }],
    packages: { archive: eventStore('archive') },
    clock,
  });
  let count = 0;
  const logIn = async (node: number) => {
    clock.forward(1);
    const { status } = (await nodes[node]?.token('demo', { client_id: 'spa', ...ALICE_LOGIN })) ?? {};
    t.is(status, 200);
    await nodes[node]?.events.flush();
    count += 1;
  };
  for (let turn = 0; turn < 5; turn += 1) for (const node of [0, 1]) await logIn(node);
  await eventually(() => {
    clock.forward(1);
    return service.kept.size === count;
  });
  // Each is there at least once: the clock runs so fast that a node may lose its lease, and another one hands a batch over again.
  const times = [...service.kept.values()].map(({ time }) => time);
  t.deepEqual(
    times,
    [...times].sort((a, b) => a - b),
  );

  service.state = 'away';
  await logIn(0);
  // Whichever of them delivers now.
  await eventually(() => {
    clock.forward(1);
    return nodes.some(({ log }) => log.some(({ message }) => message === 'the event store is away: events wait'));
  });
  await nodes[0]?.close();
  service.state = 'up';
  nodes[1]?.use(EventDelivery).wake('demo');
  await eventually(() => {
    clock.forward(1);
    return service.kept.size === count;
  });
});
