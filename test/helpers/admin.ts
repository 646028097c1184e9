import KeycloakAdminClient from '@keycloak/keycloak-admin-client';
import type { ExecutionContext } from 'ava';
import { type Answer, fetchAnswer, startHost, type TestHost, type TestHostOptions } from './host.js';

export const ROOT = { username: 'root', password: 'root-password' };

/** A host with a known admin of `master`. */
export function startAdministered(
  t: Pick<ExecutionContext, 'teardown'>,
  options: TestHostOptions = {},
): Promise<TestHost> {
  const admin = ['--bootstrap-admin-username', ROOT.username, '--bootstrap-admin-password', ROOT.password];
  return startHost(t, { ...options, argv: [...admin, ...(options.argv ?? [])] });
}

/** Keycloak's own client, logged in: as the admin of `master`, or as a user of another realm. */
export async function adminClient(
  host: TestHost,
  who: { realm?: string; username?: string; password?: string } = {},
): Promise<KeycloakAdminClient> {
  const client = new KeycloakAdminClient({ baseUrl: host.url, realmName: who.realm ?? 'master' });
  await client.auth({ ...ROOT, ...who, grantType: 'password', clientId: 'admin-cli' });
  return client;
}

/** Calls the Admin REST API as that user, with what the client library would not send. */
export async function adminCaller(
  host: TestHost,
  who: { realm?: string; username?: string; password?: string } = {},
): Promise<(method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<Answer>> {
  const form = { grant_type: 'password', client_id: 'admin-cli', ...ROOT, ...withoutRealm(who) };
  const { json } = await host.token(who.realm ?? 'master', form);
  return (method, path, body, headers = {}) =>
    fetchAnswer(`${host.url}/admin${path}`, {
      method,
      headers: {
        authorization: `Bearer ${json.access_token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
}

function withoutRealm({ realm: _, ...rest }: { realm?: string; username?: string; password?: string }) {
  return rest;
}
