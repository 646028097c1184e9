import { clientScopeNames } from '../../model/client-scope-names.js';
import type { ClientRepresentation, RealmRepresentation } from '../../model/representation.js';
import type { RegistrationInput } from './subject-type.js';

/** The default scope of a client whose registration contains only optional scopes. */
const BASIC_SCOPE = 'basic';

type Scopes = Pick<RegistrationInput, 'defaultClientScopes' | 'optionalClientScopes'>;

/**
 * The scopes of a new client. Unknown names are ignored. If only optional scopes are sent, the default scope is `basic`
 * (Keycloak's AbstractClientRegistrationProvider). With a `scope` of RFC 7591, the client also gets the realm's default
 * scopes. Those that `scope` contains become optional instead.
 */
export function scopesOfNewClient(input: RegistrationInput, realm: RealmRepresentation): Scopes {
  const optionalScopes = existingScopes(input.optionalClientScopes, realm);
  if (input.defaultClientScopes) {
    return {
      defaultClientScopes: existingScopes(input.defaultClientScopes, realm),
      optionalClientScopes: optionalScopes,
    };
  }
  if (!optionalScopes) return {};
  const defaultNames = input.addsScopes ? clientScopeNames({}, realm).defaultClientScopes : [BASIC_SCOPE];
  const names = existingScopes(defaultNames, realm)?.filter((name) => !optionalScopes.includes(name));
  return { defaultClientScopes: names, optionalClientScopes: optionalScopes };
}

/** Changes default or optional scopes. If only one of the lists is sent, the other is left unchanged. */
export function setScopes(client: ClientRepresentation, input: RegistrationInput, realm: RealmRepresentation): void {
  if (!input.defaultClientScopes && !input.optionalClientScopes) return;
  const previousScopes = clientScopeNames(client, realm);
  const defaultNames = existingScopes(input.defaultClientScopes, realm) ?? previousScopes.defaultClientScopes;
  client.defaultClientScopes = defaultNames;
  client.optionalClientScopes = (
    existingScopes(input.optionalClientScopes, realm) ?? previousScopes.optionalClientScopes
  ).filter((name) => !defaultNames.includes(name));
}

function existingScopes(
  names: readonly string[] | null | undefined,
  { clientScopes = [] }: RealmRepresentation,
): string[] | undefined {
  return names?.filter((name) => clientScopes.some((scope) => scope.name === name));
}
