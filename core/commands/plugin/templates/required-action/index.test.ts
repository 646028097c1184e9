import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RequiredAction } from '@keyhost/spi';
import { APP, conforms, FormBrowser, startHost } from '@keyhost/spi/testing';
import plugin from './index.js';

test('a user is asked at the first login, until there is an answer', async (t) => {
  const realm = (await startHost(t, { plugins: [plugin] })).realm();
  const logIn = async () => {
    const browser = new FormBrowser(realm);
    const page = await browser.submit(await browser.logIn(), { username: 'alice', password: 'alice' });
    assert.ok(page);
    return { browser, page };
  };

  const { browser, page } = await logIn();
  const again = await browser.submit(page, { nickname: ' ' });
  assert.match(again?.text ?? '', /One to forty characters/);
  assert.equal((await browser.submit(again ?? page, { nickname: 'Al' }))?.status, 302);
  assert.equal((await logIn()).page.status, 302);
});

test('without pages nobody gets in who has not answered yet', async (t) => {
  const realm = (await startHost(t, { plugins: [plugin] })).realm();
  const bob = { ...APP, grant_type: 'password', username: 'bob', password: 'bob' };
  assert.match((await realm.tokenRequest(bob)).text, /Account is not fully set up/);
});

test('it keeps the rules of its SPI', async (t) => {
  await conforms(t, RequiredAction, plugin);
});
