import { BootError } from '../../config/boot-error.js';
import { clientRepresentation, GROUPS_SCOPE, type NewClient } from '../../connect/client-representation.js';
import type { ClientRepresentation, ClientScopeRepresentation } from '../../model/representation.js';
import { errorText, fetchFrom } from '../server/requests.js';
import type { SignIns } from './first-sign-in.js';
import { clientExists } from './realm-file-client.js';

export interface CreatedClient {
  readonly secret: string | undefined;
  /** The client as a realm file would contain it. */
  readonly client: ClientRepresentation;
  /** The client's path below the realm's path in the Admin REST API. */
  readonly path: string;
}

/**
 * Creates a client by the Admin REST API, with only the rights of the token.
 * @param api `{server}/admin/realms/{realm}`
 * @throws BootError `server_refused`; `options_invalid` for a client that exists
 */
export async function createByAdminApi(
  newClient: NewClient,
  { api, realm, token }: { api: string; realm: string; token: string },
): Promise<CreatedClient> {
  const callApi = (path: string, body?: object) => sendRequest(`${api}${path}`, token, body);
  const namesAt = async (path: string) =>
    ((await (await callApi(path)).json()) as { name: string }[]).map(({ name }) => name);
  if (newClient.groups) {
    const existingScopes = (await (await callApi('/client-scopes')).json()) as ClientScopeRepresentation[];
    if (!existingScopes.some(({ name }) => name === GROUPS_SCOPE.name)) await callApi('/client-scopes', GROUPS_SCOPE);
  }
  const client = clientRepresentation(newClient, {
    defaults: await namesAt('/default-default-client-scopes'),
    optional: await namesAt('/default-optional-client-scopes'),
  });
  const created = await callApi('/clients', client).catch((error: unknown) => {
    throw error instanceof RefusedError && error.status === 409 ? clientExists(newClient.clientId, realm) : error;
  });
  const path = `/clients/${encodeURIComponent(created.headers.get('location')?.split('/').at(-1) ?? '')}`;
  if (newClient.isPublic) return { client, secret: undefined, path };
  const { value } = (await (await callApi(`${path}/client-secret`)).json()) as { value?: string };
  return { client, secret: value, path };
}

/**
 * Reads the sign-ins to a client.
 * @param token should be fresh, since a token of `master` expires after a minute
 * @throws BootError
 */
export async function signInsByAdminApi(url: string, token: string): Promise<SignIns> {
  return (
    await sendRequest(`${url}/sign-ins`, token, undefined, 'manage-clients and view-events')
  ).json() as Promise<SignIns>;
}

class RefusedError extends BootError {
  readonly status: number;

  constructor(status: number, message: string, hint: string) {
    super('server_refused', message, { hint });
    this.status = status;
  }
}

async function sendRequest(url: string, token: string, body?: object, roles = 'manage-clients'): Promise<Response> {
  const headers = { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) };
  const init = body === undefined ? { headers } : { method: 'POST', headers, body: JSON.stringify(body) };
  const response = await fetchFrom(url, init);
  if (response.ok) return response;
  const answer = (await response.json().catch(() => ({}))) as Readonly<Record<string, unknown>>;
  const hint =
    response.status === 403
      ? `the admin requires the role ${roles} of this realm`
      : response.status === 404
        ? 'correct --realm or --server'
        : 'correct the option that the message is about';
  throw new RefusedError(response.status, `the server refuses: ${errorText(answer, response)}`, hint);
}
