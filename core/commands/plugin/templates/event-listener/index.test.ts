import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EventListener } from '@keyhost/spi';
import { APP, conforms, startHost } from '@keyhost/spi/testing';
import plugin from './index.js';

test('the third failed login from an address within ten minutes is told, once', async (t) => {
  const host = await startHost(t, { plugins: [plugin] });
  const realm = host.realm();
  const warnings = () => host.log.filter(({ message }) => message === 'logins keep failing').length;
  const fail = async () => {
    await realm.tokenRequest({ ...APP, grant_type: 'password', username: 'alice', password: 'wrong' });
    await realm.events();
  };

  await fail();
  await fail();
  assert.equal(warnings(), 0);
  host.clock.forward(601);
  for (let failures = 0; failures < 4; failures += 1) await fail();
  assert.equal(warnings(), 1);
});

test('it keeps the rules of its SPI', async (t) => {
  await conforms(t, EventListener, plugin);
});
