import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { realmFilesOf } from '../../core/config/realm-file/realm-folder.js';
import type { RealmRepresentation } from '../../core/model/representation.js';
import { readCheckedFiles } from '../../core/realm-files/checked-file.js';
import { FileChecks } from '../../core/realm-files/module.js';
import { adminCaller, administered } from '../helpers/admin.js';
import { folder } from '../helpers/process.js';
import { shareHost } from '../helpers/shared-host.js';

const shared = shareHost(test, administered());

/** The report of `keyhost realm check` for a file, and its content. */
async function checked(t: ExecutionContext, text: string) {
  const dir = await folder(t, []);
  const file = join(dir, 'x.json');
  await writeFile(file, text);
  const { accepted, refused } = await readCheckedFiles(await realmFilesOf(file), shared().use(FileChecks), {
    hints: true,
  });
  t.deepEqual(refused, []);
  const told = (kind: 'hints' | 'warnings') =>
    accepted.flatMap((one) =>
      one[kind].map(({ line, column, path, message, suggestion }) => {
        const near = suggestion === undefined ? '' : ` (${suggestion}?)`;
        return `${line}:${column} ${path}: ${message}${near}`;
      }),
    );
  return { realm: accepted[0], hints: told('hints'), warnings: told('warnings') };
}

test('realm files: a client that names optional scopes alone gets a hint about its tokens', async (t) => {
  const named = { defaultClientScopes: ['basic'], optionalClientScopes: ['phone'] };
  const subject = { name: 's', protocol: 'openid-connect', protocolMapper: 'oidc-sub-mapper', config: {} };
  const alone = { optionalClientScopes: ['phone'] };
  const clients = [
    { clientId: 'alone', ...alone },
    { clientId: 'both', ...named },
    { clientId: 'neither' },
    { clientId: 'empty', defaultClientScopes: [], optionalClientScopes: ['phone'] },
    { clientId: 'api', bearerOnly: true, ...alone },
    { clientId: 'mapped', ...alone, protocolMappers: [subject] },
  ];
  const { warnings } = await checked(t, JSON.stringify({ realm: 'x', clients }));
  t.deepEqual(warnings, [
    '1:45 clients[0].optionalClientScopes: a client that names only optional client scopes has no default ones: its access tokens have no "sub" (add "defaultClientScopes")',
  ]);
});

test('realm files: missing names are completed as in Keycloak, each with a hint at its place', async (t) => {
  const { realm, hints, warnings } = await checked(
    t,
    `{ "realm": "x",
  "clients": [{ "clientId": "app", "defaultClientScopes": ["email", "profil"], "optionalClientScopes": [] }],
  "defaultOptionalClientScopes": ["phone", "none"],
  "groups": [{ "name": "g", "realmRoles": ["of-group"], "subGroups": [{ "name": "s", "clientRoles": { "app": ["below"] } }] }],
  "scopeMappings": [{ "client": "app", "roles": ["mapped"] }],
  "clientScopeMappings": { "app": [{ "client": "app", "roles": ["own"] }] },
  "identityProviderMappers": [{ "name": "m", "identityProviderAlias": "none", "identityProviderMapper": "oidc-role-idp-mapper" }],
  "users": [{ "username": "u", "realmRoles": ["ofline_access", " of-group "], "clientRoles": { "app": ["made"] } }]
}`,
  );
  t.deepEqual(hints, []);
  t.deepEqual(warnings, [
    '4:44 groups[0].realmRoles[0]: realm role "of-group" not found: it is created',
    '4:111 groups[0].subGroups[0].clientRoles.app[0]: the client app has no role "below": it is created',
    '5:50 scopeMappings[0].roles[0]: realm role "mapped" not found: it is created',
    '6:65 clientScopeMappings.app[0].roles[0]: the client app has no role "own": it is created',
    '2:69 clients[0].defaultClientScopes[1]: client scope "profil" not found: it is left out (profile?)',
    '3:44 defaultOptionalClientScopes[1]: client scope "none" not found: it is left out (phone?)',
    '7:46 identityProviderMappers[0].identityProviderAlias: identity provider "none" not found: the mapper has no effect',
    '8:47 users[0].realmRoles[0]: realm role "ofline_access" not found: it is created (offline_access?)',
    '8:104 users[0].clientRoles.app[0]: the client app has no role "made": it is created',
  ]);
  t.like(realm?.representation, {
    clients: [{ defaultClientScopes: ['email'] }],
    defaultOptionalClientScopes: ['phone'],
    roles: {
      realm: [{ name: 'of-group' }, { name: 'mapped' }, { name: 'ofline_access' }],
      client: { app: [{ name: 'below' }, { name: 'own' }, { name: 'made' }] },
    },
  });
  t.deepEqual(realm?.users[0]?.realmRoles, ['ofline_access', 'of-group']);
});

