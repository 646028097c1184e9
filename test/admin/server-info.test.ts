import test from 'ava';
import { adminCaller, adminClient, startAdministered } from '../helpers/admin.js';
import { TestClock } from '../helpers/host.js';
import { providersFolder, resourcePlugin } from '../helpers/plugins.js';
import { testRealm } from '../helpers/realms.js';

test('serverinfo: it has the shape that Keycloak’s console reads', async (t) => {
  const providersDir = await providersFolder(t, { extra: resourcePlugin('extra', 'return {};') });
  const host = await startAdministered(t, {
    plugins: [{ module: 'extra' }],
    argv: ['--providers-dir', providersDir],
  });
  const info = await (await adminClient(host)).serverInfo.find();
  const { providers = {}, componentTypes = {}, protocolMapperTypes = {}, passwordPolicies = [], themes = {} } = info;
  t.deepEqual(providers['realm-restapi-extension']?.providers.extra, {
    order: 0,
    operationalInfo: { plugin: 'extra', version: '1.2.3' },
  });
  for (const spi of ['login-protocol', 'signature', 'clientSignature', 'cekmanagement', 'contentencryption', 'hash']) {
    t.truthy(providers[spi], spi);
  }
  t.deepEqual(Object.keys(providers.eventsListener?.providers ?? {}).sort(), ['email', 'jboss-logging']);
  t.deepEqual(providers.eventsStore?.providers, { jpa: { order: 0 } });
  const keys = componentTypes['org.keycloak.keys.KeyProvider'] ?? [];
  t.true(
    keys.some(({ id, properties }) => id === 'rsa-generated' && properties.some(({ name }) => name === 'priority')),
  );
  // Keycloak's admin console reads the mappers of each scope's protocol.
  for (const protocol of ['saml', 'docker-v2']) t.deepEqual(protocolMapperTypes[protocol], []);
  const mappers = protocolMapperTypes['openid-connect'] ?? [];
  t.is(mappers.length, Object.keys(providers['protocol-mapper']?.providers ?? {}).length);
  t.true(
    mappers.every(({ name, id }) => name !== id),
    'each has a name of its own',
  );
  t.true((info.builtinProtocolMappers?.['openid-connect'] ?? []).some(({ name }) => name === 'given name'));
  t.like(
    passwordPolicies.find(({ id }) => id === 'length'),
    { configType: 'int', defaultValue: '8' },
  );
  const names = Object.entries(themes).map(([type, all]) => [type, all.map(({ name }) => name)]);
  t.deepEqual(Object.fromEntries(names), {
    login: ['keycloak', 'keycloak.v2'],
    account: ['keycloak.v3'],
    admin: ['keycloak.v2'],
    email: ['keycloak'],
    welcome: ['keycloak'],
  });
  t.deepEqual(themes.login?.[0], { name: 'keycloak', locales: ['en', 'de'] });
  const policies = componentTypes['org.keycloak.services.clientregistration.policy.ClientRegistrationPolicy'] ?? [];
  t.deepEqual(
    policies.map(({ id }) => id),
    Object.keys(providers['client-registration-policy']?.providers ?? {}),
  );
  t.is(policies.length, 8);
  t.true(info.features?.every(({ name, enabled }) => typeof name === 'string' && typeof enabled === 'boolean'));
  t.true(info.enums?.resourceType?.includes('CLIENT'));
  t.regex(String(info.systemInfo?.version), /^26\.\d+\.\d+$/, 'the Keycloak whose API it is');
  t.true((info.memoryInfo?.total ?? 0) > 0);
  t.like(info.systemInfo, { requests: { minutes: 15 }, providerCalls: { count: 0, failed: 0 } });
});

test('serverinfo: the roles decide who sees it, and whoami names the caller', async (t) => {
  const host = await startAdministered(t, { realms: [testRealm('demo'), testRealm('other')] });
  const root = await adminCaller(host);
  const dave = await adminCaller(host, { realm: 'demo', username: 'dave', password: 'Dave-pass-1!' });
  const alice = await adminCaller(host, { realm: 'demo', username: 'alice', password: 'Alice-pass-1!' });
  t.is((await alice('GET', '/serverinfo')).status, 403);
  const ofDave = await dave('GET', '/serverinfo');
  t.is(ofDave.status, 200);
  t.false('systemInfo' in ofDave.json || 'memoryInfo' in ofDave.json, 'where it runs is not for admins of a realm');

  t.is((await alice('GET', '/demo/console/whoami')).status, 403);
  t.is((await dave('GET', '/other/console/whoami')).status, 403);
  const me = JSON.parse((await dave('GET', '/demo/console/whoami?currentRealm=other')).text);
  t.like(me, { realm: 'demo', displayName: 'dave', locale: 'en', createRealm: false, temporary: false });
  t.true(me.realm_access.demo.includes('manage-realm') && me.realm_access.demo.includes('query-users'));
  t.deepEqual(me.realm_access.other, []);
  const admin = await adminClient(host);
  const who = await admin.whoAmI.find({ realm: 'master', currentRealm: 'demo' });
  t.true(who.createRealm);
  for (const realm of ['master', 'demo']) t.true(who.realm_access[realm]?.includes('admin'), realm);
  t.is((await root('GET', '/nowhere/console/whoami')).status, 404);
});

test('serverinfo: what this host does not have is empty instead of an error', async (t) => {
  const host = await startAdministered(t, { realms: [testRealm('demo')] });
  const call = await adminCaller(host);
  const answers: [string, unknown][] = [
    ['client-types', { 'client-types': [], 'global-client-types': [] }],
    ['credential-registrators', []],
    ['organizations/?first=0&max=1', []],
    ['organizations/members/x/organizations', []],
  ];
  for (const [path, body] of answers) {
    const { status, text } = await call('GET', `/realms/demo/${path}`);
    t.is(status, 200, path);
    t.deepEqual(JSON.parse(text), body, path);
  }
});

test('serverinfo: the uptime counts from the start, even if the first request is late', async (t) => {
  const clock = new TestClock();
  const host = await startAdministered(t, { clock });
  clock.forward(185);
  const { json } = await (await adminCaller(host))('GET', '/serverinfo');
  t.like(json.systemInfo, { uptimeMillis: 185_000, uptime: '0 days, 0 hours, 3 minutes, 5 seconds' });
});
