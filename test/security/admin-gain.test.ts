import test from 'ava';
import type { RealmRepresentation } from '../../core/model/representation.js';
import { adminCaller, administered, administrator, clientUuid, ownRealm, startAdministered } from '../helpers/admin.js';
import { startMailServer } from '../helpers/mail-server.js';
import { idIn, testRealm } from '../helpers/realms.js';
import { shareHost } from '../helpers/shared-host.js';

const shared = shareHost(test, administered({ realms: [] }));

const MANAGER = administrator('manager', 'manage-realm', 'manage-clients', 'manage-identity-providers', 'view-users');
const WHOLE = administrator('whole', 'realm-admin');

/**
 * A realm with an admin of nearly all rights, an admin of all rights, and an admin who is linked to an identity
 * provider.
 */
async function start(changes: Partial<RealmRepresentation> = {}) {
  const linked = {
    ...administrator('linked', 'realm-admin'),
    federatedIdentities: [{ identityProvider: 'company', userId: 'c1', userName: 'linked' }],
  };
  const { host } = await ownRealm(shared(), ({ users = [] }) => ({
    identityProviders: [provider('company'), provider('partner')],
    ...changes,
    users: [...(changes.users ?? users), MANAGER, WHOLE, linked],
  }));
  const as = (username: string) => adminCaller(host, { realm: host.defaultRealm, username, password: username });
  return { host, manager: await as('manager'), whole: await as('whole') };
}

const provider = (alias: string, more: object = {}) => ({
  alias,
  providerId: 'oidc',
  enabled: true,
  ...more,
  config: {
    clientId: 'us',
    clientSecret: 's',
    authorizationUrl: 'https://idp.example.test/auth',
    tokenUrl: 'https://idp.example.test/token',
  },
});
const AUTO = {
  alias: 'auto',
  providerId: 'basic-flow',
  topLevel: true,
  builtIn: false,
  authenticationExecutions: [{ authenticator: 'idp-auto-link', requirement: 'ALTERNATIVE', priority: 10 }],
};

test('T322 · escalation: manage-realm alone does not decide where emails go', async (t) => {
  const smtpServer = { host: 'mail.example.test', from: 'id@example.test', auth: 'true', user: 'u', password: 'p' };
  const { host, manager, whole } = await start({ smtpServer });
  const stolen = { host: 'evil.example.test', from: 'id@example.test' };
  t.is((await manager('PUT', `/realms/${host.defaultRealm}`, { smtpServer: stolen })).status, 403);
  t.deepEqual((await host.realms.get(host.defaultRealm))?.representation.smtpServer, smtpServer);
  const shown = JSON.parse((await manager('GET', `/realms/${host.defaultRealm}`)).text) as RealmRepresentation;
  const saved = await manager('PUT', `/realms/${host.defaultRealm}`, { ...shown, displayName: 'Demo' });
  t.is(saved.status, 204, 'the console sends all of the settings back');
  t.is(
    (await manager('PUT', `/realms/${host.defaultRealm}`, { smtpServer: {} })).status,
    204,
    'no mail at all is nobody’s gain',
  );
  t.is((await manager('PUT', `/realms/${host.defaultRealm}`, { smtpServer: stolen })).status, 403);
  t.is((await whole('PUT', `/realms/${host.defaultRealm}`, { smtpServer: stolen })).status, 204);
});

test('T323 · escalation: new users join no group whose rights its author does not hold', async (t) => {
  const groups = [
    { name: 'harmless' },
    { name: 'admins', subGroups: [{ name: 'all', clientRoles: { 'realm-management': ['realm-admin'] } }] },
  ];
  const { host, manager, whole } = await start({ groups, users: [] });
  t.is((await manager('PUT', `/realms/${host.defaultRealm}`, { defaultGroups: ['/admins/all'] })).status, 403);
  t.is((await manager('PUT', `/realms/${host.defaultRealm}`, { defaultGroups: ['/harmless'] })).status, 204);
  t.is((await whole('PUT', `/realms/${host.defaultRealm}`, { defaultGroups: ['/admins/all'] })).status, 204);
});

test('T324 · escalation: manage-realm alone does not decide whose passkeys are accepted, and where links lead', async (t) => {
  const { host, manager, whole } = await start();
  const changes = [
    { webAuthnPolicyExtraOrigins: ['https://evil.example.test'] },
    { webAuthnPolicyRpId: 'example.test' },
    { webAuthnPolicyPasswordlessRpId: 'example.test' },
    { webAuthnPolicyPasswordlessExtraOrigins: ['https://evil.example.test'] },
    { attributes: { frontendUrl: 'https://evil.example.test' } },
    { attributes: { shortVerificationUri: 'https://evil.example.test' } },
  ];
  for (const change of changes) {
    t.is((await manager('PUT', `/realms/${host.defaultRealm}`, change)).status, 403, JSON.stringify(change));
    t.is((await whole('PUT', `/realms/${host.defaultRealm}`, change)).status, 204, JSON.stringify(change));
  }
});

