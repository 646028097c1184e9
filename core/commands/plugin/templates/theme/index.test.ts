import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Theme } from '@keyhost/spi';
import { conforms, FormBrowser, startHost, testRealm, withEnabled } from '@keyhost/spi/testing';
import plugin from './index.js';

test('the login page has the colour and the words of the theme', async (t) => {
  const languages = { internationalizationEnabled: true, supportedLocales: ['en', 'de'], defaultLocale: 'de' };
  const realms = [testRealm('english'), testRealm('german', languages)].map((realm) => withEnabled(realm, [plugin]));
  const host = await startHost(t, { plugins: [plugin], realms });
  const page = async (name: string) => (await new FormBrowser(host.realm(name)).logIn()).text;
  assert.match(await page('english'), /--accent: #8a1c5b/);
  assert.match(await page('english'), />Come in</);
  assert.match(await page('german'), />Herein</);
});

test('it keeps the rules of its SPI', async (t) => {
  await conforms(t, Theme, plugin);
});
