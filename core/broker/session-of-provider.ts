import type { JsonObject } from '@keyhost/spi';
import type { IdentityProvider } from '../model/identity-provider.js';
import { plainText } from './provider-claims.js';

/** Keycloak's notes of a session that started with a brokered login. */
export const ID_TOKEN_NOTE = 'FEDERATED_ID_TOKEN';
const SESSION_NOTE = 'BROKER_SESSION_ID';

/** The session note with the provider's session. If that session ends, this one ends too. */
export function providerNotes({ alias }: IdentityProvider, { sid }: JsonObject): Record<string, string> {
  const id = plainText(sid);
  return id === undefined ? {} : { [SESSION_NOTE]: `${alias}.${id}` };
}

/**
 * True if the session started with a login at the provider.
 * @param sid the provider's session; undefined: any
 */
export function isOfProvider(
  notes: Readonly<Record<string, string>>,
  { alias }: IdentityProvider,
  sid: string | undefined,
): boolean {
  if (notes.identity_provider !== alias) return false;
  return sid === undefined || notes[SESSION_NOTE] === `${alias}.${sid}`;
}
