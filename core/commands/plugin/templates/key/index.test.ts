import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { KeyProvider } from '@keyhost/spi';
import { conforms, startHost, testRealm, withEnabled } from '@keyhost/spi/testing';
import plugin from './index.js';

async function configured(t: TestContext) {
  const dir = await mkdtemp(join(tmpdir(), 'key-'));
  t.after(() => rm(dir, { recursive: true, force: true }));
  const file = join(dir, 'key.pem');
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  await writeFile(file, privateKey.export({ format: 'pem', type: 'pkcs8' }));
  return { 'keys/__id__': { file } };
}

test('tokens are signed with the key, which is in the key set', async (t) => {
  const config = await configured(t);
  const realms = [withEnabled(testRealm('test', { defaultSignatureAlgorithm: 'ES256' }), [plugin])];
  const realm = (await startHost(t, { plugins: [{ plugin, config }], realms })).realm();
  const [header = ''] = (await realm.token('alice')).split('.');
  const { alg, kid } = JSON.parse(Buffer.from(header, 'base64url').toString());
  assert.equal(alg, 'ES256');
  const { json } = await realm.fetch('/protocol/openid-connect/certs');
  const { keys } = json as { keys: { kid: string; d?: string }[] };
  const published = keys.find((key) => key.kid === kid);
  assert.ok(published);
  assert.equal(published.d, undefined);
});

test('it keeps the rules of its SPI', async (t) => {
  await conforms(t, KeyProvider, plugin, { config: await configured(t) });
});
