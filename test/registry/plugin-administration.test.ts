import test, { type ExecutionContext } from 'ava';
import { codeAt } from '../../core/login/steps/otp/one-time-password.js';
import type { RealmRepresentation } from '../../core/model/representation.js';
import { adminCaller, administered, clientUuid, ownRealm } from '../helpers/admin.js';
import { eventually } from '../helpers/eventually.js';
import type { TestHost } from '../helpers/host.js';
import { idIn } from '../helpers/realms.js';
import { ask, askBarely, type Stewarded, scriptedPlugin } from '../helpers/scripted-plugin.js';
import { shareHost } from '../helpers/shared-host.js';

const RIGHTS = [
  'manage-users',
  'view-users',
  'manage-clients',
  'view-clients',
  'manage-realm',
  'view-realm',
  'view-identity-providers',
  'query-groups',
];
const neededRights = Object.fromEntries(RIGHTS.map((right) => [right, 'tries everything']));
const grants = { '*': RIGHTS };

/**
 * Answers every change of a user with a change of its own: it counts up the user's attribute that has the plugin's
 * name.
 */
const answeringListener = (name: string, declared = '') => `provide(EventListener, { id: '${name}', ${declared}
  open: () => ({ create: (session) => ({
    async onAdminEvent({ resourceType, resourcePath, authDetails }) {
      session.logger.info('heard ${name}', { resourcePath, clientId: authDetails.clientId });
      const [, id] = resourcePath.split('/');
      if (resourceType !== 'USER' || session.realm.attributes.answering !== 'true') return;
      const before = (await session.users.read(id)).user.attributes['${name}'] ?? [];
      await session.users.update(id, { attributes: { '${name}': [String(Number(before[0] ?? 0) + 1)] } });
    },
  }) }),
})`;

/** An admin page with an operation that changes a user as the plugin and then returns an error. */
const failingAdminPage = (name: string) => `provide(AdminPage, {
  id: '${name}-page', title: { en: 'Steward' }, at: 'realm', view: ['view-users'], manage: ['manage-users'],
  operations: { change: { method: 'POST', body: { type: 'object' } } },
  blocks: [{ kind: 'text', text: 'Steward' }],
  open: () => ({ create: (session) => ({
    async change({ body }) {
      await session.users.update(body.id, { firstName: 'By a page' });
      return { error: 'no', error_description: 'after all' };
    },
  }) }),
})`;

const IDENTITY_PROVIDER_CONFIG = {
  clientId: 'us',
  clientSecret: 'not-for-plugins',
  authorizationUrl: 'https://partner.example/auth',
  tokenUrl: 'https://partner.example/token',
};
const PLUGINS = ['here', 'apart', 'third', 'asking'];
const shared = shareHost(
  test,
  administered({
    realms: [],
    plugins: PLUGINS.map((module) => ({ module, grants, isolation: module === 'apart' ? 'worker' : 'none' })),
    packages: {
      here: scriptedPlugin('here', neededRights, `${answeringListener('here')}, ${failingAdminPage('here')}`),
      apart: scriptedPlugin('apart', neededRights, `${answeringListener('apart')}, ${failingAdminPage('apart')}`),
      third: scriptedPlugin('third', neededRights, answeringListener('third')),
      asking: scriptedPlugin('asking', neededRights, answeringListener('asking', 'hearsOwn: true,')),
    },
  }),
  // These log lines are expected: concurrent answers change the same user until some give up.
  /plugins answer each other|is changing the user/,
);

/** Returns a realm for one test, with the plugins enabled. */
async function realmWithPlugins(changes: Partial<RealmRepresentation> = {}): Promise<TestHost> {
  const enabledPlugins = Object.fromEntries(PLUGINS.map((name) => [name, { enabled: true }]));
  const { host } = await ownRealm(shared(), () => ({
    ...changes,
    providers: {
      'realm-restapi-extension': enabledPlugins,
      'admin-page': { 'here-page': { enabled: true }, 'apart-page': { enabled: true } },
    },
  }));
  return host;
}

/** Calls a session method through the plugin in that realm, and returns its value. */
const sessionCaller =
  (t: ExecutionContext, host: TestHost, name: string) =>
  async (...call: unknown[]): Promise<unknown> => {
    const { value, error } = await ask(host, host.defaultRealm, name, ...call);
    t.is(error, undefined, `${name} ${JSON.stringify(call)} ${JSON.stringify(error)}`);
    return value;
  };

