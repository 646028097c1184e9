import { clientScopeNames } from '../../model/client-scope-names.js';
import type { ClientRepresentation, RealmRepresentation } from '../../model/representation.js';
import type { SentRegistration } from './subject-type.js';

/** What a client that names only optional scopes always has. */
const BASIC_SCOPE = 'basic';

/** A client that says only what it may ask for has its basic claims all the same (Keycloak's AbstractClientRegistrationProvider). */
export function withBasicScope(
  { defaultClientScopes, optionalClientScopes }: SentRegistration,
  { clientScopes = [] }: RealmRepresentation,
): Pick<SentRegistration, 'defaultClientScopes'> {
  if (defaultClientScopes || !optionalClientScopes) return {};
  return { defaultClientScopes: clientScopes.some(({ name }) => name === BASIC_SCOPE) ? [BASIC_SCOPE] : [] };
}

/** What the client has of the kind that is not sent stays. */
export function putScopes(client: ClientRepresentation, sent: SentRegistration, realm: RealmRepresentation): void {
  if (!sent.defaultClientScopes && !sent.optionalClientScopes) return;
  const had = clientScopeNames(client, realm);
  const always = sent.defaultClientScopes ?? had.defaultClientScopes;
  client.defaultClientScopes = always;
  client.optionalClientScopes = (sent.optionalClientScopes ?? had.optionalClientScopes).filter(
    (name) => !always.includes(name),
  );
}
