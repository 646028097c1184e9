import { fileURLToPath } from 'node:url';
import test from 'ava';
import { adminCaller, adminClient, startAdministered } from '../helpers/admin.js';
import { fetchAnswer } from '../helpers/host.js';
import { follow, generate, issueKey } from '../helpers/login.js';
import { pluginSource, providersFolder } from '../helpers/plugins.js';
import { folder, run } from '../helpers/process.js';
import { testRealm } from '../helpers/realms.js';

const HANDLER = 'action-token-handler/external-app-notification';

const PLUGINS = fileURLToPath(new URL('../../../test/fixtures/plugins', import.meta.url));

interface Shown {
  readonly spi: string;
  readonly id: string;
  readonly enabled: boolean;
  readonly config: Record<string, unknown>;
  readonly health: { status: string; reason?: string };
}

test('providers of a realm: a provider is disabled and enabled in one realm, from the next request on', async (t) => {
  const host = await startAdministered(t, { realms: [testRealm('demo'), testRealm('other')] });
  const call = await adminCaller(host);
  const key = await issueKey(host);
  t.is((await follow(host, key)).status, 200);
  const shown = await call('GET', `/realms/demo/providers/${HANDLER}`);
  t.is(shown.status, 200);
  t.deepEqual(JSON.parse(shown.text), {
    spi: 'action-token-handler',
    id: 'external-app-notification',
    plugin: {
      name: '@keyhost/external-app-notification',
      version: '0.1.0',
      builtIn: false,
      isolation: 'none',
      limits: { callTimeout: 30, concurrency: 1000 },
    },
    enabled: true,
    enabledBy: 'providers',
    switchable: true,
    configSchema: JSON.parse(shown.text).configSchema,
    config: { clientId: 'nl', clientSecret: '**********', audience: 'newsletter-api' },
    calls: { running: 0, seconds: JSON.parse(shown.text).calls.seconds, ends: { ok: 3 } },
    failures: [],
    health: { status: 'up' },
  });
  t.like(JSON.parse(shown.text).configSchema.properties, { singleUse: { default: false } });

  const off = await call('PUT', `/realms/demo/providers/${HANDLER}`, { enabled: false });
  t.is(off.status, 204);
  t.is(off.text, '');
  t.is((await follow(host, key)).status, 400, 'a link that was given out is refused');
  t.is((await generate(host)).status, 404, 'and no other is given out');
  t.is(
    (await generate(host, { userId: 'a11ce000-0000-4000-8000-000000000001-other', applicationId: '42' }, {}, 'other'))
      .status,
    200,
  );
  t.like(JSON.parse((await call('GET', `/realms/demo/providers/${HANDLER}`)).text), {
    enabled: false,
    config: { clientId: 'nl' },
  });
  t.is((await call('PUT', `/realms/demo/providers/${HANDLER}`, { enabled: true })).status, 204);
  t.is((await follow(host, key)).status, 200);
});

