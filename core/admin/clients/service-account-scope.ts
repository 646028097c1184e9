import { clientScopeNames } from '../../model/client-scope-names.js';
import type { ClientRepresentation, RealmRepresentation } from '../../model/representation.js';

/** The client scope that says in tokens which client a service account belongs to. */
const SCOPE = 'service_account';

/** A client with a service account has that scope, where the realm has it. */
export function withServiceAccountScope(client: ClientRepresentation, realm: RealmRepresentation): void {
  if (realm.clientScopes?.some(({ name }) => name === SCOPE) !== true) return;
  const { defaultClientScopes, optionalClientScopes } = clientScopeNames(client, realm);
  client.defaultClientScopes = [...new Set([...defaultClientScopes, SCOPE])];
  client.optionalClientScopes = optionalClientScopes;
}

export function withoutServiceAccountScope(client: ClientRepresentation): void {
  client.defaultClientScopes = client.defaultClientScopes?.filter((name) => name !== SCOPE);
}
