import { decodeUnverified } from '../../../keys/verify.js';
import type { ClientPolicyExecutor } from '../executor.js';
import { policyRefusalError } from '../refuse.js';
import { SECURE_ALGORITHMS } from './secure-algorithms.js';

/** Authenticators of the host by which a client signs an assertion. */
const SIGNING = ['client-jwt', 'client-secret-jwt'];

/** Client assertions must be signed with ECDSA or RSA-PSS, and not with the client's secret. */
export const secureSignatureAlgorithmSignedJwt: ClientPolicyExecutor = {
  id: 'secure-signature-algorithm-signed-jwt',
  helpText: `Requires client assertions that are signed with one of ${SECURE_ALGORITHMS.join(', ')}.`,
  properties: [
    {
      name: 'require-client-assertion',
      label: 'Require Client Assertion',
      helpText: 'Rejects requests of clients that send no client assertion.',
      type: 'boolean',
      defaultValue: false,
    },
  ],
  requests: [
    ...(['TOKEN_REQUEST', 'SERVICE_ACCOUNT_TOKEN_REQUEST', 'TOKEN_REFRESH'] as const),
    ...(['TOKEN_REVOKE', 'TOKEN_INTROSPECT', 'LOGOUT_REQUEST'] as const),
  ],
  request({ 'require-client-assertion': isRequired }, { client, parameter }) {
    const assertion = parameter('client_assertion');
    if (client.publicClient || !SIGNING.includes(client.authenticatorType) || assertion === undefined) {
      if (isRequired === true) throw policyRefusalError('invalid_request', 'client assertion is required.');
      return;
    }
    // Signature and everything else were checked when the client authenticated.
    if (SECURE_ALGORITHMS.includes(String(decodeUnverified(assertion).header.alg))) return;
    throw policyRefusalError('invalid_request', 'not allowed signature algorithm.');
  },
};
