import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FormAction } from '@keyhost/spi';
import { conforms, FormBrowser, startHost } from '@keyhost/spi/testing';
import plugin from './index.js';

const PERSON = {
  username: 'new',
  email: 'new@example.test',
  firstName: 'New',
  lastName: 'Example',
  password: 'a new password',
  'password-confirm': 'a new password',
};

test('nobody registers without an answer, and the answer becomes an attribute', async (t) => {
  const host = await startHost(t, { plugins: [plugin] });
  const realm = host.realm();
  const browser = new FormBrowser(realm);
  const page = await browser.register();
  const again = await browser.submit(page, { ...PERSON, heardFrom: ' ' });
  assert.match(again?.text ?? '', /One to eighty characters/);
  assert.equal((await browser.submit(again ?? page, { ...PERSON, heardFrom: 'a friend' }))?.status, 302);
  const token = await realm.token('dave');
  const users = await realm.fetch(`${host.url}/admin/realms/${realm.name}/users?username=new`, { token });
  assert.match(users.text, /"heardFrom":\["a friend"\]/);
});

test('it keeps the rules of its SPI', async (t) => {
  await conforms(t, FormAction, plugin);
});
