import type { SentClient } from './sent-client.js';

/** What Keycloak gives a client whose protocol is named (OIDCLoginProtocolFactory.setupClientDefaults). */
const ATTRIBUTES = {
  'backchannel.logout.session.required': 'true',
  'backchannel.logout.revoke.offline.tokens': 'false',
} as const;

/** The client that is to be made, with these attributes. One that is sent stays; Keycloak overwrites it. */
export function withOidcDefaults(sent: SentClient): SentClient {
  if (sent.protocol !== 'openid-connect') return sent;
  const said = Object.entries(sent.attributes ?? {}).filter(([, value]) => value !== null);
  return { ...sent, attributes: { ...ATTRIBUTES, ...Object.fromEntries(said) } };
}
