import type { ClientInput } from './client-input.js';

/** Keycloak's defaults for a client whose protocol was sent (OIDCLoginProtocolFactory.setupClientDefaults). */
const ATTRIBUTES = {
  'backchannel.logout.session.required': 'true',
  'backchannel.logout.revoke.offline.tokens': 'false',
} as const;

/** Adds these attributes to a new client. Sent values take precedence, while Keycloak overwrites them. */
export function withOidcDefaults(sent: ClientInput): ClientInput {
  if (sent.protocol !== 'openid-connect') return sent;
  const said = Object.entries(sent.attributes ?? {}).filter(([, value]) => value !== null);
  return { ...sent, attributes: { ...ATTRIBUTES, ...Object.fromEntries(said) } };
}
