import type { RealmRepresentation } from '../../model/representation.js';
import type { SentClient } from '../clients/sent-client.js';
import { insufficientScope } from './registrant.js';

/** Mappers that tell of a user what the user's own profile says, as in Keycloak's default policy. */
const ALLOWED_MAPPERS: readonly string[] = [
  'oidc-full-name-mapper',
  'oidc-address-mapper',
  'oidc-usermodel-property-mapper',
  'oidc-usermodel-attribute-mapper',
  'oidc-sha256-pairwise-sub-mapper',
  'saml-user-property-mapper',
  'saml-user-attribute-mapper',
  'saml-role-list-mapper',
];

/** Nobody registers a client without a token: Keycloak's policy Trusted Hosts, which trusts no host by default. */
export function refuseAnonymous(): Error {
  return rejected('Trusted Hosts', 'Host not trusted.');
}

/**
 * What registered clients may be like: Keycloak's policies for those who bring a token, as they are by default.
 * @throws OAuthError 403 `insufficient_scope`
 */
export function requirePermitted(sent: SentClient, realm: RealmRepresentation): void {
  const { protocolMappers, defaultClientScopes, optionalClientScopes } = sent;
  const mapper = protocolMappers?.find(({ protocolMapper }) => !ALLOWED_MAPPERS.includes(protocolMapper ?? ''));
  if (mapper !== undefined) throw rejected('Allowed Protocol Mapper Types', 'ProtocolMapper type not allowed');
  const allowed = [...(realm.defaultDefaultClientScopes ?? []), ...(realm.defaultOptionalClientScopes ?? [])];
  const scopes = [...(defaultClientScopes ?? []), ...(optionalClientScopes ?? [])];
  if (!scopes.every((name) => allowed.includes(name))) {
    throw rejected('Allowed Client Scopes', 'Not permitted to use specified clientScope');
  }
}

function rejected(policy: string, details: string): Error {
  return insufficientScope(`Policy '${policy}' rejected request to client-registration service. Details: ${details}`);
}
