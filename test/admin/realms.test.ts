import test from 'ava';
import { adminCaller, adminClient, startAdministered } from '../helpers/admin.js';
import { fetchAnswer } from '../helpers/host.js';
import { pluginSource, providersFolder } from '../helpers/plugins.js';
import { testRealm } from '../helpers/realms.js';

const HOOK = pluginSource(import.meta.url, 'plugins/hook.js');

test('Admin API, realms: a masked secret stays with the address that it was set for', async (t) => {
  const providers = {
    'events-listener': { webhook: { config: { url: 'https://hooks.example.test', secret: 'w-hidden' } } },
  };
  const smtpServer = {
    host: 'mail.example.test',
    port: '587',
    starttls: 'true',
    auth: 'true',
    user: 'u',
    password: 's-hidden',
  };
  const argv = ['--providers-dir', await providersFolder(t, { hook: HOOK })];
  const tokenUrl = 'https://partner.example.test/token';
  const idp = { clientId: 'keyhost', authorizationUrl: 'https://partner.example.test/auth', tokenUrl };
  const host = await startAdministered(t, {
    argv,
    plugins: [{ module: 'hook' }],
    realms: [
      testRealm('demo', {
        smtpServer,
        providers,
        eventsListeners: ['webhook'],
        identityProviders: [{ alias: 'p', providerId: 'oidc', config: { ...idp, clientSecret: 'i-hidden' } }],
        components: {
          'org.keycloak.storage.UserStorageProvider': [
            {
              id: 'ldap',
              name: 'ldap',
              providerId: 'ldap',
              config: { connectionUrl: ['ldaps://l'], bindCredential: ['l-hidden'] },
            },
          ],
        },
      }),
    ],
  });
  const call = await adminCaller(host);
  const before = (await host.realms.get('demo'))?.representation;
  const masked = { password: '**********', clientSecret: '**********' };
  const evil = 'https://evil.example.test';
  const component = { id: 'ldap', name: 'ldap', providerId: 'ldap' };
  for (const [path, body, told] of [
    ['', { smtpServer: { ...smtpServer, ...masked, host: 'evil.example.test' } }, /password.*smtpServer\.host changes/],
    ['', { smtpServer: { ...smtpServer, ...masked, port: '2525' } }, /smtpServer\.port/],
    ['', { smtpServer: { ...smtpServer, ...masked, starttls: 'false' } }, /smtpServer\.starttls/],
    [
      '/identity-provider/instances/p',
      { providerId: 'oidc', config: { ...idp, tokenUrl: evil, ...masked } },
      /clientSecret.*tokenUrl changes/,
    ],
    [
      '/identity-provider/instances/p',
      { providerId: 'oidc', config: { ...idp, userInfoUrl: evil, ...masked } },
      /userInfoUrl/,
    ],
    ['/components/ldap', { ...component, config: { connectionUrl: ['ldap://evil'] } }, /bindCredential.*connectionUrl/],
    ['/providers/events-listener/webhook', { config: { url: evil } }, /secret: must be sent again, as url changes/],
    ['/providers/events-listener/webhook', { config: { url: evil, secret: '**********' } }, /as url changes/],
  ] as const) {
    const answer = await call('PUT', `/realms/demo${path}`, body);
    t.deepEqual([answer.status, told.test(answer.text)], [400, true], `${path} ${answer.text}`);
    t.notRegex(answer.text, /hidden/);
  }
  const imported = { alias: 'p', providerId: 'oidc', config: { ...idp, tokenUrl: evil, ...masked } };
  const parts = { ifResourceExists: 'OVERWRITE', identityProviders: [imported] };
  t.is((await call('POST', '/realms/demo/partialImport', parts)).status, 400);
  t.deepEqual((await host.realms.get('demo'))?.representation, before);
  t.is(
    (await call('PUT', '/realms/demo', { smtpServer: { ...smtpServer, host: 'other', password: 'new' } })).status,
    204,
  );
  const sent = { config: { url: evil, secret: 'new' } };
  t.is((await call('PUT', '/realms/demo/providers/events-listener/webhook', sent)).status, 204);
});

