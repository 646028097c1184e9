import type { ClientRepresentation, RealmRepresentation } from '../../model/representation.js';
import type { SchemaProblem } from '../json/schema-check.js';

/** The built-in client authenticators. */
const BUILT_IN_AUTHENTICATORS: readonly unknown[] = ['client-secret', 'client-jwt', 'client-secret-jwt'];

/**
 * Clients whose authenticator this host does not have, such as `client-x509`. Such clients cannot authenticate.
 * @param pluginAuthenticators the IDs of client authenticators from plugins
 */
export function unknownClientAuthenticators(
  { clients = [] }: RealmRepresentation,
  pluginAuthenticators: ReadonlySet<string> = new Set(),
): SchemaProblem[] {
  const isKnown = (type = 'client-secret') => BUILT_IN_AUTHENTICATORS.includes(type) || pluginAuthenticators.has(type);
  return clients.flatMap((client, index) =>
    needsAuthenticator(client) && !isKnown(client.clientAuthenticatorType)
      ? [
          {
            path: ['clients', index, 'clientAuthenticatorType'],
            message: `"${client.clientAuthenticatorType}" is not supported: client ${client.clientId} cannot authenticate`,
          },
        ]
      : [],
  );
}

function needsAuthenticator({ publicClient, bearerOnly, enabled, protocol = 'openid-connect' }: ClientRepresentation) {
  return publicClient !== true && bearerOnly !== true && enabled !== false && protocol === 'openid-connect';
}
