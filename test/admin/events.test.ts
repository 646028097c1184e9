import test from 'ava';
import { adminCaller, adminClient, administered, ownRealm, startAdministered } from '../helpers/admin.js';
import { claimsOf, TestClock } from '../helpers/host.js';
import { ALICE, testRealm } from '../helpers/realms.js';
import { shareHost } from '../helpers/shared-host.js';

const shared = shareHost(test, administered({ realms: [] }));

const DAY_MS = 86_400_000;

test('Admin API, events: Keycloak’s admin client reads user events by filter, page by page, and deletes them', async (t) => {
  const clock = new TestClock(Date.now() - 2 * DAY_MS);
  const day = () => new Date(clock.now()).toISOString().slice(0, 10);
  const firstDay = day();
  const firstTime = clock.now();
  const host = await startAdministered(t, { realms: [testRealm('demo')], clock });
  const form = { grant_type: 'password', client_id: 'spa', username: 'alice', password: 'Alice-pass-1!' };
  await host.token('demo', form);
  clock.forward(DAY_MS / 1000);
  const secondDay = day();
  await host.token('demo', { ...form, password: 'wrong' });
  clock.forward(1);
  await host.token('demo', { grant_type: 'client_credentials', client_id: 'svc', client_secret: 'svc-secret' });
  clock.forward(DAY_MS / 1000);
  const admin = await adminClient(host);
  const types = async (
    filter: Parameters<typeof admin.realms.findEvents>[0] extends infer P ? Partial<P> : never = {},
  ) => (await admin.realms.findEvents({ realm: 'demo', ...filter })).map(({ type }) => type as string);
  t.deepEqual(await types(), ['CLIENT_LOGIN', 'LOGIN_ERROR', 'LOGIN']);
  t.deepEqual(await types({ type: 'LOGIN' }), ['LOGIN']);
  t.deepEqual(await types({ type: ['LOGIN', 'CLIENT_LOGIN'] }), ['CLIENT_LOGIN', 'LOGIN']);
  t.deepEqual(await types({ client: 'spa', user: ALICE }), ['LOGIN_ERROR', 'LOGIN']);
  t.deepEqual(await types({ client: 'spa' }), ['LOGIN_ERROR', 'LOGIN']);
  t.deepEqual(await types({ ipAddress: '127.0.0.1', max: 1, first: 1 }), ['LOGIN_ERROR']);
  t.deepEqual(await types({ ipAddress: '10.0.0.1' }), []);
  t.deepEqual(await types({ dateFrom: secondDay }), ['CLIENT_LOGIN', 'LOGIN_ERROR']);
  t.deepEqual(await types({ dateTo: firstDay }), ['LOGIN'], 'the whole day is included');
  t.deepEqual(await types({ dateTo: String(firstTime - 1) }), []);
  const [event] = await admin.realms.findEvents({ realm: 'demo', type: 'LOGIN_ERROR' });
  t.like(event, { type: 'LOGIN_ERROR', error: 'invalid_user_credentials', clientId: 'spa' });
  t.is(event?.realmId, (await host.realms.get('demo'))?.id);
  const call = await adminCaller(host);
  const oldest = await call('GET', '/realms/demo/events?direction=asc&max=1');
  t.is(JSON.parse(oldest.text)[0].type, 'LOGIN');
  for (const query of ['dateFrom=yesterday', 'dateTo=2026-13-40', 'direction=sideways', 'max=many']) {
    const answer = await call('GET', `/realms/demo/events?${query}`);
    t.is(answer.status, 400, query);
    t.true(answer.text.includes(query.split('=')[0] ?? ''), answer.text);
  }
  const unknown = await call('GET', '/realms/demo/events?type=LOGIN&type=LOGIN_EROR');
  t.is(unknown.status, 400);
  t.regex(
    unknown.text,
    /event type \\"LOGIN_EROR\\" not found \(did you mean \\"LOGIN_ERROR\\"\?\): it must be one of .*CODE_TO_TOKEN/,
  );
  t.is((await call('GET', '/realms/demo/admin-events?operationTypes=CRAETE')).status, 400);
  await admin.realms.clearEvents({ realm: 'demo' });
  t.deepEqual(await types(), []);
});

