import test from 'ava';
import { EventDelivery } from '../../core/registry/event-delivery/event-delivery.js';
import { eventStore, startEventService } from '../helpers/event-service.js';
import { eventually } from '../helpers/eventually.js';
import { TestClock } from '../helpers/host.js';
import { ALICE_LOGIN } from '../helpers/login.js';
import { startNodes } from '../helpers/nodes.js';
import { testRealm } from '../helpers/realms.js';

test('nodes, event stores: one of two nodes delivers at a time, and another continues what a stopped one left', async (t) => {
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
  // While the service is slow, one node sends it the events, and the other one tries and skips it.
  let open = () => {};
  service.gate = new Promise((resolve) => {
    open = resolve;
  });
  await logIn(0);
  await eventually(() => service.asked > 0);
  for (const node of [1, 0, 1, 0]) await logIn(node);
  let hasTried = false;
  void nodes[1]
    ?.use(EventDelivery)
    .settled()
    .then(() => {
      hasTried = true;
    });
  // A node that did not let it be would wait for the service, too.
  await eventually(() => hasTried || service.asked > 1);
  t.is(service.asked, 1);
  open();
  await eventually(() => {
    clock.forward(1);
    return service.kept.size === count;
  });
  const times = [...service.kept.values()].map(({ time }) => time);
  t.deepEqual(
    times,
    [...times].sort((a, b) => a - b),
  );

  service.state = 'away';
  await logIn(0);
  // Either node may deliver now.
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