test('providers of a realm: a configuration is changed member by member, checked by the provider, and keeps its secrets', async (t) => {
  const host = await startAdministered(t, {
    realms: [testRealm('demo', { adminEventsEnabled: true, adminEventsDetailsEnabled: true })],
  });
  const call = await adminCaller(host);
  const path = `/realms/demo/providers/${HANDLER}`;
  const put = (config: unknown) => call('PUT', path, { config });
  const stored = async () =>
    (await host.realms.get('demo'))?.provider('action-token-handler', 'external-app-notification');
  t.is((await put({ singleUse: true, clientSecret: '**********' })).status, 204);
  t.deepEqual((await stored())?.config, {
    clientId: 'nl',
    clientSecret: 'nl-secret',
    audience: 'newsletter-api',
    singleUse: true,
  });
  const key = await issueKey(host);
  t.is((await follow(host, key)).status, 200);
  t.is((await follow(host, key)).status, 400, 'a link works once now');
  t.is((await put({ singleUse: null, clientSecret: 'other-secret' })).status, 204);
  t.deepEqual(await stored(), {
    enabled: true,
    config: { clientId: 'nl', clientSecret: 'other-secret', audience: 'newsletter-api' },
  });

  const refusals: [unknown, RegExp][] = [
    [{ config: { singleUse: 'yes' } }, /config\.singleUse: must be a boolean/],
    [{ config: { singelUse: true } }, /config\.singelUse: unknown key \(did you mean \\"singleUse\\"\?\)/],
    [{ config: { audience: null } }, /config: \\"audience\\" is missing/],
    [{ config: { ['__proto__']: { polluted: true } } }, /Cannot parse the JSON/],
    [{ enable: false }, /enable: unknown key \(did you mean \\"enabled\\"\?\)/],
    [{ enabled: 'no' }, /enabled: must be a boolean/],
  ];
  for (const [body, text] of refusals) {
    const answer = await call('PUT', path, body);
    t.is(answer.status, 400, answer.text);
    t.regex(answer.text, text);
  }
  t.is((await stored())?.config?.clientSecret, 'other-secret');

  await host.events.flush();
  const events = await host.store.events.query('demo', { kind: 'admin' });
  t.is(events.length, 2);
  t.like(JSON.parse(events[0]?.body ?? ''), {
    operationType: 'UPDATE',
    resourceType: 'CUSTOM',
    resourcePath: `providers/${HANDLER}`,
    representation: {
      before: { enabled: true, config: { clientSecret: '**********', singleUse: true } },
      after: { enabled: true, config: { clientSecret: '**********' } },
    },
  });
  t.false(events.some(({ body }) => body.includes('other-secret') || body.includes('nl-secret')));
});

/** Two resources: one with secrets that its schema marks in several ways, and one whose `open` fails. */
const PLUGIN_WITH_SECRETS = pluginSource(import.meta.url, 'plugins/secretive.js');
const BROKEN = pluginSource(import.meta.url, 'plugins/broken.js');

