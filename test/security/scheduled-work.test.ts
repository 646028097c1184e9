import test from 'ava';
import { eventually } from '../helpers/eventually.js';
import { TestClock, type TestHost } from '../helpers/host.js';
import { startNodes } from '../helpers/nodes.js';
import { ALICE } from '../helpers/realms.js';
import { entry, lines, planned, put, sweeping } from '../helpers/sweeper.js';

for (const isolation of ['none', 'worker']) {
  test(`T655 · scheduled work: one of two nodes runs it; the other takes over if that stops, and late results are refused (${isolation})`, async (t) => {
    const clock = new TestClock();
    const { nodes } = await startNodes(t, sweeping(isolation, clock));
    const [first] = nodes as [TestHost];
    await put(first, 'todo', 'hold');
    await planned(first);
    clock.forward(61);
    const holder = (await eventually(() => nodes.find((node) => lines(node, 'held').length > 0))) as TestHost;
    const other = nodes.find((node) => node !== holder) as TestHost;
    const begun = await entry(first, 'begun');
    t.is(begun.missed, 0);
    t.is(await entry(first, 'ended'), undefined);
    // It pauses for longer than its lease.
    clock.forward(61);
    const [done] = (await eventually(
      () => lines(other, 'scheduled work done').length > 0 && lines(other, 'scheduled work done'),
    )) as {
      fields: object;
    }[];
    const ended = await entry(first, 'ended');
    t.is(ended.place, 1, 'it goes on where the other one was');
    t.is(ended.token, begun.token + 1);
    t.like(done?.fields, { realm: 'demo', provider: 'events-listener/sweeper', summary: `token ${ended.token}` });
    await put(first, 'go', true);
    const [tried] = (await eventually(() => lines(holder, 'tried').length > 0 && lines(holder, 'tried'))) as {
      fields: { codes: string };
    }[];
    const codes = JSON.parse(tried?.fields.codes ?? '{}') as Record<string, string>;
    t.deepEqual([...new Set(Object.values(codes))], ['schedule_lost'], JSON.stringify(codes));
    t.is(Object.keys(codes).length, 10);
    await eventually(() => lines(holder, 'scheduled work was taken on by another node').length > 0);
    t.is(lines(holder, 'scheduled work done').length, 0);
    t.is(await entry(first, 'late'), undefined);
    t.truthy(await entry(first, 'begun'));
    const realm = await first.loadedRealm('demo');
    t.not((await first.users.byId(realm, ALICE))?.view.firstName, 'Late');
    t.is(await first.users.byUsername(realm, 'late'), undefined);
  });
}
