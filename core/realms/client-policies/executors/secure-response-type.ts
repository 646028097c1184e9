import { autoConfigure, type ClientPolicyExecutor } from '../executor.js';
import { policyRefusalError } from '../refuse.js';

const DETACHED = 'id.token.as.detached.signature';

/**
 * Requires logins with the hybrid flow, or with responses that are JWTs. Keyhost has neither, so a policy with this
 * executor refuses all logins of its clients.
 */
export const secureResponseType: ClientPolicyExecutor = {
  id: 'secure-response-type',
  helpText:
    'Requires the response type "code id_token", or "code" with the response mode "jwt". Keyhost supports neither, so all logins are rejected.',
  properties: [
    autoConfigure(false, 'the ID token as detached signature'),
    {
      name: 'allow-token-response-type',
      label: 'Allow-token-response-type',
      helpText: 'Allows the response type "code id_token token".',
      type: 'boolean',
      defaultValue: false,
    },
  ],
  requests: ['AUTHORIZATION_REQUEST'],
  request({ 'allow-token-response-type': isTokenAllowed }, { parameter }) {
    const types = (parameter('response_type') ?? '').split(' ');
    const isHybrid = types.includes('code') && types.includes('id_token');
    if (isHybrid && (isTokenAllowed === true || !types.includes('token'))) return;
    const isSigned = parameter('response_mode')?.toLowerCase() === 'jwt';
    if (isSigned && types.length === 1 && types[0] === 'code') return;
    throw policyRefusalError('invalid_request', 'invalid response_type');
  },
  change({ 'auto-configure': isAuto }, { client }) {
    if (isAuto === true) client.attributes = { ...client.attributes, [DETACHED]: 'true' };
    if (client.attributes?.[DETACHED]?.toLowerCase() === 'true') return;
    throw policyRefusalError(
      'invalid_client_metadata',
      'Invalid client metadata: ID Token as detached signature in disabled',
    );
  },
};