test('T325 · escalation: nobody adds an identity provider of their own for another user’s account', async (t) => {
  const { host, manager, whole } = await start({ authenticationFlows: [AUTO] });
  const instances = `/realms/${host.defaultRealm}/identity-provider/instances`;
  const mine = provider('mine', { trustEmail: true, firstBrokerLoginFlowAlias: 'auto' });
  t.is((await manager('POST', instances, mine)).status, 403);
  t.is((await manager('PUT', `${instances}/partner`, { ...mine, alias: 'partner' })).status, 403);
  t.is(
    (await manager('POST', `/realms/${host.defaultRealm}/partialImport`, { identityProviders: [mine] })).status,
    403,
  );
  t.is((await manager('PUT', `/realms/${host.defaultRealm}`, { firstBrokerLoginFlow: 'auto' })).status, 403);
  t.is((await manager('POST', instances, provider('mine'))).status, 201, 'by the flow that asks for proof');

  const flows = `/realms/${host.defaultRealm}/authentication/flows`;
  const flow = { alias: 'own', providerId: 'basic-flow', topLevel: true, builtIn: false };
  t.is((await manager('POST', flows, flow)).status, 201);
  t.is(
    (await manager('PUT', `${instances}/mine`, { ...provider('mine'), firstBrokerLoginFlowAlias: 'own' })).status,
    204,
  );
  t.is((await manager('POST', `${flows}/own/executions/execution`, { provider: 'idp-auto-link' })).status, 201);
  const [execution] = JSON.parse((await manager('GET', `${flows}/own/executions`)).text) as object[];
  const required = { ...execution, requirement: 'ALTERNATIVE' };
  t.is((await manager('PUT', `${flows}/own/executions`, required)).status, 403);
  t.is((await whole('PUT', `${flows}/own/executions`, required)).status, 202);
  const moved = provider('mine');
  const elsewhere = { ...moved, config: { ...moved.config, tokenUrl: 'https://evil.example.test/token' } };
  const moving = { ...elsewhere, firstBrokerLoginFlowAlias: 'own' };
  t.is((await manager('PUT', `${instances}/mine`, moving)).status, 403);
  t.is((await manager('PUT', `${instances}/mine`, { ...moving, firstBrokerLoginFlowAlias: '' })).status, 204);
});

test('T326 · escalation: nobody changes an admin through an identity provider', async (t) => {
  const { host, manager, whole } = await start();
  const mappers = (alias: string) => `/realms/${host.defaultRealm}/identity-provider/instances/${alias}/mappers`;
  const mapper = {
    name: 'mail',
    identityProviderMapper: 'hardcoded-attribute-idp-mapper',
    config: { syncMode: 'FORCE', attribute: 'email', 'attribute.value': 'evil@example.test' },
  };
  t.is((await manager('POST', mappers('company'), mapper)).status, 403);
  const sent = { ...mapper, identityProviderAlias: 'company' };
  t.is(
    (await manager('POST', `/realms/${host.defaultRealm}/partialImport`, { identityProviderMappers: [sent] })).status,
    403,
  );
  const made = await whole('POST', mappers('company'), mapper);
  const path = `${mappers('company')}/${made.headers.get('location')?.split('/').pop()}`;
  t.is((await manager('PUT', path, mapper)).status, 403);
  t.is((await manager('DELETE', path)).status, 403);
  t.is((await manager('POST', mappers('partner'), mapper)).status, 201, 'nobody with more rights logs in by it');
});

