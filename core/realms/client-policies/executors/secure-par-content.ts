import type { ClientPolicyExecutor } from '../executor.js';
import { policyRefusalError } from '../refuse.js';

/** A login is pushed (RFC 9126) completely: the browser adds no parameter to those that the client has sent. */
export const secureParContent: ClientPolicyExecutor = {
  id: 'secure-par-content',
  helpText: 'Requires pushed authorization requests that have all parameters of the authorization request.',
  properties: [],
  requests: ['PUSHED_AUTHORIZATION_REQUEST', 'PRE_AUTHORIZATION_REQUEST'],
  request(_config, { event, parameter, parameters, pushed }) {
    if (event === 'PUSHED_AUTHORIZATION_REQUEST') {
      if (parameter('redirect_uri') !== undefined) return;
      throw policyRefusalError('invalid_request', "PAR is required to have a 'redirect_uri' parameter");
    }
    if (pushed === undefined) throw policyRefusalError('invalid_request', 'PAR request_uri not included.');
    const pushedNames = new Set([...(parameters?.() ?? [])].map(([name]) => name));
    if (pushed.otherParameters.every((name) => pushedNames.has(name))) return;
    throw policyRefusalError('invalid_request_object', 'PAR request did not include query parameter');
  },
};
