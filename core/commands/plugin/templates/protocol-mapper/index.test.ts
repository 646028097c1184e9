import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ProtocolMapper } from '@keyhost/spi';
import { conforms, startHost, testRealm, withEnabled } from '@keyhost/spi/testing';
import plugin from './index.js';

test('tokens of a client with the mapper show initials where there are any', async (t) => {
  const nameless = { username: 'nameless', enabled: true };
  const realms = [
    withEnabled(testRealm('shop', { users: [nameless] }), [plugin]),
    withEnabled(testRealm('test'), [plugin]),
  ];
  const host = await startHost(t, { plugins: [plugin], realms });
  const initials = async (name: string, username: string) => {
    const realm = host.realm(name);
    const token = await realm.token(username, { clientId: 'app', scope: 'openid' });
    const { json } = await realm.fetch('/protocol/openid-connect/userinfo', { token });
    return (json as { initials?: string }).initials;
  };
  assert.equal(await initials('test', 'alice'), 'AE');
  assert.equal(await initials('shop', 'nameless'), undefined);
});

test('it keeps the rules of its SPI', async (t) => {
  await conforms(t, ProtocolMapper, plugin);
});
