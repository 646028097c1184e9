import { randomUUID } from 'node:crypto';
import type { Client } from '../model/client.js';
import { randomToken } from '../model/random-token.js';
import type { Realm } from '../model/realm.js';

/**
 * Returns an ID for an authentication session that belongs to no browser, in the form of Keycloak's compound ID:
 * `{root}.{tab}.{client's id}`. Without a client it has the ID of `account` or of the realm.
 */
export function newAuthenticationSessionId(realm: Realm, client: Client | undefined): string {
  const { id } = client ?? realm.clients.get('account') ?? realm;
  return `${randomUUID()}.${randomToken(8)}.${id}`;
}

/** True for text in the form of an authentication session ID. */
export function isAuthenticationSessionId(id: unknown): id is string {
  return typeof id === 'string' && id.length <= 512 && /^[\w-]+\.[\w-]+\.[^\s.]+$/.test(id);
}
