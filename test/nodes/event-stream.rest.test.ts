import { randomUUID } from 'node:crypto';
import test from 'ava';
import type { EventRecord } from '../../core/store/store.js';
import { administered, ROOT } from '../helpers/admin.js';
import { listen } from '../helpers/event-stream.js';
import { eventually } from '../helpers/eventually.js';
import { reachedAt, startNodes } from '../helpers/nodes.js';
import { testRealm } from '../helpers/realms.js';
import { shareStarted } from '../helpers/shared-host.js';

const scene = shareStarted(test, async (scope) => {
  const { front, nodes } = await startNodes(scope, {
    ...administered({ realms: [testRealm('demo', { eventsExpiration: 3600 })] }),
  });
  return { host: front, nodes: nodes.map((node) => reachedAt(node, node.url)) };
});

const EVENTS = 2000;
const EVENTS_PER_SECOND = 500;

test('nodes, event stream: events of any node arrive on every node, none lost and none twice', async (t) => {
  const { host, nodes } = scene();
  const { json } = await host.token('master', { grant_type: 'password', client_id: 'admin-cli', ...ROOT });
  const token = String(json.access_token);
  const streams = await Promise.all(
    nodes.flatMap((node) =>
      [0, 1].map(() => listen(t, node, { realm: 'demo', token, query: '?kind=user&client=load' })),
    ),
  );
  await Promise.all(streams.map((stream) => stream.heard('state')));
  const made: string[] = [];
  while (made.length < EVENTS) {
    for (const node of nodes) {
      const records: EventRecord[] = [];
      // Some of each node's are late, by up to two seconds.
      for (; made.length < EVENTS && records.length < 20; made.push(records.at(-1)?.id ?? ''))
        records.push(eventAt(Date.now() - (made.length % 10 === 0 ? 2_000 : 0)));
      await node.store.events.append(records);
    }
    // At the pace of the listeners, allowing for the delay of a busy realm, about a second.
    await eventually(() => streams.every((stream) => stream.of('user').length >= made.length - EVENTS_PER_SECOND));
  }
  for (const stream of streams) {
    await eventually(() => stream.of('user').length >= made.length);
    t.is(stream.of('gap').length, 0);
    const ids = stream.of('user').map(({ data }) => String(data.id));
    t.deepEqual(ids.sort(), made.toSorted(), 'none is lost, none is told twice');
  }
});

function eventAt(time: number): EventRecord {
  const id = randomUUID();
  const body = JSON.stringify({ id, time, type: 'LOGIN', realmId: 'demo', details: {} });
  return { id, realm: 'demo', kind: 'user', time, type: 'LOGIN', clientId: 'load', body };
}

test('nodes, event stream: a stream that ends at one node goes on at another', async (t) => {
  const { host, nodes } = scene();
  const [one, other] = nodes;
  if (one === undefined || other === undefined) throw new Error('two nodes are needed');
  const { json } = await host.token('master', { grant_type: 'password', client_id: 'admin-cli', ...ROOT });
  const asked = { realm: 'demo', token: String(json.access_token), query: '?kind=user&client=spa' };
  const logIn = (password: string) =>
    host.token('demo', { grant_type: 'password', client_id: 'spa', username: 'alice', password });
  const first = await listen(t, one, asked);
  await first.heard('state');
  await logIn('Alice-pass-1!');
  const [login] = await first.heard('user');
  first.stop();
  await logIn('wrong');
  const second = await listen(t, other, { ...asked, lastEventId: login?.id ?? '' });
  await eventually(() => second.of('user').some(({ data }) => data.type === 'LOGIN_ERROR'));
  await logIn('wrong');
  await eventually(() => second.of('user').filter(({ data }) => data.type === 'LOGIN_ERROR').length === 2);
  t.is(second.of('gap').length, 0);
});
