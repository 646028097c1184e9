import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AccountPage } from '@keyhost/spi';
import { conforms, FormBrowser, startHost } from '@keyhost/spi/testing';
import plugin from './index.js';

test('users follow a topic and leave it, and see none of anybody else', async (t) => {
  const host = await startHost(t, { plugins: [plugin] });
  const browser = new FormBrowser(host.realm());
  const page = await browser.account('/pages/__id__', 'alice');
  assert.match(page.text, /You follow no topics yet/);
  const again = await browser.submit(page, { topic: '' }, 'name="topic"');
  assert.match(again?.text ?? '', /Name a topic/);
  const followed = await browser.submit(page, { topic: 'Tea' }, 'name="topic"');
  assert.match(followed?.text ?? '', /item-title">Tea</);
  const other = await new FormBrowser(host.realm()).account('/pages/__id__', 'bob');
  assert.doesNotMatch(other.text, /Tea/);
  const left = await browser.submit(followed ?? page, {}, 'value="leave"');
  assert.match(left?.text ?? '', /You follow no topics yet/);
});

test('it keeps the rules of its SPI', async (t) => {
  await conforms(t, AccountPage, plugin);
});
