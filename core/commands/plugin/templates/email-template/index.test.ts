import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EmailTemplate } from '@keyhost/spi';
import { conforms, startHost, testRealm, withEnabled } from '@keyhost/spi/testing';
import plugin from './index.js';

const ID = '__id__';

test('a mail to a user begins with the name, as text', async (t) => {
  const providers = { emailTemplate: { [ID]: { config: { greeting: '<Hi>' } } } };
  const realms = [withEnabled(testRealm('test', { providers }), [plugin])];
  const host = await startHost(t, { plugins: [plugin], realms });
  const realm = host.realm('test');
  const token = await realm.token('dave');
  const users = `${host.url}/admin/realms/test/users`;
  const [alice] = (await realm.fetch(`${users}?username=alice`, { token })).json as { id: string }[];
  const path = `${users}/${alice?.id}/execute-actions-email`;
  assert.equal((await realm.fetch(path, { method: 'PUT', token, json: ['UPDATE_PASSWORD'] })).status, 204);
  const [mail] = host.mails;
  assert.match(mail?.text ?? '', /^<Hi> Alice,/);
  assert.match(mail?.html ?? '', /^<p>&lt;Hi&gt; Alice,<\/p>[\s\S]*<a href="http/);
});

test('it keeps the rules of its SPI', async (t) => {
  await conforms(t, EmailTemplate, plugin);
});
