import { type ConfigProperty, field } from './config-property.js';

interface PolicyType {
  readonly id: string;
  readonly helpText: string;
  readonly properties: readonly ConfigProperty[];
  readonly metadata: Readonly<Record<string, never>>;
}

/** Keycloak's policies of client registration. Realms keep them; what clients may register is fixed here. */
export const REGISTRATION_POLICY_TYPES: readonly PolicyType[] = [
  policy('allowed-client-templates', 'Limits the client scopes of registered clients.', [
    field('allowed-client-scopes', 'MultivaluedList', 'allowed-client-scopes.label'),
    field('allow-default-scopes', 'boolean', 'allow-default-scopes.label', { defaultValue: true }),
  ]),
  policy('allowed-protocol-mappers', 'Limits the protocol mappers of registered clients.', [
    field('allowed-protocol-mapper-types', 'MultivaluedList', 'allowed-protocol-mappers.label'),
  ]),
  policy('client-disabled', 'Disables registered clients until an admin enables them.'),
  policy('consent-required', 'Requires consent for registered clients.'),
  policy('max-clients', 'Limits how many clients a realm has.', [
    field('max-clients', 'String', 'max-clients.label', { defaultValue: '200' }),
  ]),
  policy('registration-web-origins', 'Allows web origins to register clients.', [
    field('web-origins', 'MultivaluedString', 'registration-web-origins.label'),
  ]),
  policy('scope', 'Takes the full scope from registered clients.'),
  policy('trusted-hosts', 'Limits the hosts that register clients, and their redirect URIs.', [
    field('trusted-hosts', 'MultivaluedString', 'trusted-hosts.label'),
    field(
      'host-sending-registration-request-must-match',
      'boolean',
      'host-sending-registration-request-must-match.label',
      { defaultValue: 'true' },
    ),
    field('client-uris-must-match', 'boolean', 'client-uris-must-match.label', { defaultValue: 'true' }),
  ]),
];

function policy(id: string, helpText: string, properties: readonly ConfigProperty[] = []): PolicyType {
  const told = `${helpText} Keyhost keeps this policy and does not act on it.`;
  return { id, helpText: told, properties, metadata: {} };
}
