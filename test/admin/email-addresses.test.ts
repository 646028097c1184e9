import test from 'ava';
import { adminCaller, administered, ownRealm } from '../helpers/admin.js';
import { startMailServer } from '../helpers/mail-server.js';
import { shareHost } from '../helpers/shared-host.js';
import { EMAIL_ADDRESSES, REFUSED_ADDRESSES } from './email-addresses.js';

// A mail server without SMTPUTF8 fails one mail.
const shared = shareHost(
  test,
  administered({ realms: [] }),
  /does not support SMTPUTF8|Failed to send execute actions email/,
);

test('email addresses: the rules are Keycloak’s', async (t) => {
  const { host } = await ownRealm(shared());
  const call = await adminCaller(host);
  const path = `/realms/${host.defaultRealm}/users`;
  const table = [...EMAIL_ADDRESSES, ...REFUSED_ADDRESSES.map(([address]) => [address, false] as const)];
  for (const [index, [email, isTaken]] of table.entries()) {
    const answer = await call('POST', path, { username: `user-${index}`, email, enabled: true });
    const stored = answer.headers.get('location');
    // Surrounding spaces are removed here, while Keycloak refuses the address.
    const taken = isTaken || email.trim() !== email;
    t.is(stored !== null, taken, `${JSON.stringify(email)} ${answer.text}`);
    if (stored === null) t.is(answer.status, 400);
    else await call('DELETE', `${path}/${stored.split('/').pop()}`);
  }
});

test('email addresses: an email to an address beyond ASCII goes by SMTPUTF8, or is refused with the reason', async (t) => {
  const able = await startMailServer(t);
  const unable = await startMailServer(t, { hideSMTPUTF8: true });
  for (const server of [able, unable]) {
    const { host } = await ownRealm(shared(), { smtpServer: server.settings });
    const call = await adminCaller(host);
    const send = async (username: string, email: string) => {
      const created = await call('POST', `/realms/${host.defaultRealm}/users`, { username, email, enabled: true });
      const id = created.headers.get('location')?.split('/').pop();
      return call('PUT', `/realms/${host.defaultRealm}/users/${id}/execute-actions-email`, ['UPDATE_PASSWORD']);
    };
    t.is((await send('ascii-local', 'somebody@b\u00fccher.test')).status, 204, 'the domain is written in ASCII');
    t.deepEqual((await server.mail(0)).envelope.to, ['somebody@b\u00fccher.test'], 'as the server decodes it');
    const beyond = await send('beyond', 'j\u00fcrgen@b\u00fccher.test');
    t.is(beyond.status, server === able ? 204 : 500, beyond.text);
    if (server === able) t.deepEqual((await server.mail(1)).envelope.to, ['j\u00fcrgen@b\u00fccher.test']);
    else {
      t.is(server.received.length, 1);
      t.regex(host.log.map(({ fields }) => JSON.stringify(fields)).join('\n'), /does not support SMTPUTF8/);
    }
  }
});
