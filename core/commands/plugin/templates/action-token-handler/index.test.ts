import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ActionTokenHandler } from '@keyhost/spi';
import { conforms, startHost } from '@keyhost/spi/testing';
import plugin, { TOKEN_TYPE } from './index.js';

test('a link confirms once, and not after its time', async (t) => {
  const host = await startHost(t, { plugins: [plugin] });
  const realm = host.realm();
  const issue = () => realm.actionToken(TOKEN_TYPE, 'alice', { claims: { request: '42' } });

  const { link } = await issue();
  assert.deepEqual((await realm.fetch(link)).json, { confirmed: '42' });
  assert.equal((await realm.fetch(link)).status, 400);
  const [confirmed, refused] = await realm.events();
  assert.equal(confirmed?.details['note.request'], '42');
  assert.equal(refused?.type, 'EXECUTE_ACTION_TOKEN_ERROR');

  const late = await issue();
  host.clock.forward(late.expiresIn + 1);
  assert.equal((await realm.fetch(late.link)).status, 400);
  await assert.rejects(realm.actionToken(TOKEN_TYPE, 'alice'), /request/);
});

test('it keeps the rules of its SPI', async (t) => {
  await conforms(t, ActionTokenHandler, plugin);
});
