import type { RealmRepresentation } from './representation.js';

/** Names of client scopes, as a client has them. */
export interface ClientScopeNames {
  readonly defaultClientScopes: string[];
  readonly optionalClientScopes: string[];
}

/**
 * The scopes of a client: the realm's, unless it names some. A client that names scopes of one kind has none of the other kind
 * (Keycloak's RepresentationToModel.createClient).
 */
export function clientScopeNames(
  { defaultClientScopes, optionalClientScopes }: Partial<ClientScopeNames>,
  { defaultDefaultClientScopes = [], defaultOptionalClientScopes = [] }: RealmRepresentation,
): ClientScopeNames {
  if (defaultClientScopes === undefined && optionalClientScopes === undefined) {
    return {
      defaultClientScopes: [...defaultDefaultClientScopes],
      optionalClientScopes: [...defaultOptionalClientScopes],
    };
  }
  return {
    defaultClientScopes: [...(defaultClientScopes ?? [])],
    optionalClientScopes: [...(optionalClientScopes ?? [])],
  };
}