test('Admin API, events: an event is read by its ID, and the others of its session and token are found', async (t) => {
  const { host } = await ownRealm(shared());
  const form = {
    grant_type: 'password',
    client_id: 'spa',
    username: 'alice',
    password: 'Alice-pass-1!',
    scope: 'openid',
  };
  const { json } = await host.token(host.defaultRealm, form);
  await host.token(host.defaultRealm, { ...form, password: 'wrong' });
  await host.token(host.defaultRealm, form);
  const call = await adminCaller(host);
  const read = async (path: string) => JSON.parse((await call('GET', `/realms/${host.defaultRealm}${path}`)).text);
  const session = (claimsOf(json.access_token ?? '') as Record<string, string>).sid;
  const events = await read(`/events?session=${session}`);
  t.deepEqual(
    events.map(({ type }: { type: string }) => type),
    ['LOGIN'],
  );
  t.is((await read(`/events?session=${session}&user=${events[0].userId}&type=LOGIN`)).length, 1);
  t.deepEqual(await read(`/events/${events[0].id}`), events[0]);

  const ofToken = await read(`/events?token=${(claimsOf(json.access_token ?? '') as Record<string, string>).jti}`);
  t.deepEqual(ofToken, events, 'by the token that the event names');
  await call('PUT', `/realms/${host.defaultRealm}/events/config`, { adminEventsEnabled: true });
  await call('PUT', `/realms/${host.defaultRealm}`, { displayName: 'Another' });
  const [change] = await read('/admin-events?max=1');
  t.deepEqual(await read(`/admin-events/${change.id}`), change);
  t.is((await call('GET', `/realms/${host.defaultRealm}/events/${change.id}`)).status, 404, 'it is of the other list');
  for (const path of ['/events/none', '/events/%00', `/admin-events/${events[0].id}`, '/events/none%00'])
    t.is((await call('GET', `/realms/${host.defaultRealm}${path}`)).status, 404, path);
  const dave = await adminCaller(host, { realm: host.defaultRealm, username: 'alice', password: 'Alice-pass-1!' });
  t.is((await dave('GET', `/realms/${host.defaultRealm}/events/${events[0].id}`)).status, 403);
});

test('Admin API, events: admin events are found by operation, resource, path and admin', async (t) => {
  const demo = testRealm('demo', { adminEventsEnabled: true, adminEventsDetailsEnabled: true });
  const host = await startAdministered(t, { realms: [demo] });
  const root = await adminCaller(host);
  const dave = await adminCaller(host, { realm: 'demo', username: 'dave', password: 'Dave-pass-1!' });
  const handler = '/realms/demo/providers/action-token-handler/external-app-notification';
  await dave('PUT', '/realms/demo', { displayName: 'Named by dave' });
  await root('PUT', handler, { enabled: false });
  const admin = await adminClient(host);
  const paths = async (filter: object = {}) =>
    (await admin.realms.findAdminEvents({ realm: 'demo', ...filter })).map(({ resourcePath }) => resourcePath);
  const provider = handler.slice('/realms/demo/'.length);
  t.deepEqual(await paths(), [provider, '']);
  t.deepEqual(await paths({ resourceTypes: ['REALM', 'USER'] }), ['']);
  t.deepEqual(await paths({ resourceTypes: 'CUSTOM', operationTypes: 'UPDATE' }), [provider]);
  t.deepEqual(await paths({ operationTypes: ['DELETE', 'CREATE'] }), []);
  t.deepEqual(await paths({ resourcePath: 'providers/*' }), [provider]);
  t.deepEqual(await paths({ authRealm: 'demo' }), ['']);
  t.deepEqual(await paths({ authRealm: (await host.realms.get('master'))?.id }), [provider]);
  const [event] = await admin.realms.findAdminEvents({ realm: 'demo', authRealm: 'demo' });
  t.deepEqual(JSON.parse(event?.representation ?? ''), { displayName: 'Named by dave' });
  t.deepEqual(await paths({ authUser: event?.authDetails?.userId, authClient: event?.authDetails?.clientId }), ['']);
  await admin.realms.clearAdminEvents({ realm: 'demo' });
  t.deepEqual(await paths(), []);
});

test('Admin API, events: the event types that a realm stores are read and changed, and apply from the next event on', async (t) => {
  const { host } = await ownRealm(shared(), { eventsListeners: ['email'] });
  const admin = await adminClient(host);
  const before = await admin.realms.getConfigEvents({ realm: host.defaultRealm });
  t.like(before, { eventsEnabled: true, adminEventsEnabled: false, eventsListeners: ['email'] });
  t.true(before.enabledEventTypes?.includes('LOGIN'));
  t.false(before.enabledEventTypes?.includes('REFRESH_TOKEN'), 'the default set is shown');
  // The number of types in the Keycloak version of `systemInfo.version`, which Terraform's provider checks.
  t.is(before.enabledEventTypes?.length, 93);
  t.false(before.enabledEventTypes?.some((type) => /^(PERMISSION_TOKEN|USER_DISABLED_BY_.*)_ERROR$/.test(type)));
  await admin.realms.updateConfigEvents(
    { realm: host.defaultRealm },
    { enabledEventTypes: ['LOGIN_ERROR'], eventsExpiration: 60 },
  );
  await admin.realms.updateConfigEvents({ realm: host.defaultRealm }, { eventsListeners: ['jboss-logging', 'email'] });
  const form = { grant_type: 'password', client_id: 'spa', username: 'alice', password: 'Alice-pass-1!' };
  await host.token(host.defaultRealm, form);
  await host.token(host.defaultRealm, { ...form, password: 'wrong' });
  const events = await admin.realms.findEvents({ realm: host.defaultRealm });
  t.deepEqual(
    events.map(({ type }) => type as string),
    ['LOGIN_ERROR'],
  );
  t.like(await admin.realms.getConfigEvents({ realm: host.defaultRealm }), {
    eventsEnabled: true,
    eventsExpiration: 60,
    eventsListeners: ['jboss-logging', 'email'],
    enabledEventTypes: ['LOGIN_ERROR'],
  });
  const call = await adminCaller(host);
  const refusals: [object, RegExp][] = [
    [{ eventsListeners: ['nobody'] }, /Unknown event listener nobody/],
    [{ eventsExpiration: -1 }, /eventsExpiration: must be at least 0/],
    [{ enabledEventTypes: ['LOGGIN'] }, /enabledEventTypes.*LOGGIN/],
  ];
  for (const [body, text] of refusals) {
    const answer = await call('PUT', `/realms/${host.defaultRealm}/events/config`, body);
    t.is(answer.status, 400, answer.text);
    t.regex(answer.text, text);
  }
});

