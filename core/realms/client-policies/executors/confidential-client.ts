import type { ClientPolicyExecutor } from '../executor.js';
import { refusedByPolicy } from '../refuse.js';

/** Public clients do not log users in by the browser. */
export const confidentialClient: ClientPolicyExecutor = {
  id: 'confidential-client',
  helpText: 'Requires confidential clients. Public and bearer-only clients cannot use logins or codes.',
  properties: [],
  requests: ['AUTHORIZATION_REQUEST', 'TOKEN_REQUEST', 'SERVICE_ACCOUNT_TOKEN_REQUEST'],
  request(_config, { client }) {
    if (client.publicClient) throw refusedByPolicy('invalid_client', 'invalid client access type: public');
    if (client.bearerOnly) throw refusedByPolicy('invalid_client', 'invalid client access type: bearer only');
  },
};
