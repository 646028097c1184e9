import type { ComponentRepresentation, RealmRepresentation } from './representation.js';

/** Keycloak's type of the components that restrict who may register clients, and with which settings. */
export const REGISTRATION_POLICY = 'org.keycloak.services.clientregistration.policy.ClientRegistrationPolicy';

/** Mappers that put the user's own profile into tokens. */
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

/** The policies that a new realm of Keycloak's has (DefaultClientRegistrationPolicies). */
const DEFAULTS: readonly ComponentRepresentation[] = [
  policy('anonymous', 'Trusted Hosts', 'trusted-hosts', {
    'host-sending-registration-request-must-match': ['true'],
    'client-uris-must-match': ['true'],
  }),
  policy('anonymous', 'Consent Required', 'consent-required'),
  policy('anonymous', 'Full Scope Disabled', 'scope'),
  policy('anonymous', 'Max Clients Limit', 'max-clients', { 'max-clients': ['200'] }),
  ...of('anonymous'),
  ...of('authenticated'),
];

/** The policies of a realm. A realm that declares none has Keycloak's defaults: registration requires a token. */
export function registrationPolicies({
  components,
}: Pick<RealmRepresentation, 'components'>): readonly ComponentRepresentation[] {
  return components?.[REGISTRATION_POLICY] ?? DEFAULTS;
}

function of(subType: string): ComponentRepresentation[] {
  return [
    policy(subType, 'Allowed Protocol Mapper Types', 'allowed-protocol-mappers', {
      'allowed-protocol-mapper-types': OWN_PROFILE_MAPPERS,
    }),
    policy(subType, 'Allowed Client Scopes', 'allowed-client-templates', { 'allow-default-scopes': ['true'] }),
    policy(subType, 'Allowed Registration Web Origins', 'registration-web-origins'),
  ];
}

function policy(
  subType: string,
  name: string,
  providerId: string,
  config: Record<string, string[]> = {},
): ComponentRepresentation {
  return { name, providerId, subType, config };
}
