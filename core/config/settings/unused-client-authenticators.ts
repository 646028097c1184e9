import type { ClientRepresentation, RealmRepresentation } from '../../model/representation.js';
import type { SchemaProblem } from '../json/schema-check.js';

/** Ways in which a client of Keyhost proves who it is. */
const KNOWN: readonly unknown[] = ['client-secret', 'client-jwt', 'client-secret-jwt'];

/** Clients whose authenticator this host does not have, such as `client-x509`: they get no tokens. */
export function unusedClientAuthenticators({ clients = [] }: RealmRepresentation): SchemaProblem[] {
  return clients.flatMap((client, index) =>
    needsAuthenticator(client) && !KNOWN.includes(client.clientAuthenticatorType ?? 'client-secret')
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
