import type { RealmRepresentation } from './representation.js';

/** The names of a client's default and optional client scopes. */
export interface ClientScopeNames {
  readonly defaultClientScopes: string[];
  readonly optionalClientScopes: string[];
}

const OPENID_CONNECT = 'openid-connect';

/** The client scopes of a realm, and the default and optional ones for clients that list none. */
export type DefaultScopes = Pick<
  RealmRepresentation,
  'defaultDefaultClientScopes' | 'defaultOptionalClientScopes' | 'clientScopes'
>;
type ClientWithScopes = { readonly [kind in keyof ClientScopeNames]?: string[] | null } & {
  readonly protocol?: string | null;
};

/**
 * True if a client scope of the realm has this name, for any protocol. `Realm.scopes` has only those of OpenID Connect.
 */
export function hasClientScope(
  realm: { readonly representation: Pick<RealmRepresentation, 'clientScopes'> },
  name: string,
): boolean {
  return realm.representation.clientScopes?.some((scope) => scope.name === name) === true;
}

/**
 * The client scopes of a client: those that it names, or else the realm's for new clients of its protocol. A client
 * that names only default or only optional scopes has none of the other list (Keycloak's
 * RepresentationToModel.createClient).
 */
export function clientScopeNames(
  { defaultClientScopes, optionalClientScopes, protocol }: ClientWithScopes,
  { defaultDefaultClientScopes = [], defaultOptionalClientScopes = [], clientScopes }: DefaultScopes,
): ClientScopeNames {
  if (!defaultClientScopes && !optionalClientScopes) {
    // A name without a declaration is that of a built-in scope, which counts as one of the client's protocol.
    const hasProtocol = (name: string) => {
      const scope = clientScopes?.find((candidate) => candidate.name === name);
      return scope === undefined || (scope.protocol ?? OPENID_CONNECT) === (protocol ?? OPENID_CONNECT);
    };
    return {
      defaultClientScopes: defaultDefaultClientScopes.filter(hasProtocol),
      optionalClientScopes: defaultOptionalClientScopes.filter(hasProtocol),
    };
  }
  return {
    defaultClientScopes: [...(defaultClientScopes ?? [])],
    optionalClientScopes: [...(optionalClientScopes ?? [])],
  };
}
