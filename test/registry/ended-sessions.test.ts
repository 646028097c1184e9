import test from 'ava';
import { adminCaller, administered, ownRealm } from '../helpers/admin.js';
import { eventually } from '../helpers/eventually.js';
import { claimsOf, type TestHost } from '../helpers/host.js';
import { idIn } from '../helpers/realms.js';
import { ask, scriptedPlugin } from '../helpers/scripted-plugin.js';
import { shareHost } from '../helpers/shared-host.js';

const listener = (id: string, more = '') => `import { EventListener, provide } from '@keyhost/spi';
export default { name: '${id}', api: 1, ${more} providers: [provide(EventListener, {
  id: '${id}',
  open: () => ({ create: (session) => ({
    async onSessionsEnded(ended) { session.logger.info('ended for ${id}', { ended: JSON.stringify(ended), realm: session.realm.name }); },
  }) }),
})] };`;
const SESSION_ENDING_PLUGIN = scriptedPlugin(
  'ender',
  { 'manage-users': 'ends sessions' },
  `provide(EventListener, { id: 'ender', open: () => ({ create: ({ logger }) => ({
    async onSessionsEnded(ended) { logger.info('ended for ender', { ended: JSON.stringify(ended) }); } }) }) }),`,
);

const shared = shareHost(
  test,
  administered({
    realms: [],
    plugins: [
      { module: 'here' },
      { module: 'apart', isolation: 'worker' },
      { module: 'ender', grants: { '*': ['manage-users'] } },
    ],
    packages: { here: listener('here'), apart: listener('apart'), ender: SESSION_ENDING_PLUGIN },
  }),
);

const LISTENERS = ['here', 'apart', 'ender'];

interface SessionsEndedFields {
  readonly userId?: string;
  readonly sessionIds?: readonly string[];
  readonly exceptSessionId?: string;
  readonly offline: boolean;
  readonly realmName: string;
}

function realmWithListeners() {
  return ownRealm(shared(), {
    adminEventsEnabled: true,
    adminEventsDetailsEnabled: true,
    eventsListeners: ['jboss-logging', ...LISTENERS],
    providers: { 'realm-restapi-extension': { ender: { enabled: true } } },
  });
}

async function signIn(host: TestHost, username = 'alice', scope = 'openid'): Promise<{ id: string; refresh: string }> {
  const form = { client_id: 'web', client_secret: 's3cret:+/%&é', grant_type: 'password', scope };
  const password = username === 'alice' ? 'Alice-pass-1!' : username;
  const { json, text } = await host.token(host.defaultRealm, { ...form, username, password });
  if (json.access_token === undefined) throw new Error(text);
  return { id: String(claimsOf(json.access_token).sid), refresh: json.refresh_token ?? '' };
}

/** Runs the change and returns the event that each listener received. */
async function receivedEvents(host: TestHost, change: () => Promise<unknown>): Promise<SessionsEndedFields> {
  const from = host.log.length;
  await change();
  await host.events.flush();
  const eventsByListener = LISTENERS.map((id) =>
    host.log
      .slice(from)
      .filter(({ message }) => message === `ended for ${id}`)
      .map(({ fields }) => JSON.parse((fields as { ended: string }).ended) as SessionsEndedFields)
      .filter(({ realmName }) => realmName === host.defaultRealm),
  );
  await eventually(() => eventsByListener.every((one) => one.length > 0));
  if (eventsByListener.some((one) => one.length !== 1)) throw new Error(`heard ${JSON.stringify(eventsByListener)}`);
  const [first] = eventsByListener[0] ?? [];
  for (const [one] of eventsByListener) {
    if (JSON.stringify(one) !== JSON.stringify(first))
      throw new Error(`heard differently: ${JSON.stringify(eventsByListener)}`);
  }
  return first as SessionsEndedFields;
}

test.serial('ended sessions: listeners learn of sessions that an admin ends: which, and whose', async (t) => {
  const { host } = await realmWithListeners();
  const call = await adminCaller(host);
  const realm = `/realms/${host.defaultRealm}`;
  const userId = idIn(host.defaultRealm);

  const one = await signIn(host);
  const ended = await receivedEvents(host, () => call('DELETE', `${realm}/sessions/${one.id}`));
  t.like(ended, { userId, sessionIds: [one.id], offline: false });

  const ids = [(await signIn(host)).id, (await signIn(host)).id].sort();
  const all = await receivedEvents(host, () => call('POST', `${realm}/users/${userId}/logout`));
  t.deepEqual([...(all.sessionIds ?? [])].sort(), ids);
  t.like(all, { userId, offline: true });

  await signIn(host);
  const whole = await receivedEvents(host, () => call('POST', `${realm}/logout-all`));
  t.deepEqual([whole.userId, whole.sessionIds], [undefined, undefined]);

  const kept = await signIn(host, 'alice', 'openid offline_access');
  const offline = await receivedEvents(host, () => call('DELETE', `${realm}/sessions/${kept.id}?isOffline=true`));
  t.like(offline, { userId, sessionIds: [kept.id], offline: true });

  const reset = await signIn(host);
  const after = await receivedEvents(host, () =>
    call('PUT', `${realm}/users/${userId}/reset-password`, { type: 'password', value: 'Alice-pass-1!' }),
  );
  t.like(after, { userId, sessionIds: [reset.id] });

  // As Keycloak 26.7.3 writes these events.
  const events = (await call('GET', `${realm}/admin-events`)).json as unknown as Record<string, unknown>[];
  const told = events.reverse().map(({ operationType, resourceType, resourcePath, representation }) => {
    return [operationType, resourceType, resourcePath, representation];
  });
  t.deepEqual(told.slice(0, 3), [
    ['DELETE', 'USER_SESSION', `sessions/${one.id}`, '{"offline":false}'],
    ['ACTION', 'USER', `users/${userId}/logout`, undefined],
    ['ACTION', 'REALM', 'logout-all', '{}'],
  ]);
});

test.serial('ended sessions: listeners learn of sessions that end otherwise, and of no others', async (t) => {
  const { host } = await realmWithListeners();
  const call = await adminCaller(host);
  const userId = idIn(host.defaultRealm);
  const logout = await signIn(host);
  const form = { client_id: 'web', client_secret: 's3cret:+/%&é', refresh_token: logout.refresh };
  const post = () =>
    fetch(`${host.oidc(host.defaultRealm)}/logout`, { method: 'POST', body: new URLSearchParams(form) });
  t.like(await receivedEvents(host, post), { userId, sessionIds: [logout.id], offline: false });

  // Ended by a plugin, which receives the event too. A session that has ended cannot end again.
  const own = await signIn(host);
  const end = () => ask(host, host.defaultRealm, 'ender', 'sessions', 'end', own.id);
  t.like(await receivedEvents(host, end), { userId, sessionIds: [own.id] });

  const from = host.log.length;
  t.is((await call('DELETE', `/realms/${host.defaultRealm}/sessions/${own.id}`)).status, 404);
  t.is((await call('POST', `/realms/${host.defaultRealm}/users/${userId}/logout`)).status, 204);
  await host.events.flush();
  t.false(host.log.slice(from).some(({ message }) => message.startsWith('ended for')));
});
