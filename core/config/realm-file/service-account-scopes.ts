import { DEFAULT_CLIENT_SCOPES, DEFAULT_SAML_SCOPES, OPTIONAL_CLIENT_SCOPES } from '../../model/built-in-names.js';
import type { DefaultScopes } from '../../model/client-scope-names.js';
import type { RealmRepresentation, UserRepresentation } from '../../model/representation.js';
import { addServiceAccountScope, SERVICE_ACCOUNT_SCOPE } from '../../model/service-account-scope.js';

/**
 * Adds the client scope `service_account` to each client whose service account is not among the users, as Keycloak's
 * import does. An export contains the users of service accounts and lists all scopes of their clients, so those clients
 * are unchanged. A realm that declares client scopes without this one is unchanged, too.
 * @param realm changed in place; its shape has been checked
 * @param users all users of the realm, from every document
 * @returns indexes of the clients that state their default client scopes without it
 */
export function addServiceAccountScopes(realm: RealmRepresentation, users: readonly UserRepresentation[]): number[] {
  const owners = new Set(users.map(({ serviceAccountClientId }) => serviceAccountClientId));
  const scopes = completeScopes(realm);
  const extended: number[] = [];
  for (const [index, client] of (realm.clients ?? []).entries()) {
    if (client.serviceAccountsEnabled !== true || owners.has(client.clientId)) continue;
    const declaredCount = client.defaultClientScopes?.length;
    addServiceAccountScope(client, scopes);
    if (declaredCount !== undefined && declaredCount !== client.defaultClientScopes?.length) extended.push(index);
  }
  return extended;
}

/** The client scopes of the realm, with the relevant built-in ones, which have not been added to it yet. */
function completeScopes(realm: RealmRepresentation): DefaultScopes {
  return {
    clientScopes: [
      ...(realm.clientScopes ?? [{ name: SERVICE_ACCOUNT_SCOPE }]),
      ...DEFAULT_SAML_SCOPES.map((name) => ({ name, protocol: 'saml' })),
    ],
    defaultDefaultClientScopes: realm.defaultDefaultClientScopes ?? [...DEFAULT_SAML_SCOPES, ...DEFAULT_CLIENT_SCOPES],
    defaultOptionalClientScopes: realm.defaultOptionalClientScopes ?? [...OPTIONAL_CLIENT_SCOPES],
  };
}
