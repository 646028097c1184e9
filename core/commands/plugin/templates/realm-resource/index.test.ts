import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RealmResourceProvider } from '@keyhost/spi';
import { conforms, startHost } from '@keyhost/spi/testing';
import plugin from './index.js';

test('a user is greeted by the name that was remembered', async (t) => {
  const host = await startHost(t, { plugins: [plugin] });
  const realm = host.realm();
  const token = await realm.token('alice');
  const path = '/__id__/greeting';

  assert.equal((await realm.fetch(path)).status, 401);
  assert.deepEqual((await realm.fetch(path, { token })).json, { text: 'Hello, alice' });
  const remembered = await realm.fetch(path, { method: 'PUT', json: { name: 'Al' }, token });
  assert.equal(remembered.status, 204);
  assert.deepEqual((await realm.fetch(path, { token })).json, { text: 'Hello, Al' });
  assert.equal((await realm.fetch(path, { method: 'PUT', json: {}, token })).status, 400);
});

test('it keeps the rules of its SPI', async (t) => {
  await conforms(t, RealmResourceProvider, plugin);
});
