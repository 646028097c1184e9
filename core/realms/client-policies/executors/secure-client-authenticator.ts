import { textList } from '../condition.js';
import type { ClientPolicyExecutor } from '../executor.js';
import { policyRefusalError } from '../refuse.js';

/** Keycloak's client authenticators. Keyhost has three of them: client-secret, client-jwt and client-secret-jwt. */
const AUTHENTICATORS = ['client-jwt', 'client-secret', 'federated-jwt', 'client-x509', 'client-secret-jwt'];
const ALLOWED = 'allowed-client-authenticators';
const DEFAULT = 'default-client-authenticator';

/** Confidential clients must use one of the allowed client authenticators. */
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
    if (client.publicClient || textList(config, ALLOWED).includes(client.authenticatorType)) return;
    throw policyRefusalError('invalid_request', 'Configured client authentication method not allowed for client');
  },
  change(config, { event, client, sent }) {
    const { [DEFAULT]: method } = config;
    const isAllowed = () => textList(config, ALLOWED).includes(client.clientAuthenticatorType ?? 'client-secret');
    // If a request to update the client names no authenticator, an allowed one stays.
    const isOpen = !sent.clientAuthenticatorType && (event === 'REGISTER' || !isAllowed());
    if (isOpen && typeof method === 'string') client.clientAuthenticatorType = method;
    if (isAllowed()) return;
    throw policyRefusalError('invalid_client_metadata', 'Invalid client metadata: token_endpoint_auth_method');
  },
};