test('realm files: old names of Keycloak 1 to 12 are read as today’s, each with a hint at its place', async (t) => {
  const { realm, hints } = await checked(
    t,
    `{ "realm": "x", "keycloakVersion": "26.7.3",
  "applications": [{ "name": "app", "directGrantsOnly": true }],
  "oauthClients": [{ "name": "third" }],
  "applicationScopeMappings": { "app": [{ "client": "third", "roles": ["r"] }] },
  "clientTemplates": [{ "name": "my template", "protocol": "openid-connect" }],
  "clients": [{ "clientId": "c", "clientTemplate": "my template", "defaultRoles": ["cd"] }],
  "defaultRoles": ["everybody"],
  "roles": { "application": { "app": [{ "name": "r" }] } },
  "requiredActions": [{ "alias": "terms_and_conditions", "name": "Terms", "enabled": true }],
  "users": [{ "username": "u", "applicationRoles": { "app": ["r"] }, "requiredActions": ["update_password", "MINE"],
    "socialLinks": [{ "socialProvider": "google", "socialUserId": "1" }] }],
  "social": true, "socialProviders": { "google.key": "k", "google.secret": "s" }, "updateProfileOnInitialSocialLogin": true
}`,
  );
  t.deepEqual(hints, [
    '12:19 socialProviders: read as identityProviders',
    '2:37 applications[0].directGrantsOnly: read as standardFlowEnabled and directAccessGrantsEnabled',
    '6:34 clients[0].clientTemplate: read as the client scope my_template',
    '2:3 applications: applications are read as clients',
    '3:3 oauthClients: oauthClients are read as clients',
    '4:3 applicationScopeMappings: read as clientScopeMappings',
    '8:14 roles.application: read as roles.client',
    '5:3 clientTemplates: client templates are read as client scopes',
    '7:3 defaultRoles: default roles are read as what the role default-roles-x contains',
    '10:32 users[0].applicationRoles: read as clientRoles',
    '11:5 users[0].socialLinks: read as federatedIdentities',
    '9:25 requiredActions[0].alias: read as "TERMS_AND_CONDITIONS"',
    '10:90 users[0].requiredActions[0]: read as "UPDATE_PASSWORD"',
  ]);
  t.like(realm?.representation, {
    clients: [
      {
        clientId: 'c',
        defaultClientScopes: ['profile', 'email', 'roles', 'web-origins', 'acr', 'basic', 'my_template'],
      },
      { clientId: 'app', standardFlowEnabled: false, directAccessGrantsEnabled: true },
      { clientId: 'third', consentRequired: true, fullScopeAllowed: false },
    ],
    identityProviders: [{ alias: 'google', providerId: 'google', config: { clientId: 'k', clientSecret: 's' } }],
    clientScopes: [{ name: 'my_template' }],
    clientScopeMappings: { app: [{ client: 'third', roles: ['r'] }] },
    roles: {
      realm: [
        { name: 'everybody' },
        {
          name: 'default-roles-x',
          composites: {
            realm: ['offline_access', 'uma_authorization', 'everybody'],
            client: { account: ['view-profile', 'manage-account'], c: ['cd'] },
          },
        },
      ],
      client: { app: [{ name: 'r' }], c: [{ name: 'cd' }] },
    },
    requiredActions: [{ alias: 'TERMS_AND_CONDITIONS' }, { alias: 'delete_account', enabled: false }],
  });
  t.like(realm?.users[0], {
    clientRoles: { app: ['r'] },
    requiredActions: ['UPDATE_PASSWORD', 'MINE'],
    federatedIdentities: [{ identityProvider: 'google', userId: '1' }],
  });
});

