import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { startHost } from '../helpers/host.js';
import { testRealm } from '../helpers/realms.js';

test('T810 · vault files: no secret of the vault of files is that of two realms, however their names and keys begin and end', async (t) => {
  const dir = await mkdtemp(join(tmpdir(), 'keyhost-vault-'));
  t.teardown(() => rm(dir, { recursive: true, force: true }));
  const keys = ['b', '_b', '__b', '_', 'b_', 'a_b'];
  const names = ['a', 'a_', 'a__', 'a_b'];
  const clientOf = (key: string) => ({
    clientId: `job${keys.indexOf(key)}`,
    secret: `\${vault.${key}}`,
    serviceAccountsEnabled: true,
    standardFlowEnabled: false,
  });
  const realms = names.map((name) => {
    const realm = testRealm(name, { providers: {} });
    return { ...realm, clients: [...(realm.clients ?? []), ...keys.map(clientOf)] };
  });
  const doubled = (text: string) => text.replaceAll('_', '__');
  const files = new Set(names.flatMap((name) => keys.map((key) => `${doubled(name)}_${doubled(key)}`)));
  for (const file of files) await writeFile(join(dir, file), `secret of ${file}`);
  const host = await startHost(t, { realms, plugins: [], argv: ['--vault-dir', dir] });
  const readers = new Map<string, string[]>();
  for (const name of names) {
    for (const key of keys) {
      const file = `${doubled(name)}_${doubled(key)}`;
      const form = { client_id: clientOf(key).clientId, client_secret: `secret of ${file}` };
      const { status } = await host.token(name, { grant_type: 'client_credentials', ...form });
      if (status === 200) readers.set(file, [...(readers.get(file) ?? []), name]);
      t.is(status, key.startsWith('_') ? 401 : 200, `${name} ${key}`);
    }
  }
  for (const [file, realmsOfFile] of readers) t.is(realmsOfFile.length, 1, file);
  t.true(files.size < names.length * keys.length, 'some names would collide');
  t.regex(JSON.stringify(host.log), /clients\[\d+\]\.secret[^}]*no file can have this secret/);
});
