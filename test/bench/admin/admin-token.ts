import { ADMIN } from '../keyhost.js';
import type { Server } from '../processes.js';
import { oidcOf, post } from '../rows/keyhost-targets.js';

/** Headers of the bench's admin, good for a minute. */
export async function adminHeaders(server: Server): Promise<{ authorization: string }> {
  const login = { grant_type: 'password', client_id: 'admin-cli', ...ADMIN };
  const { access_token } = await post(`${oidcOf(server, 'master')}/token`, login);
  return { authorization: `Bearer ${access_token}` };
}

/** @param path below /admin @throws Error at any answer that is not a success */
export async function administer(
  server: Server,
  headers: { readonly authorization: string },
  method: 'POST' | 'DELETE',
  path: string,
  json?: object,
): Promise<void> {
  const sent =
    json === undefined
      ? { headers }
      : { headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify(json) };
  const response = await fetch(`${server.url}/admin${path}`, { method, ...sent });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text.slice(0, 200)}`);
}