for (const name of ['here', 'apart']) {
  test(`administration by plugins: users, as an administrator changes them (${name})`, async (t) => {
    const host = await realmWithPlugins();
    const done = sessionCaller(t, host, name);
    const id = (await done('users', 'create', {
      username: 'Nina',
      email: 'nina@example.org',
      attributes: { undeclared: ['kept'], other: ['1'] },
      requiredActions: ['UPDATE_PASSWORD'],
      groups: ['/team'],
    })) as string;
    const nina = {
      id,
      username: 'nina',
      email: 'nina@example.org',
      emailVerified: false,
      enabled: true,
      attributes: { undeclared: ['kept'], other: ['1'] },
      requiredActions: ['UPDATE_PASSWORD'],
    };
    t.like(await done('users', 'byEmail', 'NINA@example.org'), nina);
    t.is(await done('users', 'byEmail', 'nobody@example.org'), undefined);
    t.like(await done('users', 'byId', id), { username: 'nina' }, 'without a grant, as ever');
    const found = (await done('users', 'find', { attributes: { undeclared: 'kept' } })) as { users: { id: string }[] };
    t.deepEqual(
      found.users.map((user) => user.id),
      [id],
    );
    t.deepEqual(await done('users', 'find', { attributes: { undeclared: 'k" other:"1' } }), { users: [] });
    t.is((await done('users', 'count', { search: 'nin' })) as unknown, 1);
    // If an unknown filter were ignored, the search would find all users.
    for (const wrong of [
      ['find', { emailVerifed: false }],
      ['count', { emailVerifed: false }],
      ['find', {}, { max: 5000 }],
    ]) {
      const { error } = await ask(host, host.defaultRealm, name, 'users', ...wrong);
      t.is(error?.code, 'invalid_argument', JSON.stringify(wrong));
    }

    const walked: string[] = [];
    for (let after: string | undefined; ; ) {
      const { users, next } = (await done('users', 'find', {}, { after, max: 2 })) as {
        users: { username: string }[];
        next?: string;
      };
      t.true(users.length <= 2);
      walked.push(...users.map(({ username }) => username));
      if (next === undefined) break;
      after = next;
    }
    t.deepEqual(walked, [...walked].sort());
    t.is(walked.length, (await done('users', 'count')) as number);
    t.true(walked.includes('nina') && walked.includes('alice'));

    await done('users', 'update', id, { firstName: 'Nina', email: null, attributes: { other: null, more: ['2'] } });
    const { user, version } = (await done('users', 'read', id)) as { user: object; version: string };
    t.deepEqual((user as { attributes: unknown }).attributes, { undeclared: ['kept'], more: ['2'] });
    t.like(user, { firstName: 'Nina', requiredActions: ['UPDATE_PASSWORD'] });
    t.false('email' in user);
    await done('users', 'update', id, { requiredActions: { add: ['VERIFY_EMAIL'], remove: ['UPDATE_PASSWORD'] } });
    const late = await ask(host, host.defaultRealm, name, 'users', 'update', id, { lastName: 'Late' }, { version });
    t.like(late.error, { code: 'version_conflict', status: 409 });
    // If the plugin does not catch the error, its caller receives it.
    const uncaught = await askBarely(
      host,
      host.defaultRealm,
      name,
      'users',
      'update',
      id,
      { lastName: 'Late' },
      { version },
    );
    const description = 'Changed since you read it: read it again, then repeat your change';
    t.deepEqual([uncaught.status, uncaught.json], [409, { error: 'version_conflict', error_description: description }]);
    const gone = await ask(host, host.defaultRealm, name, 'users', 'remove', id, { version });
    t.like(gone.error, { code: 'version_conflict', status: 409 });
    const short = (await done('users', 'create', { username: `short-${name}` })) as string;
    const now = (await done('users', 'read', short)) as { version: string };
    t.true(await done('users', 'remove', short, { version: now.version }));
    t.false(await done('users', 'remove', short, { version: now.version }));
    t.like(((await done('users', 'read', id)) as { user: object }).user, { requiredActions: ['VERIFY_EMAIL'] });

    const taken = await ask(host, host.defaultRealm, name, 'users', 'create', { username: 'nina' });
    t.like(taken.error, { code: 'admin_refused', status: 409 });
    t.regex(taken.error?.message ?? '', /User exists with same username/);
    // If the plugin does not catch this error, its caller gets only the status. The reason is in the log.
    const bare = await askBarely(host, host.defaultRealm, name, 'users', 'create', { username: 'nina' });
    t.deepEqual([bare.status, bare.json], [409, { error: 'HTTP 409' }]);
    const lines = host.log.filter(({ message }) => message === 'request refused, and its caller was not told why');
    t.regex(JSON.stringify(lines), /admin_refused.*User exists with same username/);
    t.true(await done('users', 'remove', id));
    t.false(await done('users', 'remove', id));
    t.is(await done('users', 'read', id), undefined);
  });

  test(`administration by plugins: groups, roles, credentials, sessions, clients and identity providers (${name})`, async (t) => {
    const host = await realmWithPlugins({
      identityProviders: [{ alias: 'partner', providerId: 'oidc', config: IDENTITY_PROVIDER_CONFIG }],
    });
    const done = sessionCaller(t, host, name);
    const alice = idIn(host.defaultRealm);
    const group = (await done('groups', 'create', { name: 'crew' })) as string;
    const sub = (await done('groups', 'create', { name: 'deck', parent: group })) as string;
    t.like(await done('groups', 'byPath', '/crew/deck'), { id: sub, name: 'deck', attributes: {} });
    t.is(await done('groups', 'byPath', '/crew/none'), undefined);
    t.deepEqual(
      ((await done('groups', 'find', { parent: group })) as { id: string }[]).map(({ id }) => id),
      [sub],
    );
    await done('groups', 'join', alice, sub);
    const paths = (await done('groups', 'ofUser', alice)) as { path: string }[];
    t.true(paths.some(({ path }) => path === '/crew/deck'));
    t.like(((await done('groups', 'members', sub)) as object[])[0], { username: 'alice' });
    await done('groups', 'leave', alice, sub);
    t.deepEqual(await done('groups', 'members', sub), []);
    t.true(await done('groups', 'remove', group));

    await done('roles', 'grant', alice, { realm: ['reader'], clients: { web: ['editor'] } });
    const roles = (await done('roles', 'ofUser', alice)) as { realm: string[]; clients: Record<string, string[]> };
    t.true(roles.realm.includes('reader'));
    t.deepEqual(roles.clients.web, ['editor']);
    await done('roles', 'revoke', alice, { clients: { web: ['editor'] } });
    t.is(((await done('roles', 'ofUser', alice)) as { clients: Record<string, string[]> }).clients.web, undefined);

    await done('credentials', 'setPassword', alice, 'chosen by a plugin');
    const form = { client_id: 'spa', grant_type: 'password', username: 'alice', password: 'chosen by a plugin' };
    t.is((await host.token(host.defaultRealm, { ...form, scope: 'openid' })).status, 200);
    const credentials = (await done('credentials', 'ofUser', alice)) as { id: string; type: string }[];
    const password = credentials.find(({ type }) => type === 'password');
    for (const shown of credentials)
      for (const member of Object.keys(shown)) t.true(['id', 'type', 'label', 'createdDate'].includes(member), member);

    const sessions = (await done('sessions', 'ofUser', alice)) as { id: string; clients: string[] }[];
    t.deepEqual(
      sessions.map(({ clients }) => clients),
      [['spa']],
    );
    t.is((await done('sessions', 'count', 'spa')) as unknown, 1);
    t.true(await done('sessions', 'end', sessions[0]?.id));
    t.false(await done('sessions', 'end', sessions[0]?.id));
    t.true(await done('credentials', 'remove', alice, password?.id));
    t.is((await host.token(host.defaultRealm, form)).json.error, 'invalid_grant');

    const app = (await done('clients', 'create', { clientId: 'appliance', publicClient: true })) as string;
    t.deepEqual(
      ((await done('clients', 'find', { search: 'applianc' })) as { id: string }[]).map(({ id }) => id),
      [app],
    );
    const { version } = (await done('clients', 'read', app)) as { version: string };
    await done('clients', 'update', app, { name: 'App' }, { version });
    const late = await ask(host, host.defaultRealm, name, 'clients', 'update', app, { name: 'Late' }, { version });
    t.is(late.error?.code, 'version_conflict');
    t.like(await done('clients', 'byClientId', 'appliance'), { name: 'App' });
    t.true(await done('clients', 'remove', app));

    const [partner] = (await done('identityProviders', 'list')) as object[];
    t.like(partner, { alias: 'partner', providerId: 'oidc', config: { clientSecret: '**********' } });
    const link = { identityProvider: 'partner', userId: '7', userName: 'alice7' };
    await done('identityProviders', 'link', alice, link);
    t.deepEqual(await done('identityProviders', 'linksOf', alice), [link]);
    t.true(await done('identityProviders', 'unlink', alice, 'partner'));

    const whole = (await done('admin', 'representation')) as { realm: string; clients: { clientId: string }[] };
    t.is(whole.realm, host.defaultRealm);
    t.true(whole.clients.some(({ clientId }) => clientId === 'web'));
    t.notRegex(JSON.stringify(whole), /not-for-plugins|s3cret:/);

    const mapper = { name: 'm', protocolMapper: 'oidc-full-name-mapper', consentText: 'Your name' };
    const scope = { name: 'scope', protocol: 'openid-connect', protocolMappers: [mapper] };
    const made = (await done('admin', 'request', 'POST', '/client-scopes', scope)) as { created: string };
    t.like(made, { status: 201, ignored: ['protocolMappers[0].consentText'] });
    t.like(await done('admin', 'request', 'GET', `/client-scopes/${made.created}`), {
      status: 200,
      body: { name: 'scope' },
    });
    t.like(await done('admin', 'request', 'GET', '/nothing'), { status: 404 });
  });
}

