import { clientScopeNames } from '../../model/client-scope-names.js';
import type { ClientRepresentation, RealmRepresentation } from '../../model/representation.js';
import type { RegistrationInput } from './subject-type.js';

/** The default scope of a client whose registration names optional scopes only. */
const BASIC_SCOPE = 'basic';

type Scopes = Pick<RegistrationInput, 'defaultClientScopes' | 'optionalClientScopes'>;

/**
 * Scopes of a new client. Unknown names are ignored. If only optional scopes are sent, the client's default is `basic`
 * (Keycloak's AbstractClientRegistrationProvider). With a `scope` of RFC 7591 the client gets the realm's default
 * scopes, as without one. Those that `scope` contains become optional instead.
 */
export function scopesOfNewClient(sent: RegistrationInput, realm: RealmRepresentation): Scopes {
  const optional = known(sent.optionalClientScopes, realm);
  if (sent.defaultClientScopes) {
    return { defaultClientScopes: known(sent.defaultClientScopes, realm), optionalClientScopes: optional };
  }
  if (!optional) return {};
  const basics = sent.addsScopes ? clientScopeNames({}, realm).defaultClientScopes : [BASIC_SCOPE];
  const names = known(basics, realm)?.filter((name) => !optional.includes(name));
  return { defaultClientScopes: names, optionalClientScopes: optional };
}

/** Changes default or optional scopes. If only one of the lists is sent, the other stays. */
export function setScopes(client: ClientRepresentation, sent: RegistrationInput, realm: RealmRepresentation): void {
  if (!sent.defaultClientScopes && !sent.optionalClientScopes) return;
  const had = clientScopeNames(client, realm);
  const always = known(sent.defaultClientScopes, realm) ?? had.defaultClientScopes;
  client.defaultClientScopes = always;
  client.optionalClientScopes = (known(sent.optionalClientScopes, realm) ?? had.optionalClientScopes).filter(
    (name) => !always.includes(name),
  );
}

function known(
  names: readonly string[] | null | undefined,
  { clientScopes = [] }: RealmRepresentation,
): string[] | undefined {
  return names?.filter((name) => clientScopes.some((scope) => scope.name === name));
}
