import type { ComponentRepresentation, RealmRepresentation } from './representation.js';

/** Keycloak's type of the components that restrict who may register clients, and with which settings. */
export const REGISTRATION_POLICY = 'org.keycloak.services.clientregistration.policy.ClientRegistrationPolicy';

/** Mappers that add data from the user's profile to tokens. */
const OWN_PROFILE_MAPPERS = [
  'saml-user-attribute-mapper',
  'oidc-full-name-mapper',
  'oidc-usermodel-attribute-mapper',
  'oidc-address-mapper',
  'oidc-sha256-pairwise-sub-mapper',
  'saml-user-property-mapper',
  'oidc-usermodel-property-mapper',
  'saml-role-list-mapper',
];

/** The policies of a new realm in Keycloak (DefaultClientRegistrationPolicies). */
const DEFAULT_POLICIES: readonly ComponentRepresentation[] = [
  createPolicy('anonymous', 'Trusted Hosts', 'trusted-hosts', {
    'host-sending-registration-request-must-match': ['true'],
    'client-uris-must-match': ['true'],
  }),
  createPolicy('anonymous', 'Consent Required', 'consent-required'),
  createPolicy('anonymous', 'Full Scope Disabled', 'scope'),
  createPolicy('anonymous', 'Max Clients Limit', 'max-clients', { 'max-clients': ['200'] }),
  ...commonPolicies('anonymous'),
  ...commonPolicies('authenticated'),
];

/**
 * The policies of a realm; Keycloak's default policies, with which registration requires a token, if the realm declares
 * none.
 */
export function registrationPolicies({
  components,
}: Pick<RealmRepresentation, 'components'>): readonly ComponentRepresentation[] {
  return components?.[REGISTRATION_POLICY] ?? DEFAULT_POLICIES;
}

function commonPolicies(subType: string): ComponentRepresentation[] {
  return [
    createPolicy(subType, 'Allowed Protocol Mapper Types', 'allowed-protocol-mappers', {
      'allowed-protocol-mapper-types': OWN_PROFILE_MAPPERS,
    }),
    createPolicy(subType, 'Allowed Client Scopes', 'allowed-client-templates', { 'allow-default-scopes': ['true'] }),
    createPolicy(subType, 'Allowed Registration Web Origins', 'registration-web-origins'),
  ];
}

function createPolicy(
  subType: string,
  name: string,
  providerId: string,
  config: Record<string, string[]> = {},
): ComponentRepresentation {
  return { name, providerId, subType, config };
}
