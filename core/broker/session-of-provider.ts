import type { JsonObject } from '@keyhost/spi';
import type { IdentityProvider } from '../model/identity-provider.js';
import { plainText } from './claims-of-provider.js';

/** Keycloak's notes of a session that a login at a provider began. */
export const ID_TOKEN_NOTE = 'FEDERATED_ID_TOKEN';
const SESSION_NOTE = 'BROKER_SESSION_ID';

/** The provider's own session, which ends this one when it ends. */
export function providerNotes({ alias }: IdentityProvider, { sid }: JsonObject): Record<string, string> {
  const id = plainText(sid);
  return id === undefined ? {} : { [SESSION_NOTE]: `${alias}.${id}` };
}

/** @param sid undefined: any session that the provider began */
export function isOfProvider(
  notes: Readonly<Record<string, string>>,
  { alias }: IdentityProvider,
  sid: string | undefined,
): boolean {
  if (notes.identity_provider !== alias) return false;
  return sid === undefined || notes[SESSION_NOTE] === `${alias}.${sid}`;
}
