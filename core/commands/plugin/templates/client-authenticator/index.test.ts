import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import { ClientAuthenticator } from '@keyhost/spi';
import { conforms, startHost, testRealm } from '@keyhost/spi/testing';
import plugin from './index.js';

const KEY = 'a key of the client';

test('a client that signs the time gets a token, once for each signature', async (t) => {
  const job = {
    clientId: 'job',
    clientAuthenticatorType: '__id__',
    serviceAccountsEnabled: true,
    attributes: { 'time.key': KEY },
  };
  const realm = testRealm('test');
  const realms = [{ ...realm, clients: [...(realm.clients as object[]), job] as never }];
  const host = await startHost(t, { plugins: [plugin], realms });
  const ask = async (seconds: number, key = KEY) => {
    const time = String(Math.floor(host.clock.now() / 1000) + seconds);
    const proof = createHmac('sha256', key).update(`job ${time}`).digest('hex');
    const form = { grant_type: 'client_credentials', client_id: 'job', time, proof };
    return (await host.realm('test').tokenRequest(form)).status;
  };
  assert.equal(await ask(0), 200);
  assert.equal(await ask(0), 401);
  assert.equal(await ask(1), 200);
  assert.equal(await ask(2, 'another key, a long one'), 401);
  assert.equal(await ask(-3600), 401);
});

test('it keeps the rules of its SPI', async (t) => {
  await conforms(t, ClientAuthenticator, plugin);
});
