import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ExecutionContext } from 'ava';
import type { RealmRepresentation } from '../../core/model/representation.js';
import { adminClient, ROOT } from '../helpers/admin.js';
import { keyhost } from '../helpers/command.js';
import { fetchAnswer } from '../helpers/host.js';
import { besideKeycloak, type Keycloak, startKeycloak } from '../helpers/keycloak.js';
import { folder, run } from '../helpers/process.js';
import { testRealm } from '../helpers/realms.js';

/** A user of each realm, and the password. */
const USERS = {
  test: ['alice', 'Alice-pass-1!'],
  demo: ['alice', 'alice'],
  partner: ['paula', 'paula'],
} as const;
const NAMES = Object.keys(USERS) as (keyof typeof USERS)[];
/** The realm files that Keyhost ships with. */
const REALMS = new URL('../../../realms/', import.meta.url);
const ROOT_ARGV = ['--bootstrap-admin-username', ROOT.username, '--bootstrap-admin-password', ROOT.password];

/** Keyhost in a folder of its own, with these realm files, or in a folder that is there. */
async function startKeyhost(t: ExecutionContext, realms: readonly object[], there?: string) {
  const dir = there ?? (await folder(t, [...realms]));
  await copyFile(new URL('../plugins.json', REALMS), join(dir, 'plugins.json'));
  const { url = '', output } = await run(t, dir, ['start-dev', ...ROOT_ARGV]);
  t.not(url, '', output());
  const places = ['--data-dir', join(dir, 'data'), '--plugins-file', join(dir, 'plugins.json')];
  const token = (realm: string, form: Record<string, string>) =>
    fetchAnswer(`${url}/realms/${realm}/protocol/openid-connect/token`, {
      method: 'POST',
      body: new URLSearchParams(form),
    });
  const logIn = async (realm: string, [username, password]: readonly [string, string]) =>
    (await token(realm, { grant_type: 'password', client_id: 'admin-cli', username, password })).status;
  return { dir, url, token, logIn, command: (argv: readonly string[]) => keyhost([...argv, ...places]) };
}

/** Makes the realm in Keycloak, which does not take the id of one that was removed. */
async function imported(t: ExecutionContext, keycloak: Keycloak, { id: _, ...realm }: RealmRepresentation) {
  const { status, text } = await keycloak.admin('POST', '', realm);
  t.is(status, 201, `${realm.realm}: ${text}`);
}

besideKeycloak(
  'realm files beside Keycloak: realms go to a real Keycloak and come back as one file, and their users log in at both',
  async (t, home) => {
    t.timeout(900_000);
    const keycloak = await startKeycloak(t, home);
    const shipped = ['demo', 'partner'].map((name) => readFile(new URL(`${name}.json`, REALMS), 'utf8'));
    const realms = (await Promise.all(shipped)).map((text) => JSON.parse(text) as RealmRepresentation);
    // In Keycloak, IDs of users are unique across realms.
    const users = testRealm('test').users?.map(({ id: _, ...user }) => user) ?? [];
    const here = await startKeyhost(t, [testRealm('test', { users }), ...realms]);

    const admin = await adminClient(here);
    for (const realm of NAMES) {
      const options = { realm, exportClients: true, exportGroupsAndRoles: true };
      const partial = (await admin.realms.export(options)) as RealmRepresentation;
      t.true((partial.authenticationFlows ?? []).length > 10, 'the flows that run are told, though a file has none');
      const { providers: _, actionTokenPolicy: __, ...documented } = partial;
      const clients = partial.clients?.map(({ impersonation: ___, ...client }) => client);
      await imported(t, keycloak, { ...documented, clients } as RealmRepresentation);
      t.is((await keycloak.admin('DELETE', `/${realm}`)).status, 204);
    }
    for (const realm of NAMES) {
      const file = join(here.dir, `${realm}-for-keycloak.json`);
      const { code, stderr: err } = await here.command(['realm', 'export', realm, '--for-keycloak', '--file', file]);
      t.is(code, 0, err);
      await imported(t, keycloak, JSON.parse(await readFile(file, 'utf8')) as RealmRepresentation);
      const [username, password] = USERS[realm];
      t.is(await keycloak.logIn(realm, username, password), 200, realm);
      t.not(await keycloak.logIn(realm, username, 'wrong'), 200, realm);
    }

    const back = join(here.dir, 'back.json');
    await keycloak.exportTo(back);
    const all = JSON.parse(await readFile(back, 'utf8')) as RealmRepresentation[];
    t.deepEqual(all.map(({ realm }) => realm).sort(), ['master', ...NAMES].sort());
    const there = await folder(t, []);
    const copy = join(there, 'realms', 'all.json');
    await writeFile(copy, JSON.stringify(all, null, 2));
    t.like(await here.command(['realm', 'check', copy]), { code: 0 });
    const again = await startKeyhost(t, [], there);
    for (const realm of NAMES) t.is(await again.logIn(realm, USERS[realm]), 200, realm);
  },
);