test('realm files: migrations of a file are hints of realm check at their places', async (t) => {
  const { hints } = await checked(
    t,
    `{ "realm": "x",
  "keycloakVersion": "24.0.5",
  "clientScopes": [{ "name": "mine" }],
  "clients": [{ "clientId": "app" },
    { "clientId": "admin-cli", "fullScopeAllowed": false }]
}`,
  );
  t.deepEqual(hints, [
    '3:3 clientScopes: the client scope basic is added to the realm and its clients, as Keycloak 25 does with older files',
    '5:5 clients[1]: admin-cli has the attribute client.use.lightweight.access.token.enabled = "true", as Keycloak 26 does with older files',
    '5:5 clients[1]: admin-cli has fullScopeAllowed, so that its tokens administer the realm, as Keycloak 26 does with older files',
  ]);
});

test('realm files: an old file over HTTP is the realm that Keycloak makes of it, with its tokens and admin access', async (t) => {
  const call = await adminCaller(shared());
  const lists = { defaultClientScopes: ['profile'], optionalClientScopes: [] };
  const old = {
    realm: 'old',
    enabled: true,
    keycloakVersion: '24.0.5',
    clientScopes: [{ name: 'profile', protocol: 'openid-connect' }],
    clients: [
      { clientId: 'app', publicClient: true, directAccessGrantsEnabled: true, ...lists },
      { clientId: 'admin-cli', publicClient: true, directAccessGrantsEnabled: true, fullScopeAllowed: false, ...lists },
    ],
    users: [
      {
        username: 'Ada',
        email: 'Ada@Example.Test',
        enabled: true,
        credentials: [{ type: 'password', value: 'ada' }],
        realmRoles: ['engineer'],
        clientRoles: { 'realm-management': ['realm-admin'] },
      },
    ],
  };
  const made = await call('POST', '/realms', old as unknown as RealmRepresentation);
  t.is(made.status, 201, made.text);
  const grant = async (client_id: string, scope: string) => {
    const { json } = await shared().token('old', {
      grant_type: 'password',
      client_id,
      username: 'ADA',
      password: 'ada',
      scope,
    });
    return String(json.access_token);
  };
  const claims = JSON.parse(Buffer.from((await grant('app', '')).split('.')[1] ?? '', 'base64url').toString());
  const { json: users } = await call('GET', '/realms/old/users');
  const [ada] = users as unknown as { id: string; username: string; email: string }[];
  t.is(claims.sub, ada?.id);
  t.is((await call('GET', '/realms/old/roles/engineer')).status, 200);
  t.deepEqual([ada?.username, ada?.email], ['ada', 'ada@example.test']);
  const admin = await fetch(`${shared().url}/admin/realms/old/users`, {
    headers: { authorization: `Bearer ${await grant('admin-cli', '')}` },
  });
  t.is(admin.status, 200);
});

test('realm files: a login flow that no user can pass is reported where it is named, by the realm or a client', async (t) => {
  const overrides = (clientId: string, authenticationFlowBindingOverrides: object) => ({
    clientId,
    authenticationFlowBindingOverrides,
  });
  const clients = [
    overrides('a', { browser: 'clients', direct_grant: 'direct grant' }),
    overrides('b', { browser: '', direct_grant: 'f1' }),
    overrides('c', { browser: 'browser', other: 'clients' }),
  ];
  const own = { id: 'f1', alias: 'empty', providerId: 'basic-flow', topLevel: true, authenticationExecutions: [] };
  const realm = { realm: 'x', directGrantFlow: 'docker auth', clients, authenticationFlows: [own] };
  const nobody = (flow: string, of = '') =>
    `no user can sign in with the flow "${flow}"${of}: a required step is missing`;
  const { warnings } = await checked(t, JSON.stringify(realm));
  const told = warnings.filter((line) => line.includes('no user can sign in'));
  t.deepEqual(told.map((line) => line.replace(/^\S+ /, '')).sort(), [
    `clients[0].authenticationFlowBindingOverrides.browser: ${nobody('clients', ' of the client "a"')}`,
    `clients[1].authenticationFlowBindingOverrides.direct_grant: ${nobody('empty', ' of the client "b"')}`,
    `directGrantFlow: ${nobody('docker auth')}`,
  ]);
});
