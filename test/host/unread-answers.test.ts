import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import test from 'ava';
import { createHttpServer } from '../../core/host/listen.js';
import { eventually } from '../helpers/eventually.js';
import { gate } from '../helpers/gate.js';

const UNREAD_MS = 200;
const REQUEST = 'GET / HTTP/1.1\r\nhost: a\r\n\r\n';

test('unread responses: a connection whose response is not read is ended, and one that waits for its response is not', async (t) => {
  const answer = gate();
  const server = createHttpServer(async (request, response) => {
    if (request.url === '/late') await answer.opened;
    // More than the buffers of both sides hold.
    response.end(request.url === '/' ? Buffer.alloc(30_000_000) : 'at last');
  }, UNREAD_MS);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => server.close());
  const { port } = server.address() as AddressInfo;
  const connections = () =>
    new Promise<number>((resolve, reject) =>
      server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
    );
  const late = fetch(`http://127.0.0.1:${port}/late`, { headers: { connection: 'close' } });
  const unread = connect(port, '127.0.0.1');
  unread.on('error', () => undefined);
  t.teardown(() => unread.destroy());
  unread.pause();
  unread.write(REQUEST);
  await eventually(async () => (await connections()) === 2);
  await eventually(async () => (await connections()) === 1);
  answer.open();
  t.is(await (await late).text(), 'at last');
});
