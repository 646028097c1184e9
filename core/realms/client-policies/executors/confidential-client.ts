import type { ClientPolicyExecutor } from '../executor.js';
import { policyRefusalError } from '../refuse.js';

/** Only confidential clients can log users in, redeem codes, and get tokens for their service accounts. */
export const confidentialClient: ClientPolicyExecutor = {
  id: 'confidential-client',
  helpText: 'Requires confidential clients. Public and bearer-only clients cannot use logins or codes.',
  properties: [],
  requests: ['AUTHORIZATION_REQUEST', 'TOKEN_REQUEST', 'SERVICE_ACCOUNT_TOKEN_REQUEST'],
  request(_config, { client }) {
    if (client.publicClient) throw policyRefusalError('invalid_client', 'invalid client access type: public');
    if (client.bearerOnly) throw policyRefusalError('invalid_client', 'invalid client access type: bearer only');
  },
};
