import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AdminPage } from '@keyhost/spi';
import { conforms, startHost } from '@keyhost/spi/testing';
import plugin from './index.js';

test('an admin adds a notice, sees it, and removes it', async (t) => {
  const host = await startHost(t, { plugins: [plugin] });
  const realm = host.realm();
  const page = `${host.url}/admin/realms/${realm.name}/pages/__id__`;
  const token = await realm.token('dave');
  const rows = async () => ((await realm.fetch(`${page}/list`, { token })).json as { rows: { key: string }[] }).rows;

  assert.equal((await realm.fetch(`${page}/add`, { json: { text: 'Hello' }, token })).status, 204);
  const again = await realm.fetch(`${page}/add`, { json: { text: 'Hello' }, token });
  assert.equal(again.status, 400);
  assert.match(again.text, /"pointer":"\/text"/);
  const [row] = await rows();
  assert.deepEqual(row, { key: 'notice/Hello', text: 'Hello', urgent: false, by: 'dave', since: host.clock.now() });
  const gone = `${page}/remove?key=${encodeURIComponent(row?.key ?? '')}`;
  assert.equal((await realm.fetch(gone, { method: 'DELETE', token })).status, 204);
  assert.deepEqual(await rows(), []);

  const anybody = await realm.token('alice');
  assert.equal((await realm.fetch(`${page}/list`, { token: anybody })).status, 403);
  const events = (await realm.adminEvents()).map(({ resourcePath }) => resourcePath);
  assert.deepEqual(events, ['pages/__id__/add', 'pages/__id__/remove']);
});

test('it keeps the rules of its SPI', async (t) => {
  await conforms(t, AdminPage, plugin);
});
