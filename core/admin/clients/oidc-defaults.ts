import type { ClientInput } from './client-input.js';

/** Keycloak's defaults for a client whose protocol was sent (OIDCLoginProtocolFactory.setupClientDefaults). */
const ATTRIBUTES = {
  'backchannel.logout.session.required': 'true',
  'backchannel.logout.revoke.offline.tokens': 'false',
} as const;

/** Adds Keycloak's default attributes to a new client. Sent values take precedence, while Keycloak overwrites them. */
export function withOidcDefaults(input: ClientInput): ClientInput {
  if (input.protocol !== 'openid-connect') return input;
  const attributes = Object.entries(input.attributes ?? {}).filter(([, value]) => value !== null);
  return { ...input, attributes: { ...ATTRIBUTES, ...Object.fromEntries(attributes) } };
}
