import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Validator } from '@keyhost/spi';
import { conforms, startHost } from '@keyhost/spi/testing';
import plugin from './index.js';

test('a value with the word is refused', async (t) => {
  const host = await startHost(t, { plugins: [plugin] });
  const realm = host.realm();
  const token = await realm.token('dave');
  const users = `${host.url}/admin/realms/${realm.name}/users`;
  // The test realm has an attribute for each validator.
  const create = (value: string) =>
    realm.fetch(users, { token, json: { username: 'newcomer', attributes: { 'checked-by-__id__': [value] } } });
  const refused = await create('The Admin');
  assert.equal(refused.status, 400);
  assert.deepEqual(refused.json, {
    field: 'checked-by-__id__',
    errorMessage: '__word__Refused',
    params: ['checked-by-__id__', 'admin'],
    error_description: 'Choose something without “admin”.',
  });
  assert.equal((await create('Somebody')).status, 201);
});

test('it keeps the rules of its SPI', async (t) => {
  await conforms(t, Validator, plugin);
});
