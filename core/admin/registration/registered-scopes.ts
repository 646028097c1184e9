import { clientScopeNames } from '../../model/client-scope-names.js';
import type { ClientRepresentation, RealmRepresentation } from '../../model/representation.js';
import type { SentRegistration } from './subject-type.js';

/** The scope that every client has that names optional scopes alone. */
const BASIC_SCOPE = 'basic';

type Scopes = Pick<SentRegistration, 'defaultClientScopes' | 'optionalClientScopes'>;

/**
 * Scopes of a new client. Names that are no scope of the realm are ignored. If only optional scopes are named, the client
 * has `basic` by default (Keycloak's AbstractClientRegistrationProvider). With a `scope` of RFC 7591 the client has the
 * realm's default scopes, as it has without one: those that `scope` names are optional, and the others remain default.
 */
export function scopesOfNew(sent: SentRegistration, realm: RealmRepresentation): Scopes {
  const optional = known(sent.optionalClientScopes, realm);
  if (sent.defaultClientScopes) {
    return { defaultClientScopes: known(sent.defaultClientScopes, realm), optionalClientScopes: optional };
  }
  if (!optional) return {};
  const basics = sent.addsScopes ? clientScopeNames({}, realm).defaultClientScopes : [BASIC_SCOPE];
  const names = known(basics, realm)?.filter((name) => !optional.includes(name));
  return { defaultClientScopes: names, optionalClientScopes: optional };
}

/** The client keeps its scopes of the kind that is not sent. */
export function putScopes(client: ClientRepresentation, sent: SentRegistration, realm: RealmRepresentation): void {
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
