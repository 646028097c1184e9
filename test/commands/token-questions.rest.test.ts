import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { keyhost } from '../helpers/command.js';
import { folder } from '../helpers/process.js';
import { testRealm } from '../helpers/realms.js';
import { atTerminal, terminalTest } from '../helpers/terminal.js';

/** Two realm files, and a server that answers everything with one status. */
async function scene(t: ExecutionContext, status: number) {
  const dir = await folder(t, [testRealm('demo'), testRealm('partner')]);
  const realms = ['--realms-dir', join(dir, 'realms'), '--data-dir', join(dir, 'data')];
  const server = createServer((_request, response) => void response.writeHead(status).end('{}')).listen(0, '127.0.0.1');
  t.teardown(() => server.close());
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  return { realms, places: [...realms, '--http-port', String(port)] };
}

test('keyhost token: it lists the realms to choose from, and explains what a silent server needs', async (t) => {
  const { realms, places } = await scene(t, 503);
  const scripted = await keyhost(['token', '--client-id', 'cli', ...places]);
  t.regex(scripted.stderr, /--realm is required \[options_invalid]\n {2}→ the realms folder has demo, partner\n/);
  // A client is written into a file: no other realm will do.
  const created = await keyhost(['client', 'create', ...realms]);
  t.regex(created.stderr, /--realm is required \[options_invalid]\n {2}→ use one of demo, partner\n/);
  const busy = await keyhost(['token', '--client-id', 'cli', '--realm', 'demo', ...places]);
  t.regex(busy.stderr, /demo: status 503 \[server_refused]\n {2}→ try again, or look at the log of the server\n/);
});

terminalTest('keyhost token: at a terminal, it reaches a realm that no realm file has', async (t) => {
  const { places } = await scene(t, 404);
  const { type, ends } = atTerminal(t, `token --client-id cli ${places.join(' ')}`);
  type('master\n');
  const output = await ends();
  t.regex(output, /Realm \(the realms folder has demo, partner\): /);
  t.regex(output, /no issuer \S+\/realms\/master: status 404 \[options_invalid]\r\n {2}→ correct --realm or --server/);
});
