import { DEFAULT_CLIENT_SCOPES, DEFAULT_SAML_SCOPES, OPTIONAL_CLIENT_SCOPES } from '../../model/built-in-names.js';
import type { DefaultScopes } from '../../model/client-scope-names.js';
import type { RealmRepresentation, UserRepresentation } from '../../model/representation.js';
import { addServiceAccountScope, SERVICE_ACCOUNT_SCOPE } from '../../model/service-account-scope.js';

/**
 * Adds the client scope `service_account` to each client whose service account is not among the users, as Keycloak's
 * import does. A client whose service account is among them, as in an export, is unchanged, since an export lists all
 * of its scopes. A realm that declares client scopes without `service_account` is unchanged, too.
 * @param realm changed in place; its shape has been checked
 * @param users all users of the realm, from every document
 * @returns indexes of the clients whose list of default client scopes was extended
 */
export function addServiceAccountScopes(realm: RealmRepresentation, users: readonly UserRepresentation[]): number[] {
  const owners = new Set(users.map(({ serviceAccountClientId }) => serviceAccountClientId));
  const scopes = scopesWithBuiltIns(realm);
  const extendedIndexes: number[] = [];
  for (const [index, client] of (realm.clients ?? []).entries()) {
    if (client.serviceAccountsEnabled !== true || owners.has(client.clientId)) continue;
    const declaredCount = client.defaultClientScopes?.length;
    addServiceAccountScope(client, scopes);
    if (declaredCount !== undefined && declaredCount !== client.defaultClientScopes?.length)
      extendedIndexes.push(index);
  }
  return extendedIndexes;
}

/** The client scopes of the realm, and the relevant built-in ones, which are added to the realm only later. */
function scopesWithBuiltIns(realm: RealmRepresentation): DefaultScopes {
  return {
    clientScopes: [
      ...(realm.clientScopes ?? [{ name: SERVICE_ACCOUNT_SCOPE }]),
      ...DEFAULT_SAML_SCOPES.map((name) => ({ name, protocol: 'saml' })),
    ],
    defaultDefaultClientScopes: realm.defaultDefaultClientScopes ?? [...DEFAULT_SAML_SCOPES, ...DEFAULT_CLIENT_SCOPES],
    defaultOptionalClientScopes: realm.defaultOptionalClientScopes ?? [...OPTIONAL_CLIENT_SCOPES],
  };
}
