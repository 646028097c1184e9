import test from 'ava';
import { administered, ownRealm } from '../helpers/admin.js';
import { eventually } from '../helpers/eventually.js';
import { startMailServer } from '../helpers/mail-server.js';
import { shareHost } from '../helpers/shared-host.js';

const shared = shareHost(test, administered({ realms: [] }));

test('T722 · event emails: repeated failed logins do not fill the user’s mailbox', async (t) => {
  const server = await startMailServer(t);
  const { host } = await ownRealm(shared(), { eventsListeners: ['email'], smtpServer: server.settings });
  const limit = 30;
  const form = { grant_type: 'password', client_id: 'spa', username: 'alice', password: 'bad\r\nBcc: eve@example.org' };
  for (let count = 0; count < limit + 5; count += 1) t.not((await host.token(host.defaultRealm, form)).status, 200);
  await host.events.flush();
  await eventually(() => server.received.length >= limit);
  t.is(server.received.length, limit);
  t.deepEqual([...new Set(server.received.map(({ envelope }) => envelope.to.join()))], ['alice@example.test']);
  const told = host.log.filter(({ message }) => message === 'a user is not mailed more events');
  t.deepEqual(
    told.map(({ level }) => level),
    ['warn'],
  );
});
