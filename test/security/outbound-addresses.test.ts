import test from 'ava';
import { isPrivateAddress } from '../../core/keys/outbound/outbound-request.js';
import { adminCaller, startAdministered } from '../helpers/admin.js';
import { ALICE, testRealm } from '../helpers/realms.js';

/** 127.0.0.1, 10.0.0.1 and others in every notation, and addresses that no outside host has. */
const PRIVATE = [
  '::ffff:0:127.0.0.1',
  '::ffff:0:7f00:1',
  '::ffff:0:8.8.8.8',
  '::127.0.0.1',
  '::7f00:1',
  '::ffff:127.0.0.1',
  '64:ff9b::127.0.0.1',
  '64:ff9b::7f00:1',
  '64:ff9b:1::10.0.0.1',
  '2002:7f00:1::',
  '2002:a00:1::1',
  '2001:0:808:808::',
  '100::1',
  '100:0:0:1::1',
  'fec0::1',
  'fd00::1',
  'fe80::1',
  'fe80::1%lo',
  'ff02::1',
  '2001:db8::1',
  '3fff::1',
  '5f00::1',
  '4000::1',
  '8000::1',
  '::2',
  '0:0:0:0:ffff:0:7f00:1',
  '192.0.0.8',
  '192.88.99.1',
  '198.18.0.1',
  '198.19.255.255',
  '240.0.0.1',
  '255.255.255.255',
  '100.64.0.1',
  '0.0.0.0',
  '127.1.2.3',
  '169.254.169.254',
  '172.31.0.1',
  '192.168.0.1',
  '10.0.0.1',
  '224.0.0.1',
];

test('T532 · outbound addresses: a private or invalid address is private in all spellings', async (t) => {
  for (const address of PRIVATE) t.true(isPrivateAddress(address), address);
  for (const address of ['8.8.8.8', '::ffff:8.8.8.8', '2606:4700::1111', '2a00:1450::1', '172.32.0.1', '100.128.0.1'])
    t.false(isPrivateAddress(address), address);
});

test('T533 · outbound addresses: the host sends nothing to such an address that a realm names', async (t) => {
  const host = await startAdministered(t, {
    mode: 'start',
    argv: ['--hostname', 'https://id.example.test', '--http-enabled'],
    realms: [testRealm('demo', { providers: {} })],
  });
  const call = await adminCaller(host);
  // As many mails as the limit per user allows.
  const written = PRIVATE.filter((_, index) => index % 6 === 0);
  for (const address of written) {
    const smtpServer = { host: address, port: '1', from: 'a@example.test' };
    t.is((await call('PUT', '/realms/demo', { smtpServer })).status, 204, address);
    const refused = await call('PUT', `/realms/demo/users/${ALICE}/execute-actions-email`, ['UPDATE_PASSWORD']);
    t.is(refused.status, 500, address);
  }
  const told = host.log.filter(({ message }) => message === 'an email was not sent');
  t.is(told.length, written.length);
  for (const { fields } of told) t.regex(JSON.stringify(fields), /allow its network in --outbound-private-networks/);
});
