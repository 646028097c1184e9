import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import test from 'ava';
import { keyhost } from '../helpers/command.js';
import { differentMembers } from '../helpers/different-members.js';
import { folder } from '../helpers/process.js';

/** An export of Keycloak 26.7.3, users included, as it wrote it. */
const EXPORT = fileURLToPath(new URL('../../../test/fixtures/keycloak-26-round-trip.json', import.meta.url));

test('realm export: an export of Keycloak with users comes back to it, member by member', async (t) => {
  const dir = await folder(t, []);
  const realm = (...argv: string[]) =>
    keyhost(['realm', ...argv, '--data-dir', join(dir, 'data'), '--plugins-file', join(dir, 'plugins.json')]);
  const applied = await realm('apply', EXPORT);
  t.is(applied.code, 0, applied.stderr);
  const exported = await realm('export', 'trip', '--for-keycloak');
  t.is(exported.code, 0, exported.stderr);
  t.regex(exported.stderr, /Keycloak does not accept it: nothing\n/);
  const before = JSON.parse(await readFile(EXPORT, 'utf8'));
  const after = JSON.parse(exported.stdout);
  // Private keys are no part of an export.
  const keys = 'components.org.keycloak.keys.KeyProvider[].config';
  t.deepEqual(differentMembers(before, after).sort(), [`${keys}.privateKey`, `${keys}.secret`]);
  // The default role is exported completely, and mappers set for userinfo what Keycloak assumes.
  t.deepEqual(differentMembers(after, before), [
    'clientScopes[].protocolMappers[].config.userinfo.token.claim',
    'defaultRole.attributes',
    'defaultRole.composites',
  ]);
});
