import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ClientPolicyExecutor } from '@keyhost/spi';
import { APP, conforms, startHost, testRealm } from '@keyhost/spi/testing';
import plugin from './index.js';

test('a client has an owner, and asks for the scopes that the realm allows', async (t) => {
  const executors = [{ executor: '__id__', configuration: { scopes: ['email'] } }];
  const policies = {
    clientProfiles: { profiles: [{ name: 'owned', executors }] },
    clientPolicies: {
      policies: [
        {
          name: 'all clients',
          enabled: true,
          conditions: [{ condition: 'any-client', configuration: {} }],
          profiles: ['owned'],
        },
      ],
    },
  };
  const host = await startHost(t, { plugins: [plugin], realms: [testRealm('test', policies)] });
  const realm = host.realm();
  const ask = (scope: string) => realm.tokenRequest({ ...APP, grant_type: 'client_credentials', scope });
  assert.equal((await ask('email')).status, 200);
  const refused = await ask('profile');
  assert.equal((refused.json as Record<string, string>).error_description, 'The scope profile is not allowed');

  const token = await realm.token('dave');
  const create = (json: { clientId: string; attributes?: Record<string, string> }) =>
    realm.fetch(`${host.url}/admin/realms/test/clients`, { token, json });
  assert.equal((await create({ clientId: 'nobodys' })).status, 400);
  assert.equal((await create({ clientId: 'ours', attributes: { owner: 'us' } })).status, 201);
});

test('it keeps the rules of its SPI', async (t) => {
  await conforms(t, ClientPolicyExecutor, plugin);
});