test('Admin API, realms: Keycloak’s admin client creates, reads, changes and removes a realm', async (t) => {
  const host = await startAdministered(t);
  const admin = await adminClient(host);
  const { realmName } = await admin.realms.create({ realm: 'new', displayName: 'New', enabled: true });
  t.is(realmName, 'new');
  const before = await admin.realms.findOne({ realm: 'new' });
  t.like(before, { realm: 'new', displayName: 'New', accessTokenLifespan: 300, sslRequired: 'external' });
  await admin.realms.update({ realm: 'new' }, { accessTokenLifespan: 77, attributes: { color: 'blue' } });
  await admin.realms.update({ realm: 'new' }, { displayName: 'Newer', smtpServer: { host: 'mail', password: 'x' } });
  await admin.realms.update({ realm: 'new' }, { smtpServer: { host: 'mail', from: 'a@b.c', password: '**********' } });
  const after = await admin.realms.findOne({ realm: 'new' });
  t.like(after, { id: before?.id, displayName: 'Newer', accessTokenLifespan: 77, attributes: { color: 'blue' } });
  t.deepEqual(after?.smtpServer, { host: 'mail', from: 'a@b.c', password: '**********' });
  const stored = (await host.realms.get('new'))?.representation.smtpServer;
  t.deepEqual(stored, { host: 'mail', from: 'a@b.c', password: 'x' }, 'a mask changes no secret');
  t.is((await fetchAnswer(`${host.realm('new')}/.well-known/openid-configuration`)).status, 200);
  t.deepEqual((await admin.realms.find({ briefRepresentation: true })).map(({ realm }) => realm).sort(), [
    'master',
    'new',
  ]);
  await t.throwsAsync(admin.realms.create({ realm: 'new' }), { message: /already exists/ });
  await admin.realms.del({ realm: 'new' });
  t.falsy(await admin.realms.findOne({ realm: 'new' }));
  t.is((await fetchAnswer(host.realm('new'))).status, 404);
});

test('Admin API, realms: a realm is created with its users and clients, or not at all', async (t) => {
  const host = await startAdministered(t);
  const call = await adminCaller(host);
  const realm = testRealm('imported');
  const broken = { ...realm, clients: [...(realm.clients ?? []), { clientId: 'web' }], groups: [{ name: '' }] };
  const refused = await call('POST', '/realms', broken);
  t.is(refused.status, 400);
  t.regex(refused.text, /"errorMessage":"groups.0.name: must not be empty"/);
  t.is((await call('GET', '/realms/imported')).status, 404);
  const answer = await call('POST', '/realms', realm);
  t.is(answer.status, 201);
  t.is(answer.text, '');
  t.is(answer.headers.get('location'), `${host.url}/admin/realms/imported`);
  const form = { grant_type: 'password', client_id: 'spa', username: 'alice', password: 'Alice-pass-1!' };
  t.is((await host.token('imported', form)).status, 200);
});

test('Admin API, realms: access: no token, a token of another realm, a token without user, and the rights of a creator', async (t) => {
  const creator = {
    username: 'creator',
    credentials: [{ type: 'password', value: 'c' }],
    realmRoles: ['create-realm'],
  };
  const master = { realm: 'master', enabled: true, users: [{ ...creator, enabled: true }] };
  const host = await startAdministered(t, { realms: [testRealm('demo'), testRealm('other'), master] });
  const anonymous = await fetchAnswer(`${host.url}/admin/realms/demo`);
  t.is(anonymous.status, 401);
  t.is(anonymous.text, '{"error":"HTTP 401 Unauthorized"}');
  t.is(anonymous.headers.get('www-authenticate'), null);
  const dave = await adminCaller(host, { realm: 'demo', username: 'dave', password: 'Dave-pass-1!' });
  const alice = await adminCaller(host, { realm: 'demo', username: 'alice', password: 'Alice-pass-1!' });
  t.is((await dave('GET', '/realms/demo')).status, 200);
  t.deepEqual(
    JSON.parse((await dave('GET', '/realms')).text).map(({ realm }: { realm: string }) => realm),
    ['demo'],
  );
  const forbidden = await alice('GET', '/realms/demo');
  t.is(forbidden.status, 403);
  t.is(forbidden.text, '{"error":"HTTP 403 Forbidden"}');
  t.is((await dave('GET', '/realms/other')).status, 403, 'his rights end with his realm');
  t.is((await dave('POST', '/realms', { realm: 'mine' })).status, 403);
  const unknown = await alice('GET', '/realms/nowhere');
  t.is(unknown.status, 404);
  t.is(unknown.text, '{"error":"Realm not found."}');
  const call = await adminCaller(host, { username: 'creator', password: 'c' });
  t.is((await call('GET', '/realms/demo')).status, 403);
  t.is((await call('POST', '/realms', { realm: 'mine' })).status, 201);
  t.is((await call('PUT', '/realms/mine', { enabled: true })).status, 204, 'who makes a realm may administer it');
  t.is((await call('PUT', '/realms/demo', { enabled: false })).status, 403);
  t.is((await dave('GET', '/realms/demo', undefined, { authorization: 'Bearer x.y.z' })).status, 401);
});

