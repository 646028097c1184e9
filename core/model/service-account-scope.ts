import { clientScopeNames, type DefaultScopes } from './client-scope-names.js';
import type { ClientRepresentation } from './representation.js';

/** The client scope whose mappers add the client's ID, host and address to tokens of its service account. */
export const SERVICE_ACCOUNT_SCOPE = 'service_account';

/**
 * Makes `service_account` a default client scope of the client, if the realm has that scope (Keycloak's
 * ClientManager.enableServiceAccount).
 * @param client changed in place
 */
export function addServiceAccountScope(client: ClientRepresentation, realm: DefaultScopes): void {
  if (realm.clientScopes?.some(({ name }) => name === SERVICE_ACCOUNT_SCOPE) !== true) return;
  const { defaultClientScopes, optionalClientScopes } = clientScopeNames(client, realm);
  client.defaultClientScopes = [...new Set([...defaultClientScopes, SERVICE_ACCOUNT_SCOPE])];
  client.optionalClientScopes = optionalClientScopes.filter((name) => name !== SERVICE_ACCOUNT_SCOPE);
}

/**
 * Removes `service_account` from the client's default client scopes.
 * @param client changed in place
 */
export function removeServiceAccountScope(client: ClientRepresentation): void {
  client.defaultClientScopes = client.defaultClientScopes?.filter((name) => name !== SERVICE_ACCOUNT_SCOPE);
}
