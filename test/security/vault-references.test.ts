import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import type { RealmRepresentation } from '../../core/model/representation.js';
import { adminCaller, administered, administrator, clientUuid, ownRealm } from '../helpers/admin.js';
import { ask, scriptedPlugin } from '../helpers/scripted-plugin.js';
import { shareHost } from '../helpers/shared-host.js';

const dir = mkdtempSync(join(tmpdir(), 'keyhost-references-'));
test.after.always(() => rmSync(dir, { recursive: true, force: true }));

const REFERENCE = '${vault.partner}';
const STOLEN = '${vault.billing}';
const MANAGED = ['manage-identity-providers', 'manage-clients', 'manage-realm'];

const shared = shareHost(
  test,
  administered({
    realms: [],
    argv: ['--vault-dir', dir],
    plugins: [{ module: 'linker', isolation: 'worker', grants: { '*': MANAGED } }],
    packages: { linker: scriptedPlugin('linker', Object.fromEntries(MANAGED.map((right) => [right, 'tries it']))) },
  }),
);

const provider = (alias: string, clientSecret: string, more: object = {}) => ({
  alias,
  providerId: 'oidc',
  enabled: true,
  config: {
    clientId: 'us',
    clientSecret,
    authorizationUrl: 'https://idp.example.test/auth',
    tokenUrl: 'https://idp.example.test/token',
    ...more,
  },
});
const EVIL = { tokenUrl: 'https://evil.example.test/token' };

async function start(changes: Partial<RealmRepresentation> = {}) {
  const { host } = await ownRealm(shared(), ({ users = [], clients = [] }) => ({
    identityProviders: [provider('partner', REFERENCE), provider('plain', 'a secret of its own')],
    providers: { 'realm-restapi-extension': { linker: { enabled: true } } },
    ...changes,
    clients: [...clients, { clientId: 'billing', secret: STOLEN, serviceAccountsEnabled: true }],
    users: [...users, administrator('manager', ...MANAGED), administrator('boss', 'realm-admin')],
  }));
  // These names of realms have no underscore.
  for (const [key, value] of [
    ['partner', 'of-partner'],
    ['billing', 'of-billing'],
  ]) {
    writeFileSync(join(dir, `${host.defaultRealm}_${key}`), String(value));
  }
  const realm = `/realms/${host.defaultRealm}`;
  const as = (username: string) => adminCaller(host, { realm: host.defaultRealm, username, password: username });
  return { host, realm, manager: await as('manager'), boss: await as('boss') };
}

test('T807 · vault references: an identity provider of a manager names no secret of the vault, in a new one, a changed one, an import', async (t) => {
  const { host, realm, manager, boss } = await start();
  const instances = `${realm}/identity-provider/instances`;
  const mine = provider('mine', STOLEN, EVIL);
  const refused = await manager('POST', instances, mine);
  t.is(refused.status, 403);
  t.regex(String(refused.json.error_description), /realm-admin can change clientSecret and addresses/);
  t.is((await manager('PUT', `${instances}/plain`, { ...mine, alias: 'plain' })).status, 403);
  t.is((await manager('PUT', `${instances}/partner`, provider('partner', STOLEN))).status, 403);
  const imported = { ifResourceExists: 'OVERWRITE', identityProviders: [{ ...mine, alias: 'plain' }] };
  t.is((await manager('POST', `${realm}/partialImport`, imported)).status, 403);
  const body = { ...mine, alias: 'of-plugin' };
  const asked = await ask(
    host,
    host.defaultRealm,
    'linker',
    'admin',
    'request',
    'POST',
    '/identity-provider/instances',
    body,
  );
  t.is((asked as { value?: { status?: number } }).value?.status, 403, JSON.stringify(asked));
  t.is((await manager('POST', instances, provider('own', 'my own secret', EVIL))).status, 201, 'a secret of its own');
  t.is((await boss('POST', instances, mine)).status, 201);
});

test('T808 · vault references: a secret of the vault is not sent to another address: by a mask, the same reference, or a provider of the same name', async (t) => {
  const { realm, manager, boss } = await start();
  const path = `${realm}/identity-provider/instances/partner`;
  const shown = (await manager('GET', path)).json as unknown as { config: Record<string, string> };
  t.is((await manager('PUT', path, { ...shown, displayName: 'Partner' })).status, 204, 'it stays where it is');
  for (const [name, url] of [
    ['tokenUrl', 'https://evil.example.test/token'],
    ['jwksUrl', 'https://evil.example.test/jwks'],
    ['userInfoUrl', 'https://evil.example.test/me'],
    ['tokenIntrospectionUrl', 'https://evil.example.test/introspect'],
    ['authorizationUrl', 'https://evil.example.test/auth'],
    ['issuer', 'https://evil.example.test'],
  ] as const) {
    const masked = { ...shown, config: { ...shown.config, [name]: url } };
    t.is((await manager('PUT', path, masked)).status, 400, `${name}, masked`);
    t.is((await manager('PUT', path, provider('partner', REFERENCE, { [name]: url }))).status, 403, name);
    t.is((await boss('PUT', path, masked)).status, 400, `${name}, masked, by who may`);
  }
  const imported = { ifResourceExists: 'OVERWRITE', identityProviders: [provider('partner', REFERENCE, EVIL)] };
  t.is((await manager('POST', `${realm}/partialImport`, imported)).status, 403);
  t.is((await manager('DELETE', path)).status, 204);
  t.is((await manager('POST', `${realm}/identity-provider/instances`, provider('partner', REFERENCE))).status, 403);
  t.is((await boss('POST', `${realm}/identity-provider/instances`, provider('partner', REFERENCE, EVIL))).status, 201);
});

test('T809 · vault references: no client of a manager is an oracle of a secret of the vault', async (t) => {
  const { host, realm, manager, boss } = await start();
  const clients = `${realm}/clients`;
  const guess = async (clientId: string) => {
    const form = { grant_type: 'client_credentials', client_id: clientId, client_secret: 'of-billing' };
    return (await host.token(host.defaultRealm, form)).status;
  };
  const mine = { clientId: 'mine', secret: STOLEN, serviceAccountsEnabled: true };
  const refused = await manager('POST', clients, mine);
  t.is(refused.status, 403);
  t.regex(String(refused.json.error_description), /realm-admin can change the secret of the client mine/);
  t.is((await manager('POST', clients, { ...mine, secret: 'my own' })).status, 201);
  const id = await clientUuid(host, 'mine');
  t.is((await manager('PUT', `${clients}/${id}`, { ...mine, id })).status, 403);
  t.not(await guess('mine'), 200);
  const token = (await boss('POST', `${realm}/clients-initial-access`, { count: 3, expiration: 600 })).json.token;
  const registered = await fetch(`${host.realm(host.defaultRealm)}/clients-registrations/default`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ ...mine, clientId: 'registered' }),
  });
  t.not(registered.status, 201, await registered.text());

  const billing = await clientUuid(host, 'billing');
  t.is(await guess('billing'), 200);
  const shown = (await manager('GET', `${clients}/${billing}`)).json;
  t.is(shown.secret as unknown, STOLEN);
  t.is((await manager('PUT', `${clients}/${billing}`, { ...shown, description: 'Bills' })).status, 204, 'it stays');
  t.is((await boss('PUT', `${clients}/${id}`, { ...mine, id })).status, 204);
  t.is(await guess('mine'), 200);
});
