import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { Vault } from '@keyhost/spi';
import { conforms, startHost, testRealm, withEnabled } from '@keyhost/spi/testing';
import plugin from './index.js';

async function configured(t: TestContext, secrets: object) {
  const dir = await mkdtemp(join(tmpdir(), 'vault-'));
  t.after(() => rm(dir, { recursive: true, force: true }));
  const file = join(dir, 'secrets.json');
  await writeFile(file, JSON.stringify(secrets));
  return { 'vault/__id__': { file } };
}

test('a client whose secret stands in the file gets a token by it', async (t) => {
  const config = await configured(t, { test: { job: 'sesame' } });
  const job = { clientId: 'job', secret: '$' + '{vault.job}', serviceAccountsEnabled: true };
  const realm = withEnabled(testRealm('test'), [plugin]);
  const realms = [{ ...realm, clients: [...(realm.clients as object[]), job] as never }];
  const host = await startHost(t, { plugins: [{ plugin, config }], realms });
  const ask = async (secret: string) => {
    const form = { grant_type: 'client_credentials', client_id: 'job', client_secret: secret };
    return (await host.realm('test').tokenRequest(form)).status;
  };
  assert.equal(await ask('sesame'), 200);
  assert.equal(await ask('barley'), 401);
});

test('it keeps the rules of its SPI', async (t) => {
  await conforms(t, Vault, plugin, {
    config: await configured(t, { a: { conformance: 'x' }, b: { conformance: 'x' } }),
  });
});
