import KeycloakAdminClient from '@keycloak/keycloak-admin-client';
import type { ExecutionContext } from 'ava';
import type { RealmRepresentation, UserRepresentation } from '../../core/model/representation.js';
import { type Answer, fetchAnswer, inRealm, startHost, type TestHost, type TestHostOptions } from './host.js';
import { testRealm } from './realms.js';

export const ROOT = { username: 'root', password: 'root-password' };

/** With a known admin of `master`. */
export function administered<T extends object = TestHostOptions>(
  options: T & Pick<TestHostOptions, 'argv'> = {} as T,
): T & { argv: string[] } {
  const admin = ['--bootstrap-admin-username', ROOT.username, '--bootstrap-admin-password', ROOT.password];
  return { ...options, argv: [...admin, ...(options.argv ?? [])] };
}

/** A host with a known admin of `master`. */
export function startAdministered(
  t: Pick<ExecutionContext, 'teardown'>,
  options: TestHostOptions = {},
): Promise<TestHost> {
  return startHost(t, administered(options));
}

/** Keycloak's own client, signed in as the admin of `master`, or as a user of another realm. */
export async function adminClient(
  host: Pick<TestHost, 'url' | 'token'>,
  who: { realm?: string; username?: string; password?: string } = {},
): Promise<KeycloakAdminClient> {
  const client = new KeycloakAdminClient({ baseUrl: host.url, realmName: who.realm ?? 'master' });
  const getAccessToken = await adminToken(host, who);
  client.registerTokenProvider({ getAccessToken });
  return client;
}

/** A host with the test realm `demo`, its top-level keys changed, and Keycloak's client set to that realm. */
export async function startDemo(
  t: Pick<ExecutionContext, 'teardown'>,
  changes: Partial<RealmRepresentation> = {},
): Promise<{ host: TestHost; admin: KeycloakAdminClient }> {
  const host = await startAdministered(t, { realms: [testRealm('demo', changes)] });
  return { host, admin: await homeAdmin(host) };
}

/**
 * Creates a test realm as the home of a shared host, with Keycloak's client set to it.
 * @param changes replaces top-level keys of the realm; a function gets the realm
 */
export async function ownRealm(
  shared: TestHost,
  changes: Partial<RealmRepresentation> | ((realm: RealmRepresentation) => Partial<RealmRepresentation>) = {},
): Promise<{ host: TestHost; admin: KeycloakAdminClient }> {
  const host = await inRealm(shared, (name) => {
    const realm = testRealm(name);
    return { ...realm, ...(typeof changes === 'function' ? changes(realm) : changes) };
  });
  return { host, admin: await homeAdmin(host) };
}

/**
 * A realm for one test, called with plain requests, as tools do. `made` returns the ID of the object that a POST
 * creates.
 */
export async function calledRealm(shared: TestHost, changes: Partial<RealmRepresentation> = {}) {
  const { host } = await ownRealm(shared, changes);
  const call = await adminCaller(host);
  const realm = `/realms/${host.defaultRealm}`;
  const made = async (path: string, body: object) => {
    const answer = await call('POST', `${realm}${path}`, body);
    return answer.headers.get('location')?.split('/').pop() ?? answer.text;
  };
  return { host, call, realm, made };
}

async function homeAdmin(host: TestHost): Promise<KeycloakAdminClient> {
  const admin = await adminClient(host);
  admin.setConfig({ realmName: host.defaultRealm });
  return admin;
}

/** The internal ID of a client. */
export async function clientUuid(host: TestHost, clientId: string, realm = host.defaultRealm): Promise<string> {
  return (await host.realms.get(realm))?.clients.get(clientId)?.id ?? '';
}

/** A user whose password is the username, with these roles of `realm-management`. */
export function administrator(username: string, ...roles: string[]): UserRepresentation {
  return {
    username,
    enabled: true,
    credentials: [{ type: 'password', value: username }],
    clientRoles: { 'realm-management': roles },
  };
}

/** Calls the Admin REST API as that user, with requests that the client library does not support. */
export async function adminCaller(
  host: TestHost,
  who: { realm?: string; username?: string; password?: string } = {},
): Promise<(method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<Answer>> {
  const token = await adminToken(host, who);
  return async (method, path, body, headers = {}) =>
    fetchAnswer(`${host.url}/admin${path}`, {
      method,
      headers: {
        authorization: `Bearer ${await token()}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
}

/**
 * The age at which a token is renewed, in real seconds: those of `master` last a minute, and a test may take longer on
 * a busy machine.
 */
const FRESH = 20;

/** Signs the admin in, and again before the token expires. An admin who can no longer sign in uses the old token. */
export async function adminToken(
  host: Pick<TestHost, 'token'>,
  who: { realm?: string; username?: string; password?: string },
) {
  const form = { grant_type: 'password', client_id: 'admin-cli', ...ROOT, ...withoutRealm(who) };
  const logIn = () => host.token(who.realm ?? 'master', form);
  let { access_token: token } = (await logIn()).json as { access_token?: string };
  let at = process.uptime();
  return async (): Promise<string> => {
    if (process.uptime() - at > FRESH) {
      const { status, json } = await logIn();
      if (status === 200) token = json.access_token;
      at = process.uptime();
    }
    return token ?? '';
  };
}

/** The request that makes a user of `demo` its admin, the most powerful assignment. */
export async function realmAdminGrant(host: TestHost, userId: string) {
  const call = await adminCaller(host);
  const id = await clientUuid(host, 'realm-management');
  const role = (await call('GET', `/realms/demo/clients/${id}/roles/realm-admin`)).json;
  return { call, role, path: `/realms/demo/users/${userId}/role-mappings/clients/${id}` };
}

function withoutRealm({ realm: _, ...rest }: { realm?: string; username?: string; password?: string }) {
  return rest;
}