test('Admin API, events: the event of a created object has the ID of the response, and exists when the response arrives', async (t) => {
  const { host } = await ownRealm(shared(), { adminEventsEnabled: true });
  await (await adminCaller(host))('PUT', '/realms/master', { adminEventsEnabled: true });
  const call = await adminCaller(host);
  const latest = async (realm = host.defaultRealm) => {
    // Read from the store directly: a request to the API would wait until the event is written.
    const [event] = await host.store.events.query(realm, { kind: 'admin', max: 1 });
    return JSON.parse(event?.body ?? '{}') as { operationType: string; resourceType: string; resourcePath: string };
  };
  const idOf = (location: string) => location.slice(location.lastIndexOf('/') + 1);
  const base = `/realms/${host.defaultRealm}`;
  const create = async (path: string, body: unknown, realm = host.defaultRealm) => {
    const answer = await call('POST', path, body);
    t.is(answer.status, 201, `${path} ${answer.text}`);
    const location = answer.headers.get('location') ?? '';
    const { resourcePath, operationType } = await latest(realm);
    t.is(operationType, 'CREATE', path);
    t.is(
      location,
      `${host.url}/admin/realms/${realm === host.defaultRealm ? `${realm}/${resourcePath}` : resourcePath}`,
      path,
    );
    return idOf(location);
  };
  await create(`${base}/users`, { username: 'zoe' });
  const group = await create(`${base}/groups`, { name: 'one' });
  await create(`${base}/groups/${group}/children`, { name: 'two' });
  await create(`${base}/roles`, { name: 'a role' });
  const client = await create(`${base}/clients`, { clientId: 'made' });
  await create(`${base}/clients/${client}/roles`, { name: 'its role' });
  const mapper = { name: 'm', protocol: 'openid-connect', protocolMapper: 'oidc-audience-mapper' };
  await create(`${base}/clients/${client}/protocol-mappers/models`, mapper);
  await create(`${base}/client-scopes`, { name: 'scope' });
  await create(`${base}/components`, { providerId: 'ldap', providerType: 'org.keycloak.storage.UserStorageProvider' });
  await create(`${base}/clients-initial-access`, {});
  await create(`${base}/identity-provider/instances`, {
    alias: 'idp',
    providerId: 'oidc',
    enabled: true,
    config: {
      authorizationUrl: 'https://idp.test/auth',
      tokenUrl: 'https://idp.test/token',
      clientId: 'c',
      clientSecret: 's',
      issuer: 'https://idp.test',
      jwksUrl: 'https://idp.test/jwks',
      useJwksUrl: 'true',
    },
  });
  await create(`${base}/identity-provider/instances/idp/mappers`, {
    name: 'm',
    identityProviderAlias: 'idp',
    identityProviderMapper: 'hardcoded-attribute-idp-mapper',
    config: { attribute: 'a', 'attribute.value': 'b', syncMode: 'INHERIT' },
  });
  await create(`${base}/authentication/flows`, { alias: 'flow', providerId: 'basic-flow', topLevel: true });
  await create(`${base}/authentication/flows/flow/copy`, { newName: 'copy' });
  await create(`${base}/authentication/flows/copy/executions/execution`, { provider: 'auth-cookie' });
  await create(`${base}/authentication/flows/copy/executions/flow`, { alias: 'inner', type: 'basic-flow' });
  await create('/realms', { realm: 'made', enabled: true }, 'master');
  t.is((await call('DELETE', '/realms/made')).status, 204);
  t.like(await latest('master'), { operationType: 'DELETE', resourceType: 'REALM', resourcePath: 'made' });
});
