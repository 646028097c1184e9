import { ALICE, CC } from '../bench-realm.js';
import type { Server } from '../processes.js';
import type { Servers } from '../servers.js';
import type { Target } from './row.js';

export const DISCOVERY = '/.well-known/openid-configuration';

export const oidcOf = (server: Server, realm: string) => `${server.url}/realms/${realm}/protocol/openid-connect`;

export const keyhost = (servers: Servers) => servers.keyhost();

/** client_credentials of this host. */
export function ownTokens(realm: string): Target {
  return { server: keyhost, work: (server) => ({ url: `${oidcOf(server, realm)}/token`, form: CC }) };
}

/** Generates a link of an action token, and follows it. */
export function link(server: Target['server']): Target {
  return {
    server,
    work: ({ url }) => ({
      url: `${url}/realms/rs/newsletter/generate-token`,
      json: { userId: ALICE, applicationId: '42' },
      follow: 'link',
    }),
  };
}

/** @throws Error at any answer but 200 */
export async function post(url: string, form: Record<string, string>): Promise<Record<string, string>> {
  const response = await fetch(url, { method: 'POST', body: new URLSearchParams(form) });
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as Record<string, string>;
}
