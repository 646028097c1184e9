import { decodeUnverified } from '../../../keys/verify.js';
import type { ClientPolicyExecutor } from '../executor.js';
import { policyRefusalError } from '../refuse.js';

/**
 * The audience of a client assertion is the issuer alone, as the FAPI 2.0 Security Profile (final, §5.3.2.1) requires.
 * So an assertion for one endpoint of the realm is invalid at all others. Keycloak's executor handles neither logins of
 * service accounts nor device authorization requests; this one handles all requests.
 */
export const secureClientAuthenticationAssertion: ClientPolicyExecutor = {
  id: 'secure-client-authentication-assertion',
  helpText: 'The audience (aud) of client assertions is the issuer of the realm, and not the address of an endpoint.',
  properties: [],
  requests: [
    ...(['PUSHED_AUTHORIZATION_REQUEST', 'DEVICE_AUTHORIZATION_REQUEST', 'TOKEN_REQUEST', 'TOKEN_REFRESH'] as const),
    ...(['SERVICE_ACCOUNT_TOKEN_REQUEST', 'RESOURCE_OWNER_PASSWORD_CREDENTIALS_REQUEST'] as const),
    ...([
      'TOKEN_EXCHANGE_REQUEST',
      'DEVICE_TOKEN_REQUEST',
      'TOKEN_REVOKE',
      'TOKEN_INTROSPECT',
      'LOGOUT_REQUEST',
    ] as const),
  ],
  request(_config, { issuer, parameter }) {
    const assertion = parameter('client_assertion');
    if (assertion === undefined) return;
    // Signature and everything else were checked when the client authenticated.
    const { aud } = decodeUnverified(assertion).payload;
    if ([aud].flat().some((audience) => audience !== issuer)) {
      throw policyRefusalError('invalid_request', 'invalid audience in client assertion');
    }
  },
};
