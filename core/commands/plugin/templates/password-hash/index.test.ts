import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PasswordHash } from '@keyhost/spi';
import { APP, conforms, startHost, testRealm } from '@keyhost/spi/testing';
import plugin from './index.js';

test('a login makes the new hash, and the next one verifies it', async (t) => {
  const realms = [{ ...testRealm('test'), passwordPolicy: 'hashAlgorithm(__id__) and hashIterations(10)' }];
  const host = await startHost(t, { plugins: [plugin], realms });
  const realm = host.realm('test');
  const login = async (password: string) =>
    (await realm.tokenRequest({ ...APP, grant_type: 'password', username: 'alice', password })).status;
  assert.equal(await login('alice'), 200);
  assert.equal(await login('alice'), 200);
  assert.equal(await login('wrong'), 400);
  const token = await realm.token('dave');
  const users = `${host.url}/admin/realms/test/users`;
  const [alice] = (await realm.fetch(`${users}?username=alice`, { token })).json as { id: string }[];
  const credentials = (await realm.fetch(`${users}/${alice?.id}/credentials`, { token })).json;
  const [password] = credentials as { credentialData: string }[];
  assert.deepEqual(JSON.parse(password?.credentialData ?? '{}'), {
    hashIterations: 10,
    algorithm: '__id__',
    additionalParameters: {},
  });
});

test('it keeps the rules of its SPI', async (t) => {
  await conforms(t, PasswordHash, plugin);
});
