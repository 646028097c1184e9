import type { ClientPolicyExecutor } from '../executor.js';
import { policyRefusalError } from '../refuse.js';

/**
 * A login must have a value that distinguishes its response from a forged one (OpenID Connect Core §15.5.2, RFC 6749
 * §10.12).
 */
export const secureSession: ClientPolicyExecutor = {
  id: 'secure-session',
  helpText: 'Requires the parameter nonce for logins with the scope openid, and state for others.',
  properties: [],
  requests: ['AUTHORIZATION_REQUEST'],
  request(_config, { parameter }) {
    const isOpenId = parameter('scope')?.split(' ').includes('openid') === true;
    const neededParameter = isOpenId ? 'nonce' : 'state';
    if (parameter(neededParameter) === undefined)
      throw policyRefusalError('invalid_request', `Missing parameter: ${neededParameter}`);
  },
};
