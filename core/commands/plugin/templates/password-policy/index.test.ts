import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PasswordPolicy } from '@keyhost/spi';
import { conforms, startHost, testRealm } from '@keyhost/spi/testing';
import plugin from './index.js';

test('a password with the word is refused', async (t) => {
  const realms = [{ ...testRealm('test'), passwordPolicy: '__id__(acme)' }];
  const host = await startHost(t, { plugins: [plugin], realms });
  const realm = host.realm('test');
  const token = await realm.token('dave');
  const users = `${host.url}/admin/realms/test/users`;
  const [alice] = (await realm.fetch(`${users}?username=alice`, { token })).json as { id: string }[];
  const set = (value: string) =>
    realm.fetch(`${users}/${alice?.id}/reset-password`, { method: 'PUT', token, json: { type: 'password', value } });
  const refused = await set('My Acme 1');
  assert.equal(refused.status, 400);
  assert.deepEqual(refused.json, {
    error: '__word__Refused',
    error_description: 'Choose a password without “acme”.',
  });
  assert.equal((await set('Something else')).status, 204);
});

test('it keeps the rules of its SPI', async (t) => {
  await conforms(t, PasswordPolicy, plugin);
});
