import { texts } from '../condition.js';
import type { ClientPolicyExecutor } from '../executor.js';
import { refusedByPolicy } from '../refuse.js';

/** Keycloak's. The host has three of them: client-secret, client-jwt and client-secret-jwt. */
const AUTHENTICATORS = ['client-jwt', 'client-secret', 'federated-jwt', 'client-x509', 'client-secret-jwt'];
const ALLOWED = 'allowed-client-authenticators';
const DEFAULT = 'default-client-authenticator';

/** Confidential clients prove themselves by certain methods alone. */
export const secureClientAuthenticator: ClientPolicyExecutor = {
  id: 'secure-client-authenticator',
  helpText: 'Requires confidential clients to use one of the allowed client authenticators.',
  properties: [
    {
      name: ALLOWED,
      label: 'Allowed Client Authenticators',
      type: 'MultivaluedList',
      options: AUTHENTICATORS,
      helpText: 'Client authenticators that clients can use. If the list is empty, no client can authenticate.',
    },
    {
      name: DEFAULT,
      label: 'Default Client Authenticator',
      type: 'List',
      options: AUTHENTICATORS,
      helpText: 'Client authenticator of a client that is created or updated without one.',
      defaultValue: 'client-jwt',
    },
  ],
  requests: [
    ...(['TOKEN_REQUEST', 'SERVICE_ACCOUNT_TOKEN_REQUEST', 'TOKEN_REFRESH'] as const),
    ...(['TOKEN_REVOKE', 'TOKEN_INTROSPECT', 'LOGOUT_REQUEST'] as const),
  ],
  request(config, { client }) {
    if (client.publicClient || texts(config, ALLOWED).includes(client.authenticatorType)) return;
    throw refusedByPolicy('invalid_request', 'Configured client authentication method not allowed for client');
  },
  change(config, { event, client, sent }) {
    const { [DEFAULT]: method } = config;
    const isAllowed = () => texts(config, ALLOWED).includes(client.clientAuthenticatorType ?? 'client-secret');
    // A change that is silent about it leaves what is allowed as it is.
    const isOpen = !sent.clientAuthenticatorType && (event === 'REGISTER' || !isAllowed());
    if (isOpen && typeof method === 'string') client.clientAuthenticatorType = method;
    if (isAllowed()) return;
    throw refusedByPolicy('invalid_client_metadata', 'Invalid client metadata: token_endpoint_auth_method');
  },
};