test('administration by plugins: a change has its event, which names the plugin; secrets are masked', async (t) => {
  const host = await realmWithPlugins({ adminEventsEnabled: true, adminEventsDetailsEnabled: true });
  const id = await clientUuid(host, 'web', host.defaultRealm);
  for (const name of ['here', 'apart']) {
    await sessionCaller(t, host, name)('clients', 'update', id, { secret: 'by-a-plugin' });
    const call = await adminCaller(host);
    const [event] = (await call('GET', `/realms/${host.defaultRealm}/admin-events`)).json as unknown as object[];
    t.like(event, {
      operationType: 'UPDATE',
      resourceType: 'CLIENT',
      resourcePath: `clients/${id}`,
      authDetails: { clientId: `plugin:${name}`, userId: `plugin:${name}` },
    });
    t.notRegex(JSON.stringify(event), /by-a-plugin/);
  }
});

test('administration by plugins: a plugin that is called within another’s change has its own event', async (t) => {
  const host = await realmWithPlugins({ adminEventsEnabled: true });
  const call = await adminCaller(host);
  const realm = `/realms/${host.defaultRealm}`;
  for (const name of ['here', 'apart']) {
    const id = idIn(host.defaultRealm);
    const refused = await call('POST', `${realm}/pages/${name}-page/change`, { id });
    t.is(refused.status, 400, refused.text);
    const events = (await call('GET', `${realm}/admin-events`)).json as unknown as { resourceType: string }[];
    t.deepEqual([...new Set(events.map(({ resourceType }) => resourceType))], ['USER'], 'the page has changed nothing');
    t.like(events[0], { resourcePath: `users/${id}`, authDetails: { clientId: `plugin:${name}` } });
  }
});

