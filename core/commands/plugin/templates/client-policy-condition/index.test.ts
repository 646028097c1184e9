import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ClientPolicyCondition } from '@keyhost/spi';
import { APP, conforms, startHost, testRealm } from '@keyhost/spi/testing';
import plugin from './index.js';

/** A policy that rejects requests from addresses with this prefix. */
const policy = (prefix: string) => ({
  clientProfiles: { profiles: [{ name: 'nothing', executors: [{ executor: 'reject-request', configuration: {} }] }] },
  clientPolicies: {
    policies: [
      {
        name: 'addresses',
        enabled: true,
        conditions: [{ condition: '__id__', configuration: { prefix } }],
        profiles: ['nothing'],
      },
    ],
  },
});

test('a policy is for requests from addresses with the prefix', async (t) => {
  const realms = [testRealm('here', policy('127.')), testRealm('elsewhere', policy('10.'))];
  const host = await startHost(t, { plugins: [plugin], realms });
  const ask = (realm: string) => host.realm(realm).tokenRequest({ ...APP, grant_type: 'client_credentials' });

  assert.equal((await ask('here')).status, 400);
  assert.equal((await ask('elsewhere')).status, 200);
});

test('it keeps the rules of its SPI', async (t) => {
  await conforms(t, ClientPolicyCondition, plugin);
});