test('T327 · escalation: manage-clients alone does not change the clients that all admins sign in to', async (t) => {
  const { host, manager, whole } = await start();
  const evil = { redirectUris: ['https://evil.example.test/*'], publicClient: true, standardFlowEnabled: true };
  const mapper = { name: 'x', protocol: 'openid-connect', protocolMapper: 'oidc-audience-mapper' };
  const consoles = ['account-console', 'security-admin-console'];
  for (const clientId of ['admin-cli', ...consoles, 'account', 'broker', 'realm-management']) {
    const path = `/realms/${host.defaultRealm}/clients/${await clientUuid(host, clientId)}`;
    t.is((await manager('PUT', path, evil)).status, 403, clientId);
    t.is((await manager('POST', `${path}/protocol-mappers/models`, mapper)).status, 403, clientId);
    t.is((await manager('POST', `${path}/client-secret`)).status, 403, clientId);
  }
  const forged = { clientId: 'security-admin-console', ...evil };
  t.is((await manager('POST', `/realms/${host.defaultRealm}/clients`, forged)).status, 403);
  t.is((await whole('POST', `/realms/${host.defaultRealm}/clients`, forged)).status, 409);
  t.is(
    (await whole('PUT', `/realms/${host.defaultRealm}/clients/${await clientUuid(host, 'admin-cli')}`, evil)).status,
    204,
  );
  t.is(
    (await manager('PUT', `/realms/${host.defaultRealm}/clients/${await clientUuid(host, 'web')}`, evil)).status,
    204,
  );
});

test('T328 · escalation: a text of the realm can mention an emailed link, and never redirects it', async (t) => {
  const server = await startMailServer(t);
  const { host, manager, whole } = await start({ smtpServer: server.settings });
  const all = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map((index) => `{${index}}`).join('/');
  const text = `https://evil.example.test/${all}/\${link}/{link} <a href="https://evil.example.test/{0}">x</a>`;
  for (const name of ['Subject', 'Text', 'Link', 'Ignore']) {
    const path = `/realms/${host.defaultRealm}/localization/en/executeActions${name}`;
    t.is((await manager('PUT', path, text, { 'content-type': 'text/plain' })).status, 204);
  }
  t.is(
    (
      await whole('PUT', `/realms/${host.defaultRealm}/users/${idIn(host.defaultRealm)}/execute-actions-email`, [
        'UPDATE_PASSWORD',
      ])
    ).status,
    204,
  );
  const [mail] = server.received;
  const { text: plain = '', html = '' } = mail ?? {};
  for (const body of [plain, html]) {
    t.true(body.includes('evil.example.test'), 'the text is in the mail');
    t.true(body.includes('action-token'), 'and so is the link');
    const addresses = [...body.matchAll(/https:\/\/evil\.example\.test[^\s"<]*/g)];
    t.true(addresses.length > 0);
    for (const [address] of addresses) t.notRegex(address, /key=|action-token|eyJ/);
  }
  t.notRegex(html, /href="https:\/\/evil/);
});

test('T334 · escalation: impersonation does not extend to clients with the rights of greater admins', async (t) => {
  const agent = administrator('agent', 'manage-clients', 'impersonation');
  const { host, whole } = await start({ users: [agent] });
  const call = await adminCaller(host, { realm: host.defaultRealm, username: 'agent', password: 'agent' });
  const client = (subjects: string) => ({
    clientId: `agent-${subjects}`,
    impersonation: { enabled: true, scopes: ['newsletterscope*'], subjects },
  });
  t.is((await call('POST', `/realms/${host.defaultRealm}/clients`, client('unprivileged'))).status, 201);
  t.is((await call('POST', `/realms/${host.defaultRealm}/clients`, client('any'))).status, 403);
  const path = `/realms/${host.defaultRealm}/clients/${await clientUuid(host, 'agent-unprivileged')}`;
  t.is((await call('PUT', path, { impersonation: client('any').impersonation })).status, 403);
  t.is((await whole('PUT', path, { impersonation: client('any').impersonation })).status, 204);
  t.is((await call('POST', `${path}/client-secret`)).status, 403, 'by its secret one would act as anybody');
  t.is((await call('PUT', path, { impersonation: client('unprivileged').impersonation })).status, 403);
});

test('T334 · escalation: the creator of a realm may do everything in it, and nothing in another', async (t) => {
  const creator = { username: 'creator', enabled: true, realmRoles: ['create-realm'] };
  const users = [{ ...creator, credentials: [{ type: 'password', value: 'creator' }] }];
  const host = await startAdministered(t, { realms: [{ realm: 'master', enabled: true, users }, testRealm('demo')] });
  const who = { username: 'creator', password: 'creator' };
  t.is((await (await adminCaller(host, who))('POST', '/realms', { realm: 'own', enabled: true })).status, 201);
  const call = await adminCaller(host, who);
  const smtpServer = { host: 'mail.example.test', from: 'id@example.test' };
  t.is((await call('PUT', '/realms/own', { smtpServer })).status, 204);
  t.is((await call('POST', '/realms/own/partialImport', { clients: [{ clientId: 'imported' }] })).status, 200);
  t.is((await call('PUT', '/realms/demo', { smtpServer })).status, 403);
  t.is((await call('PUT', '/realms/master', { smtpServer })).status, 403);
});