test('providers of a realm: every provider is listed with its switch, its masked secrets, and its problems', async (t) => {
  const providersDir = await providersFolder(t, { secretive: PLUGIN_WITH_SECRETS, broken: BROKEN });
  const providers = {
    'realm-restapi-extension': {
      broken: { enabled: true, config: { anything: 'hidden' } },
      gone: { enabled: true },
      secretive: { enabled: true },
    },
  };
  const host = await startAdministered(t, {
    realms: [testRealm('demo', { providers, eventsListeners: ['jboss-logging'] })],
    plugins: [{ module: 'secretive' }, { module: 'broken', required: false }],
    argv: ['--providers-dir', providersDir],
  });
  const call = await adminCaller(host);
  const one = '/realms/demo/providers/realm-restapi-extension/secretive';
  const config = {
    servers: [
      { host: 'a', phrase: 'hidden-a' },
      { host: 'b', phrase: 'hidden-b' },
    ],
    login: { pin: 1234 },
    apiKey: 'hidden-key',
    useSecret: true,
  };
  t.is((await call('PUT', one, { config })).status, 204);
  const masked = {
    servers: [
      { host: 'a', phrase: '**********' },
      { host: 'b', phrase: '**********' },
    ],
    login: { pin: '**********' },
    apiKey: '**********',
    useSecret: true,
  };
  const shown = JSON.parse((await call('GET', one)).text);
  t.deepEqual(shown.config, masked);
  t.is(
    (await call('PUT', one, { ...shown, config: { ...masked, pages: 20 } })).status,
    204,
    'what is shown may be sent',
  );
  t.deepEqual(JSON.parse((await fetchAnswer(`${host.realm('demo')}/secretive/`)).text), { ...config, pages: 20 });

  const list = JSON.parse((await call('GET', '/realms/demo/providers')).text) as Shown[];
  const find = (id: string) => list.find((entry) => entry.id === id);
  const builtIn = { plugin: { builtIn: true, version: '0.1.0' }, enabled: true, health: { status: 'up' } };
  t.like(find('authorization_code'), { spi: 'oauth2-grant-type', enabledBy: 'providers', ...builtIn });
  t.like(find('jboss-logging'), { spi: 'events-listener', enabledBy: 'eventsListeners', ...builtIn });
  t.like(find('auth-cookie'), { enabledBy: 'authenticationFlows', ...builtIn });
  t.like(find('oidc-full-name-mapper'), { enabledBy: 'protocolMappers', ...builtIn });
  t.like(find('webhook'), { enabled: false, health: { status: 'up' } });
  t.is(find('broken')?.health.status, 'failed');
  t.regex(find('broken')?.health.reason ?? '', /left out at start: broken \(opening a plugin failed\)/);
  t.regex(find('gone')?.health.reason ?? '', /no plugin that is loaded provides it/);
  t.notRegex(JSON.stringify(list), /hidden/);

  const step = await call('PUT', '/realms/demo/providers/authenticator/auth-cookie', { enabled: false });
  t.is(step.status, 400);
  t.regex(step.text, /switched by the realm's own key \\"authenticationFlows\\"/);
  const configured = { config: { url: 'https://hooks.example.test' } };
  t.is((await call('PUT', '/realms/demo/providers/events-listener/webhook', configured)).status, 204);
  t.is((await call('PUT', '/realms/demo', { eventsListeners: ['webhook'] })).status, 204);
  t.like(JSON.parse((await call('GET', '/realms/demo/providers/events-listener/webhook')).text), {
    enabled: true,
    ...configured,
  });
});

test('providers of a realm: an event listener and a required action are switched in the key that names them, with one event', async (t) => {
  const host = await startAdministered(t, {
    realms: [testRealm('demo', { adminEventsEnabled: true, adminEventsDetailsEnabled: true, providers: {} })],
    plugins: [{ module: 'secretive' }],
    packages: { secretive: PLUGIN_WITH_SECRETS },
  });
  const call = await adminCaller(host);
  const listener = '/realms/demo/providers/events-listener/webhook';
  const stored = async () => (await host.store.realms.get('demo'))?.representation;
  const before = JSON.parse((await call('GET', listener)).text);
  t.like(before, { enabled: false, switchable: true, enabledBy: 'eventsListeners' });
  const refused = await call('PUT', listener, { enabled: true });
  t.is(refused.status, 400, 'it has no address yet');
  t.like(JSON.parse(refused.text), { errors: [{ pointer: '/url' }] });
  t.is((await stored())?.eventsListeners, undefined, 'nothing is changed');

  const config = { url: 'https://hooks.example.test' };
  t.is((await call('PUT', listener, { config, enabled: true })).status, 204);
  t.deepEqual((await stored())?.eventsListeners, ['jboss-logging', 'webhook'], 'the default listener stays');
  t.deepEqual((await stored())?.providers?.['events-listener'], { webhook: { config } });
  t.is((await call('PUT', listener, { config: { url: 'https://other.example.test' } })).status, 204);
  t.deepEqual((await stored())?.eventsListeners, ['jboss-logging', 'webhook']);
  t.is((await call('PUT', listener, { enabled: false })).status, 204);
  t.deepEqual((await stored())?.eventsListeners, ['jboss-logging']);
  t.is((await call('PUT', listener.replace('webhook', 'jboss-logging'), { enabled: false })).status, 204);
  t.deepEqual((await stored())?.eventsListeners, []);

  const action = '/realms/demo/providers/required-action/UPDATE_PASSWORD';
  t.like(JSON.parse((await call('GET', action)).text), { enabled: true, switchable: true });
  t.is((await call('PUT', action, { enabled: false })).status, 204);
  const actions = JSON.parse((await call('GET', '/realms/demo/authentication/required-actions')).text) as {
    alias: string;
    enabled: boolean;
  }[];
  t.is(actions.length, 14, 'the others stay');
  t.is(actions.find(({ alias }) => alias === 'UPDATE_PASSWORD')?.enabled, false);
  t.is((await call('DELETE', '/realms/demo/authentication/required-actions/UPDATE_PASSWORD')).status, 204);
  t.is((await call('PUT', action, { enabled: true })).status, 204, 'it is registered again');
  t.like(JSON.parse((await call('GET', '/realms/demo/authentication/required-actions/UPDATE_PASSWORD')).text), {
    enabled: true,
    defaultAction: false,
  });

  await host.events.flush();
  const events = await host.store.events.query('demo', { kind: 'admin' });
  const ofListener = events
    .map(({ body }) => JSON.parse(body))
    .filter(({ resourcePath }) => /webhook/.test(resourcePath));
  t.deepEqual(
    ofListener.map(({ representation }) => [representation.before.enabled, representation.after.enabled]).reverse(),
    [
      [false, true],
      [true, true],
      [true, false],
    ],
  );
});

test('providers of a realm: two admins switch two listeners at once, and a stale tag switches none', async (t) => {
  const host = await startAdministered(t, { realms: [testRealm('demo')] });
  const call = await adminCaller(host);
  const path = (id: string) => `/realms/demo/providers/events-listener/${id}`;
  const shown = await call('GET', path('email'));
  const answers = await Promise.all([
    call('PUT', path('email'), { enabled: true }),
    call('PUT', path('jboss-logging'), { enabled: false }),
  ]);
  t.deepEqual(
    answers.map(({ status }) => status),
    [204, 204],
  );
  t.deepEqual((await host.store.realms.get('demo'))?.representation.eventsListeners, ['email']);
  const stale = await call('PUT', path('email'), { enabled: false }, { 'if-match': shown.headers.get('etag') ?? '' });
  t.is(stale.status, 412);
});

test('providers of a realm: an authenticator lists the steps that use it, and no other provider does', async (t) => {
  const host = await startAdministered(t, { realms: [testRealm('demo')] });
  const call = await adminCaller(host);
  const uses = async (name: string) => JSON.parse((await call('GET', `/realms/demo/providers/${name}`)).text).uses;
  t.deepEqual(await uses('authenticator/auth-cookie'), [{ flow: 'browser', requirement: 'ALTERNATIVE' }]);
  t.deepEqual(await uses('authenticator/auth-username-password-form'), [
    { flow: 'browser', subflow: 'forms', requirement: 'REQUIRED' },
  ]);
  t.deepEqual(await uses('form-action/registration-user-creation'), [
    { flow: 'registration', subflow: 'registration form', requirement: 'REQUIRED' },
  ]);
  t.is(await uses('events-listener/jboss-logging'), undefined);
});

test('providers of a realm: a provider whose configuration no longer fits is reported, cannot be enabled, and can be disabled', async (t) => {
  const host = await startAdministered(t, { realms: [testRealm('demo')] });
  const call = await adminCaller(host);
  const record = await host.store.realms.get('demo');
  const { representation } = record ?? {};
  t.truthy(representation);
  if (record === undefined || representation?.providers === undefined) return;
  // Simulates a new version of the plugin, whose schema does not fit the stored configuration.
  representation.providers = {
    'action-token-handler': { 'external-app-notification': { enabled: true, config: { clientId: 'nl', old: 1 } } },
  };
  await host.store.realms.put({ ...record, representation }, { expectedVersion: record.version });
  host.realms.invalidate('demo');
  const path = `/realms/demo/providers/${HANDLER}`;
  const { health } = JSON.parse((await call('GET', path)).text) as Shown;
  t.is(health.status, 'failed');
  t.regex(health.reason ?? '', /config\.old: unknown key/);
  t.is((await call('PUT', path, { enabled: true })).status, 400);
  t.is((await call('PUT', path, { enabled: false })).status, 204);
  t.is((await call('PUT', path, { enabled: true })).status, 400);
});

test('providers of a realm: the roles decide who sees and switches providers, and unknown ones are 404', async (t) => {
  const host = await startAdministered(t, {
    realms: [
      testRealm('demo', {
        users: ['view-realm', 'manage-users'].map((role) => ({
          username: role,
          enabled: true,
          clientRoles: { 'realm-management': [role] },
          credentials: [{ type: 'password', value: 'p' }],
        })),
      }),
    ],
  });
  const [viewer, users] = await Promise.all(
    ['view-realm', 'manage-users'].map((username) => adminCaller(host, { realm: 'demo', username, password: 'p' })),
  );
  const path = `/realms/demo/providers/${HANDLER}`;
  t.is((await viewer?.('GET', path))?.status, 200);
  t.is((await viewer?.('PUT', path, { enabled: false }))?.status, 403);
  t.is((await users?.('GET', '/realms/demo/providers'))?.status, 403);
  t.is((await users?.('PUT', path, { enabled: false }))?.status, 403);
  const call = await adminCaller(host);
  for (const name of ['action-token-handler/nothing', 'nothing/x', '__proto__/constructor']) {
    t.is((await call('GET', `/realms/demo/providers/${name}`)).status, 404, name);
    const answer = await call('PUT', `/realms/demo/providers/${name}`, { enabled: true });
    t.is(answer.status, 404, name);
    t.is(answer.json.error, `Provider ${name} not found`);
  }
  t.is((await call('PUT', path, { enabled: false })).status, 204);
  const never = { 'action-token-handler': {} };
  await (await adminClient(host)).realms.create({ realm: 'bare', enabled: true, providers: never } as never);
  t.is((await call('PUT', path.replace('demo', 'bare'), { enabled: false })).status, 204, 'it was off: it stays off');
  t.is((await call('PUT', path.replace('demo', 'bare'), { enabled: true })).status, 400);
});

test('providers of a realm: in production no provider can be opened to everybody over HTTP', async (t) => {
  const { providers: _, ...realm } = testRealm('demo');
  const dir = await folder(t, [realm]);
  const { url } = await run(t, dir, ['start', '--hostname', 'https://id.example.test', '--http-enabled'], {
    KEYHOST_BOOTSTRAP_ADMIN_USERNAME: 'root',
    KEYHOST_BOOTSTRAP_ADMIN_PASSWORD: 'root-password',
  });
  const form = { grant_type: 'password', client_id: 'admin-cli', username: 'root', password: 'root-password' };
  const token = await fetchAnswer(`${url}/realms/master/protocol/openid-connect/token`, {
    method: 'POST',
    body: new URLSearchParams(form),
  });
  const put = (config: object) =>
    fetchAnswer(`${url}/admin/realms/demo/providers/realm-restapi-extension/newsletter`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${token.json.access_token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ enabled: true, config }),
    });
  const open = await put({ authentication: 'none' });
  t.is(open.status, 400);
  t.regex(open.text, /newsletter: would answer without authentication.*--allow-open-providers/);
  t.is((await put({ authentication: 'client' })).status, 204);
});

