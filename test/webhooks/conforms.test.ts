import { EventListener, RealmResourceProvider } from '@keyhost/spi';
import { conforms } from '@keyhost/spi/testing';
import webhooks from '@keyhost/webhooks';
import test from 'ava';
import { startReceiver } from './receiver.js';
import { SECRET } from './scene.js';

test('webhooks: the listener keeps the rules of its SPI', async (t) => {
  const receiver = await startReceiver(t);
  const endpoints = { all: { url: receiver.url, events: ['*'], secret: SECRET } };
  const ok = await conforms(t, EventListener, webhooks, { realmConfig: { 'events-listener/webhooks': { endpoints } } });
  t.deepEqual(
    ok,
    ['background', 'onAdminEvent', 'onEvent'].map((name) => `webhooks ${name}`),
  );
});

test('webhooks: the routes keep the rules of their SPI', async (t) => {
  const ok = await conforms(t, RealmResourceProvider, webhooks, {
    exercise: async ({ realm }) => {
      const token = await realm.token('dave');
      const ask = (path: string, method = 'POST') => realm.fetch(`/webhooks${path}`, { token, method });
      for (const path of ['/endpoints', '/dead-letters']) await ask(path, 'GET');
      for (const path of ['/endpoints/none/test', '/endpoints/none/enable']) await ask(path);
      for (const path of ['/dead-letters/replay', '/dead-letters/none/replay']) await ask(path);
      await ask('/dead-letters/none', 'DELETE');
    },
  });
  t.is(ok.length, 7);
});
