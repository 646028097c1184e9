import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import type { RealmRepresentation } from '../../core/model/representation.js';
import { adminClient, ROOT } from '../helpers/admin.js';
import { fetchAnswer } from '../helpers/host.js';
import { KEYCLOAK_HOME, type Keycloak, startKeycloak } from '../helpers/keycloak.js';
import { command, folder, run } from '../helpers/process.js';
import { testRealm } from '../helpers/realms.js';

/** Of `testRealm`. */
const [ALICE, PASSWORD] = ['alice', 'Alice-pass-1!'];
const ROOT_ARGV = ['--bootstrap-admin-username', ROOT.username, '--bootstrap-admin-password', ROOT.password];

/** Keyhost in a folder of its own, with these realm files. */
async function keyhost(t: ExecutionContext, realms: readonly object[]) {
  const dir = await folder(t, [...realms]);
  const { url = '' } = await run(t, dir, ['start-dev', ...ROOT_ARGV]);
  const places = ['--data-dir', join(dir, 'data'), '--plugins-file', join(dir, 'plugins.json')];
  const logIn = async (realm: string) => {
    const body = new URLSearchParams({
      ...{ grant_type: 'password', client_id: 'admin-cli', username: ALICE, password: PASSWORD },
    });
    return (await fetchAnswer(`${url}/realms/${realm}/protocol/openid-connect/token`, { method: 'POST', body })).status;
  };
  return { dir, url, logIn, command: (argv: readonly string[]) => command([...argv, ...places]) };
}

/** Makes the realm in Keycloak under another name, and takes it away again. */
async function imported(t: ExecutionContext, keycloak: Keycloak, realm: RealmRepresentation, check?: () => unknown) {
  const { id: _, ...rest } = realm;
  const { status, text } = await keycloak.admin('POST', '', { ...rest, realm: 'from-keyhost' });
  t.is(status, 201, text);
  await check?.();
}

(KEYCLOAK_HOME === undefined ? test.skip : test.serial)(
  'a realm goes to a real Keycloak and comes back, and its users log in at both [KEYCLOAK_HOME names one]',
  async (t) => {
    t.timeout(900_000);
    const keycloak = await startKeycloak(t, KEYCLOAK_HOME ?? '');
    const here = await keyhost(t, [testRealm('demo')]);

    const admin = await adminClient({ url: here.url } as never);
    const options = { realm: 'demo', exportClients: true, exportGroupsAndRoles: true };
    const partial = (await admin.realms.export(options)) as RealmRepresentation;
    t.true((partial.authenticationFlows ?? []).length > 10, 'the flows that run are told, though the file has none');
    const { providers: _, actionTokenPolicy: __, ...documented } = partial;
    const clients = partial.clients?.map(({ impersonation: ___, ...client }) => client);
    await imported(t, keycloak, { ...documented, clients } as RealmRepresentation);
    t.is((await keycloak.admin('DELETE', '/from-keyhost')).status, 204);

    const file = join(here.dir, 'for-keycloak.json');
    const { code, out } = await here.command(['realm', 'export', 'demo', '--for-keycloak', '--file', file]);
    t.is(code, 0, out);
    await imported(t, keycloak, JSON.parse(await readFile(file, 'utf8')) as RealmRepresentation);
    t.is(await keycloak.logIn('from-keyhost', ALICE, PASSWORD), 200);
    t.is(await keycloak.logIn('from-keyhost', ALICE, 'wrong'), 400);

    const back = join(here.dir, 'back.json');
    await keycloak.exportTo(back, 'from-keyhost');
    const realm = JSON.parse(await readFile(back, 'utf8')) as RealmRepresentation;
    const there = await keyhost(t, []);
    const copy = join(there.dir, 'realms', 'from-keyhost.json');
    await writeFile(copy, JSON.stringify(realm));
    t.like(await there.command(['realm', 'check', copy]), { code: 0 });
    const again = await keyhost(t, [realm]);
    t.is(await again.logIn('from-keyhost'), 200);
  },
);