test('providers of a realm: an admin sees where a plugin runs, its limits, the results of its calls, and that its worker is down', async (t) => {
  const host = await startAdministered(t, {
    realms: [testRealm('demo', { providers: { 'realm-restapi-extension': { unruly: { enabled: true } } } })],
    plugins: [{ module: 'unruly', isolation: 'worker', limits: { callTimeout: 20 } }],
    argv: ['--providers-dir', PLUGINS],
  });
  const call = await adminCaller(host);
  const shown = async () =>
    JSON.parse((await call('GET', '/realms/demo/providers/realm-restapi-extension/unruly')).text);
  t.is((await fetchAnswer(`${host.realm('demo')}/unruly/well`)).status, 200);
  const running = await shown();
  t.deepEqual(running.plugin, {
    name: 'unruly',
    version: '1.0.0',
    builtIn: false,
    isolation: 'worker',
    limits: { callTimeout: 20, concurrency: 1000, memory: 256 },
  });
  t.deepEqual([running.calls.ends, running.calls.running, running.health], [{ ok: 1 }, 0, { status: 'up' }]);
  t.is((await fetchAnswer(`${host.realm('demo')}/unruly/exit`, { method: 'POST' })).status, 503);
  const down = await shown();
  t.deepEqual(down.calls.ends, { ok: 1, unavailable: 1 });
  t.deepEqual(down.health, { status: 'down', reason: 'its worker is down: it ended with code 0; restarting' });
  const isUp = async () => (await shown()).health.status === 'up';
  while (!(await isUp()));
});

