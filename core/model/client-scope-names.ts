import type { RealmRepresentation } from './representation.js';

/** Names of client scopes, as a client has them. */
export interface ClientScopeNames {
  readonly defaultClientScopes: string[];
  readonly optionalClientScopes: string[];
}

type DefaultScopes = Pick<RealmRepresentation, 'defaultDefaultClientScopes' | 'defaultOptionalClientScopes'>;

/**
 * The scopes of a client: the realm's, unless it names some. A client that names scopes of one kind has none of the other kind
 * (Keycloak's RepresentationToModel.createClient).
 */
export function clientScopeNames(
  { defaultClientScopes, optionalClientScopes }: { readonly [kind in keyof ClientScopeNames]?: string[] | null },
  { defaultDefaultClientScopes = [], defaultOptionalClientScopes = [] }: DefaultScopes,
): ClientScopeNames {
  if (!defaultClientScopes && !optionalClientScopes) {
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
