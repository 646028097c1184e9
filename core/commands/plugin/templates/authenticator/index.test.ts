import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Authenticator } from '@keyhost/spi';
import { APP, conforms, FormBrowser, startHost } from '@keyhost/spi/testing';
import plugin from './index.js';

test('who agrees is let in, and not asked again', async (t) => {
  const realm = (await startHost(t, { plugins: [plugin] })).realm();
  const logIn = async (agree: Record<string, string>) => {
    const browser = new FormBrowser(realm);
    const page = await browser.submit(await browser.logIn(), { username: 'alice', password: 'alice' });
    assert.ok(page);
    return page.status === 302 ? page : browser.submit(page, agree);
  };

  assert.match((await logIn({}))?.text ?? '', /Not without your agreement/);
  assert.equal((await logIn({ agree: 'on' }))?.status, 302);
  assert.equal((await logIn({}))?.status, 302);
});

test('without pages the client says that its user agreed', async (t) => {
  const realm = (await startHost(t, { plugins: [plugin] })).realm();
  const bob = { ...APP, grant_type: 'password', username: 'bob', password: 'bob' };
  assert.match((await realm.tokenRequest(bob)).text, /invalid_grant/);
  assert.equal((await realm.tokenRequest({ ...bob, agree: 'on' })).status, 200);
});

test('it keeps the rules of its SPI', async (t) => {
  await conforms(t, Authenticator, plugin);
});
