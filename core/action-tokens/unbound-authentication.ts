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
