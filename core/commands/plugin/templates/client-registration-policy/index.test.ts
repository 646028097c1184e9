import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ClientRegistrationPolicy } from '@keyhost/spi';
import { conforms, startHost, testRealm } from '@keyhost/spi/testing';
import plugin from './index.js';

const POLICIES = 'org.keycloak.services.clientregistration.policy.ClientRegistrationPolicy';

test('a client registers with a name that begins as the realm wants, and keeps to it', async (t) => {
  const policy = {
    name: 'Names',
    providerId: '__id__',
    subType: 'anonymous',
    config: { prefix: ['Acme '] },
  };
  const realms = [testRealm('test', { components: { [POLICIES]: [policy] } })];
  const realm = (await startHost(t, { plugins: [plugin], realms })).realm();
  const path = '/clients-registrations/default';
  const register = (name: string) => realm.fetch(path, { json: { name, redirectUris: ['https://app.test/cb'] } });

  assert.match((await register('Shop')).text, /The name must begin with/);
  const { status, json } = await register('Acme Shop');
  assert.equal(status, 201);
  const { clientId, registrationAccessToken: token } = json as Record<string, string>;
  const change = { method: 'PUT', token, json: { clientId, name: 'Shop' } };
  assert.equal((await realm.fetch(`${path}/${clientId}`, change)).status, 403);
});

test('it keeps the rules of its SPI', async (t) => {
  await conforms(t, ClientRegistrationPolicy, plugin);
});
