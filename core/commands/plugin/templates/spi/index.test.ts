import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Plugin, provide, RealmResourceProvider } from '@keyhost/spi';
import { conforms, startHost } from '@keyhost/spi/testing';
import { Greeter } from './contract.js';
import plugin from './index.js';

/** A plugin with a greeter, as another author would write it. */
const greeter = (language: string, greet: (name: string) => string): Plugin => ({
  name: `greeter-${language}`,
  api: 1,
  providers: [
    provide(Greeter, {
      id: language,
      language,
      open: () => ({ create: () => ({ greet: async (name) => ({ text: greet(name) }) }) }),
    }),
  ],
});

test('every greeter of the realm is asked, and one that fails does not keep the others from it', async (t) => {
  const failing = greeter('la', () => {
    throw new Error('nobody speaks it');
  });
  const plugins = [
    greeter('en', (name) => `Hello, ${name}`),
    failing,
    greeter('de', (name) => `Hallo, ${name}`),
    plugin,
  ];
  const host = await startHost(t, { plugins });
  const realm = host.realm();
  const { json } = await realm.fetch('/__id__/Alice', { token: await realm.token('alice') });
  assert.deepEqual(json, { en: 'Hello, Alice', de: 'Hallo, Alice' });
});

test('it keeps the rules of its SPI', async (t) => {
  await conforms(t, RealmResourceProvider, plugin);
});