test('administration by plugins: of many plugins that change one user at once no write is lost', async (t) => {
  const host = await realmWithPlugins();
  const alice = idIn(host.defaultRealm);
  const writers = ['here', 'apart', 'third', 'asking'].flatMap((name) => [0, 1, 2].map((n) => [name, `${name}${n}`]));
  const changed = await Promise.all(
    writers.map(
      ([name = '', attribute = '']): Promise<Stewarded> =>
        ask(host, host.defaultRealm, name, 'users', 'update', alice, { attributes: { [attribute]: ['here'] } }),
    ),
  );
  t.deepEqual(
    changed.filter(({ error }) => error !== undefined),
    [],
  );
  const { attributes } = (await sessionCaller(t, host, 'here')('users', 'byId', alice)) as { attributes: object };
  for (const [, attribute = ''] of writers) t.true(attribute in attributes, attribute);
});

test('administration by plugins: a listener does not get the changes of its own plugin, unless it asks', async (t) => {
  const host = await realmWithPlugins({ adminEventsEnabled: true, eventsListeners: ['here', 'apart', 'asking'] });
  const from = host.log.length;
  const heard = (name: string) =>
    host.log.slice(from).filter(({ message, fields }) => {
      return message === `heard ${name}` && (fields as { realm?: string }).realm === host.defaultRealm;
    }).length;
  for (const name of ['here', 'apart', 'asking'])
    await sessionCaller(t, host, name)('users', 'update', idIn(host.defaultRealm), { lastName: name });
  await host.events.flush();
  t.deepEqual(['here', 'apart', 'asking'].map(heard), [2, 2, 3]);
});