test('Admin API, realms: an invalid change leaves the realm as it is, and the response says why', async (t) => {
  const host = await startAdministered(t, { realms: [testRealm('demo')] });
  const call = await adminCaller(host);
  const put = async (body: unknown, headers?: Record<string, string>) => call('PUT', '/realms/demo', body, headers);
  const refusals: [unknown, RegExp][] = [
    [{ accessTokenLifespan: 0 }, /accessTokenLifespan: must be at least 1/],
    [{ sslRequired: 'sometimes' }, /sslRequired: must be one of none, external, all/],
    [{ passwordPolicy: 'lenght(8)' }, /passwordPolicy/],
    [{ realm: 'renamed' }, /name of a realm cannot be changed/],
    [[], /the body: must be an object/],
    ['{"a":', /Cannot parse the JSON/],
    ['{"displayName":"a","displayName":"b"}', /twice/],
  ];
  for (const [body, text] of refusals) {
    const answer = await put(body);
    t.is(answer.status, 400, answer.text);
    t.regex(answer.text, text);
  }
  t.is((await put('x=1', { 'content-type': 'application/x-www-form-urlencoded' })).status, 415);
  t.is((await host.realms.get('demo'))?.version, 1);
  t.is((await call('DELETE', '/realms/master')).status, 400);
  t.is((await call('PATCH', '/realms/demo')).status, 405);
  t.is((await call('GET', '/realms/demo/nothing')).status, 404);
  t.is((await call('GET', '/realms/%zz')).status, 400);
});

test('Admin API, realms: many parallel edits of one realm are all applied, in turn', async (t) => {
  const host = await startAdministered(t, { realms: [testRealm('demo')] });
  const call = await adminCaller(host);
  const edits = Array.from({ length: 50 }, (_, index) =>
    call('PUT', '/realms/demo', { attributes: { [`a${index}`]: String(index) } }),
  );
  t.deepEqual([...new Set((await Promise.all(edits)).map(({ status }) => status))], [204]);
  const realm = await host.realms.get('demo');
  t.is(realm?.version, 51);
  t.is(Object.keys(realm?.representation.attributes ?? {}).filter((name) => /^a\d+$/.test(name)).length, 50);
  t.false(host.log.some(({ fields }) => 'stack' in fields));
});

test('Admin API, realms: changes are admin events, without secrets', async (t) => {
  const host = await startAdministered(t, {
    realms: [testRealm('demo', { adminEventsEnabled: true, adminEventsDetailsEnabled: true })],
  });
  const call = await adminCaller(host);
  await call('PUT', '/realms/demo', { displayName: 'D', smtpServer: { host: 'h', password: 'hidden' } });
  await call('PUT', '/realms/demo', { accessTokenLifespan: -1 });
  await host.events.flush();
  const records = await host.store.events.query('demo', { kind: 'admin' });
  t.is(records.length, 1, 'what was refused did not happen');
  const event = JSON.parse(records[0]?.body ?? '');
  t.like(event, {
    operationType: 'UPDATE',
    resourceType: 'REALM',
    resourcePath: '',
    representation: { displayName: 'D', smtpServer: { host: 'h', password: '**********' } },
  });
  t.is(event.authDetails.ipAddress, '127.0.0.1');
});

test('Admin API, realms: the OpenAPI document describes every operation', async (t) => {
  const host = await startAdministered(t);
  const { status, json, text } = await fetchAnswer(`${host.url}/admin/openapi.json`);
  t.is(status, 200);
  t.like(json, { openapi: '3.1.0', servers: [{ url: `${host.url}/admin` }] });
  const names = new Set(Object.keys((JSON.parse(text).components as { schemas: object }).schemas));
  for (const [, name] of JSON.stringify(json).matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)) {
    t.true(names.has(name ?? ''), name);
  }
});
