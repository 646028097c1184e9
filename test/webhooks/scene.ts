import { randomBytes } from 'node:crypto';
import type { ExecutionContext } from 'ava';
import type { RealmRepresentation } from '../../core/model/representation.js';
import { adminClient } from '../helpers/admin.js';
import { eventually } from '../helpers/eventually.js';
import { type Answer, fetchAnswer, startHost, type TestHost, type TestHostOptions } from '../helpers/host.js';
import { ALICE_LOGIN, bearer, logIn, SVC, serviceToken } from '../helpers/login.js';
import { testRealm } from '../helpers/realms.js';
import type { Receiver } from './receiver.js';

export const newSecret = () => `whsec_${randomBytes(24).toString('base64')}`;
export const SECRET = newSecret();

export const WEBHOOKS = [{ module: '@keyhost/webhooks' }];

/** A realm with webhooks: `endpoints` by their names, each complete but for its secret and its types. */
export function hookedRealm(
  endpoints: Readonly<Record<string, object>>,
  { name = 'demo', more = {}, realm = {} }: { name?: string; more?: object; realm?: Partial<RealmRepresentation> } = {},
): RealmRepresentation {
  const whole = Object.entries(endpoints).map(([id, given]) => [
    id,
    { secret: SECRET, events: ['access.*'], ...given },
  ]);
  return testRealm(name, {
    eventsListeners: ['webhooks'],
    clients: [
      ...(testRealm(name).clients ?? []),
      { clientId: OPS.client_id, secret: OPS.client_secret, serviceAccountsEnabled: true },
    ],
    users: [...(testRealm(name).users ?? []), ...EXTRA_USERS],
    providers: {
      'events-listener': { webhooks: { config: { endpoints: Object.fromEntries(whole), ...more } } },
      'realm-restapi-extension': { webhooks: { enabled: true } },
    },
    ...realm,
  });
}

/** A client that may manage events. Its tokens cause no user event. */
const OPS = { client_id: 'ops', client_secret: 'ops-secret' };

const EXTRA_USERS = [
  {
    username: 'service-account-ops',
    enabled: true,
    serviceAccountClientId: 'ops',
    clientRoles: { 'realm-management': ['manage-events'] },
  },
  ...['u1', 'u2', 'u3'].map((username) => ({
    id: username,
    username,
    enabled: true,
    credentials: [{ type: 'password', value: 'Alice-pass-1!' }],
  })),
];

export interface Scene {
  readonly host: TestHost;
  /** Asks a route of the plugin, as a client that may manage the realm's events. */
  ask(path: string, method?: string): Promise<Answer>;
  /** A login, which is an event of that user. */
  login(username?: string): Promise<void>;
  /** The attempts of each waiting message of an endpoint that is not being sent. */
  waiting(endpoint: string): Promise<readonly number[]>;
  /** An event without a user. */
  clientLogin(): Promise<void>;
}

export async function startScene(
  t: Pick<ExecutionContext, 'teardown'>,
  realm: RealmRepresentation,
  options: TestHostOptions = {},
): Promise<Scene> {
  const host = await startHost(t, { realms: [realm], plugins: WEBHOOKS, ...options });
  return sceneOf(host);
}

export function sceneOf(host: TestHost): Scene {
  return {
    host,
    async ask(path, method = 'GET') {
      const headers = bearer(await serviceToken(host, OPS));
      return fetchAnswer(`${host.realm(host.defaultRealm)}/webhooks${path}`, { method, headers });
    },
    async login(username = 'alice') {
      await logIn(host, { ...ALICE_LOGIN, username });
    },
    async waiting(endpoint) {
      const place = { realm: host.defaultRealm, namespace: '@keyhost/webhooks', prefix: `q/${endpoint}/` };
      const found = await host.store.entries.list({ ...place, first: 0, max: 1000, now: 0 });
      const items = found.map(({ value }) => JSON.parse(value) as { attempts: number; lease?: string });
      return items.filter(({ lease }) => lease === undefined).map(({ attempts }) => attempts);
    },
    async clientLogin() {
      await host.token(host.defaultRealm, { grant_type: 'client_credentials', ...SVC });
    },
  };
}

/** Gives the realm other endpoints, as an administrator does. The host has the administrator `root`. */
export async function configure(host: TestHost, endpoints: object): Promise<void> {
  const admin = await adminClient(host);
  const changed = await fetchAnswer(
    `${host.url}/admin/realms/${host.defaultRealm}/providers/events-listener/webhooks`,
    {
      method: 'PUT',
      headers: { ...bearer((await admin.getAccessToken()) ?? ''), 'content-type': 'application/json' },
      body: JSON.stringify({ config: { endpoints } }),
    },
  );
  if (changed.status >= 300) throw new Error(changed.text);
}

/** Waits until this, and nothing else, waits for an endpoint. */
export async function waits({ waiting }: Scene, endpoint: string, attempts: readonly number[]): Promise<void> {
  await eventually(async () => String([...(await waiting(endpoint))].sort()) === String([...attempts].sort()));
}

/** Waits until a receiver has this many requests, and returns them. */
export async function reach(receiver: Receiver, count: number) {
  await eventually(() => receiver.received.length >= count);
  return receiver.received;
}