test('administration by plugins: three plugins that answer each other are stopped, and the log says why', async (t) => {
  const host = await realmWithPlugins({
    eventsListeners: ['here', 'apart', 'third'],
    attributes: { answering: 'true' },
  });
  const alice = idIn(host.defaultRealm);
  const from = host.log.length;
  await sessionCaller(t, host, 'here')('users', 'update', alice, { lastName: 'Begun' });
  const told = await eventually(() =>
    host.log.slice(from).find(({ fields }) => /plugins answer each other/.test(JSON.stringify(fields))),
  );
  t.regex(JSON.stringify(told.fields), /here → (apart|third)/);
  await host.events.flush();
  const { attributes } = (await sessionCaller(t, host, 'here')('users', 'byId', alice)) as {
    attributes: Record<string, string[]>;
  };
  const counts = ['here', 'apart', 'third'].map((name) => Number(attributes[name]?.[0] ?? 0));
  t.true(
    counts.every((count) => count > 0),
    String(counts),
  );
  // The first change reaches two listeners, each of their changes reaches two others, and so on, five levels deep.
  t.true(counts.reduce((sum, count) => sum + count, 0) <= 2 ** 6, String(counts));
});

const SECRET = 'a-secret-of-20-chars';
const FORMAT = { digits: 6, algorithm: 'HmacSHA1' } as const;
const OTP_CREDENTIAL = {
  type: 'otp',
  secretData: JSON.stringify({ value: SECRET }),
  credentialData: JSON.stringify({ subType: 'hotp', counter: 0, period: 30, ...FORMAT }),
};

for (const name of ['here', 'apart']) {
  test(`administration by plugins: user input is checked as in a login, and counted with logins (${name})`, async (t) => {
    const host = await realmWithPlugins({
      bruteForceProtected: true,
      failureFactor: 3,
      waitIncrementSeconds: 60,
      quickLoginCheckMilliSeconds: 0,
      users: ['olga', 'off'].map((username) => ({
        username,
        enabled: username !== 'off',
        credentials: [{ type: 'password', value: username }, OTP_CREDENTIAL],
      })),
    });
    const done = sessionCaller(t, host, name);
    const idOf = async (username: string) => ((await done('users', 'byUsername', username)) as { id: string }).id;
    const olga = await idOf('olga');
    const off = await idOf('off');
    const verify = (id: string, type: string, value: string) => done('credentials', 'verify', id, { type, value });
    const code = (counter: number) => codeAt(Buffer.from(SECRET), counter, FORMAT);
    t.is(await verify(olga, 'password', 'olga'), 'valid');
    t.is(await verify(olga, 'otp', code(0)), 'valid');
    t.is(await verify(olga, 'otp', code(0)), 'invalid', 'a code is good once');
    t.is(await verify(olga, 'otp', code(1)), 'valid');
    t.is(await verify(off, 'password', 'off'), 'disabled');
    t.is(await verify(off, 'otp', code(0)), 'disabled');
    t.is(await verify(off, 'password', 'wrong'), 'invalid');
    t.is(await verify('nobody', 'password', 'x'), 'invalid');
    t.is(await verify('nobody', 'otp', code(0)), 'invalid');
    const form = { client_id: 'spa', grant_type: 'password', username: 'olga', password: 'wrong' };
    t.is((await host.token(host.defaultRealm, form)).json.error, 'invalid_grant');
    for (const wrong of ['a', 'b']) t.is(await verify(olga, 'password', wrong), 'invalid');
    t.is(await verify(olga, 'password', 'olga'), 'locked');
    t.is(await verify(olga, 'otp', code(2)), 'locked');
    const call = await adminCaller(host);
    const state = await call('GET', `/realms/${host.defaultRealm}/attack-detection/brute-force/users/${olga}`);
    t.like(state.json, { numFailures: 3, disabled: true });
    for (const credential of [{ type: 'webauthn', value: 'x' }, { type: 'password' }, undefined]) {
      const { error } = await ask(host, host.defaultRealm, name, 'credentials', 'verify', olga, credential);
      t.is(error?.code, 'invalid_argument');
    }
  });
}

test('administration by plugins: operators see the rights that a plugin needs, why, and which are granted', async (t) => {
  const call = await adminCaller(shared());
  const { plugins } = (await call('GET', '/plugins')).json as unknown as { plugins: { module: string }[] };
  for (const name of ['here', 'apart']) {
    t.like(
      plugins.find(({ module }) => module === name),
      { needs: neededRights, grants },
    );
  }
});
