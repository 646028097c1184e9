import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CredentialProvider } from '@keyhost/spi';
import { conforms, FormBrowser, startHost } from '@keyhost/spi/testing';
import plugin from './index.js';

test('a user chooses a word, and is asked for it from then on', async (t) => {
  const realm = (await startHost(t, { plugins: [plugin] })).realm();
  const logIn = async () => {
    const browser = new FormBrowser(realm);
    const page = await browser.submit(await browser.logIn(), { username: 'alice', password: 'alice' });
    assert.ok(page);
    return { browser, page };
  };

  const first = await logIn();
  assert.match((await first.browser.submit(first.page, { word: 'oak' }))?.text ?? '', /At least 6 letters/);
  assert.equal((await first.browser.submit(first.page, { word: 'Chestnut' }))?.status, 302);

  const { browser, page } = await logIn();
  assert.match((await browser.submit(page, { word: 'Hazelnut' }))?.text ?? '', /This is not your word/);
  assert.equal((await browser.submit(page, { word: ' chestnut' }))?.status, 302);
  const events = (await realm.events()).map(({ type }) => type);
  assert.ok(events.includes('UPDATE_CREDENTIAL'));
});

test('it keeps the rules of its SPI', async (t) => {
  await conforms(t, CredentialProvider, plugin);
});
