import test from 'ava';
import { adminCaller, startAdministered } from '../helpers/admin.js';
import { startMailServer } from '../helpers/mail-server.js';
import { ALICE, testRealm } from '../helpers/realms.js';

const PRODUCTION = ['--hostname', 'https://id.example.test', '--http-enabled'];

test('T187 · email servers: a realm admin’s server is not in the operator’s networks, unless the operator allows it', async (t) => {
  const server = await startMailServer(t);
  const start = (...argv: string[]) =>
    startAdministered(t, {
      mode: 'start',
      argv: [...PRODUCTION, ...argv],
      realms: [testRealm('demo', { providers: {} })],
    });
  const mailed = async (host: Awaited<ReturnType<typeof start>>, mailHost: string) => {
    const call = await adminCaller(host);
    const smtpServer = { ...server.settings, host: mailHost };
    t.is((await call('PUT', '/realms/demo', { smtpServer })).status, 204);
    return call('PUT', `/realms/demo/users/${ALICE}/execute-actions-email`, ['UPDATE_PASSWORD']);
  };
  const strict = await start();
  for (const mailHost of ['127.0.0.1', 'localhost', '169.254.169.254', '0x7f000001']) {
    const refused = await mailed(strict, mailHost);
    t.deepEqual([refused.status, refused.json.errorMessage], [500, 'Failed to send execute actions email']);
  }
  const told = strict.log.filter(({ message }) => message === 'an email was not sent');
  t.is(told.length, 4);
  for (const { fields } of told) t.regex(JSON.stringify(fields), /allow its network in --outbound-private-networks/);
  t.is(server.received.length, 0);
  const named = await start('--outbound-private-networks', '127.0.0.0/8');
  t.is((await mailed(named, '127.0.0.1')).status, 204);
  t.is(server.received.length, 1);
});