test('providers of a realm: an invalid configuration is refused with the place of each problem, as a form needs it', async (t) => {
  const host = await startAdministered(t, { realms: [testRealm('demo')] });
  const call = await adminCaller(host);
  const wrong = { audience: null, clientId: '', singelUse: true };
  const { status, text } = await call('PUT', `/realms/demo/providers/${HANDLER}`, { config: wrong });
  t.is(status, 400);
  const { errors } = JSON.parse(text) as { errors: { pointer: string; message: string }[] };
  t.deepEqual(
    errors.sort((one, other) => (one.pointer < other.pointer ? -1 : 1)),
    [
      { pointer: '/audience', message: '"audience" is missing' },
      { pointer: '/clientId', message: 'must not be empty' },
      { pointer: '/singelUse', message: 'unknown key (did you mean "singleUse"?)' },
    ],
  );
});

test('providers of a realm: secrets in a list stay with their items when those move; an ambiguous one must be sent again', async (t) => {
  const keyed = pluginSource(import.meta.url, 'plugins/keyed.js');
  const item = (name: string, secret: string) => ({ name, secret });
  const config = { targets: [item('a', 'sa'), item('b', 'sb'), item('c', 'sc')], keys: ['k1', 'k2'] };
  const host = await startAdministered(t, {
    realms: [testRealm('demo', { providers: { 'events-listener': { keyed: { config } } } })],
    plugins: [{ module: 'keyed' }],
    packages: { keyed },
  });
  const call = await adminCaller(host);
  const masked = (name: string) => item(name, '**********');
  const put = (change: object) => call('PUT', '/realms/demo/providers/events-listener/keyed', { config: change });
  const storedNow = async () => {
    const record = await host.store.realms.get('demo');
    return record?.representation.providers?.['events-listener']?.keyed?.config as typeof config;
  };
  t.is((await put({ targets: ['c', 'a', 'b'].map(masked) })).status, 204);
  t.deepEqual((await storedNow()).targets, [item('c', 'sc'), item('a', 'sa'), item('b', 'sb')]);
  t.is((await put({ targets: [masked('a'), masked('b'), item('d', 'sd')] })).status, 204);
  t.deepEqual((await storedNow()).targets, [item('a', 'sa'), item('b', 'sb'), item('d', 'sd')]);
  t.is((await put({ targets: [masked('a'), masked('renamed'), masked('d')] })).status, 204);
  t.deepEqual((await storedNow()).targets[1], item('renamed', 'sb'));
  t.is((await put({ targets: [masked('d'), masked('renamed')] })).status, 204);
  t.deepEqual((await storedNow()).targets, [item('d', 'sd'), item('renamed', 'sb')]);
  for (const targets of [[masked('other')], [masked('renamed'), masked('other')]]) {
    const { status, json } = await put({ targets });
    t.is(status, 400);
    t.like((json as { errors?: readonly object[] }).errors?.[0], {
      pointer: `/targets/${targets.length - 1}/secret`,
    });
  }
  t.is((await put({ keys: ['**********', '**********', 'k3'] })).status, 204);
  t.is((await put({ keys: ['**********'] })).status, 400);
  t.deepEqual((await storedNow()).keys, ['k1', 'k2', 'k3']);
});
