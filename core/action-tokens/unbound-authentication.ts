import { randomUUID } from 'node:crypto';
import type { Client } from '../model/client.js';
import { randomToken } from '../model/random-token.js';
import type { Realm } from '../model/realm.js';

/**
 * The name of an authentication session that no browser has, in the form of Keycloak's compound id: `{root}.{tab}.{client's
 * id}`.
 */
export function unboundAuthentication(realm: Realm, client: Client | undefined): string {
  const { id } = client ?? realm.clients.get('account') ?? realm;
  return `${randomUUID()}.${randomToken(8)}.${id}`;
}

/** Whether a text has the form of a name of an authentication session. */
export function isAuthenticationName(name: unknown): name is string {
  return typeof name === 'string' && name.length <= 512 && /^[\w-]+\.[\w-]+\.[^\s.]+$/.test(name);
}
