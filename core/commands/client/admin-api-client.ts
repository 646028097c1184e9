import { BootError } from '../../config/boot-error.js';
import { clientRepresentation, GROUPS_SCOPE, type NewClient } from '../../connect/client-representation.js';
import type { ClientRepresentation, ClientScopeRepresentation } from '../../model/representation.js';
import { errorText, fetchFrom } from '../server/requests.js';
import type { SignIns } from './first-sign-in.js';
import { clientExists } from './realm-file-client.js';

export interface CreatedClient {
  readonly secret: string | undefined;
  /** In the form of a realm file. */
  readonly client: ClientRepresentation;
  /** Its path below that of the realm. */
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
  const callApi = (path: string, body?: object) => request(`${api}${path}`, token, body);
  const names = async (path: string) =>
    ((await (await callApi(path)).json()) as { name: string }[]).map(({ name }) => name);
  if (newClient.groups) {
    const existingScopes = (await (await callApi('/client-scopes')).json()) as ClientScopeRepresentation[];
    if (!existingScopes.some(({ name }) => name === GROUPS_SCOPE.name)) await callApi('/client-scopes', GROUPS_SCOPE);
  }
  const client = clientRepresentation(newClient, {
    defaults: await names('/default-default-client-scopes'),
    optional: await names('/default-optional-client-scopes'),
  });
  const created = await callApi('/clients', client).catch((error: unknown) => {
    throw error instanceof Refused && error.status === 409 ? clientExists(newClient.clientId, realm) : error;
  });
  const path = `/clients/${encodeURIComponent(created.headers.get('location')?.split('/').at(-1) ?? '')}`;
  if (newClient.isPublic) return { client, secret: undefined, path };
  const { value } = (await (await callApi(`${path}/client-secret`)).json()) as { value?: string };
  return { client, secret: value, path };
}

/**
 * Reads the sign-ins to a client. The caller gets a new token for each request, since those of `master` expire after a
 * minute. @throws BootError
 */
export async function signInsByAdminApi(url: string, token: string): Promise<SignIns> {
  return (
    await request(`${url}/sign-ins`, token, undefined, 'manage-clients and view-events')
  ).json() as Promise<SignIns>;
}

class Refused extends BootError {
  readonly status: number;

  constructor(status: number, message: string, hint: string) {
    super('server_refused', message, { hint });
    this.status = status;
  }
}

async function request(url: string, token: string, body?: object, roles = 'manage-clients'): Promise<Response> {
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
  throw new Refused(response.status, `the server refuses: ${errorText(answer, response)}`, hint);
}
