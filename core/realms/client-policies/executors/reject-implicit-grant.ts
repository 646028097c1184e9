import { autoConfigure, type ClientPolicyExecutor } from '../executor.js';
import { policyRefusalError } from '../refuse.js';

/**
 * Rejects requests for tokens that would pass through the browser, and clients that enable them. Keyhost has no
 * implicit grant anyway.
 */
export const rejectImplicitGrant: ClientPolicyExecutor = {
  id: 'reject-implicit-grant',
  helpText: 'Rejects the implicit grant and the hybrid flow, and clients that have it.',
  properties: [autoConfigure(false, '"Implicit flow" to off')],
  requests: ['PUSHED_AUTHORIZATION_REQUEST', 'AUTHORIZATION_REQUEST'],
  request(_config, { event, parameter }) {
    const type = parameter('response_type');
    const isPushed = event === 'PUSHED_AUTHORIZATION_REQUEST';
    if (isPushed && !type) throw policyRefusalError('invalid_request', 'No response type.');
    const isImplicit = isPushed ? type !== 'code' : /token/.test(type ?? '');
    if (isImplicit) throw policyRefusalError('invalid_request', 'Implicit/Hybrid flow is prohibited.');
  },
  change({ 'auto-configure': isAuto }, { client }) {
    if (isAuto === true) client.implicitFlowEnabled = false;
    if (client.implicitFlowEnabled !== true) return;
    throw policyRefusalError('invalid_client_metadata', 'Invalid client metadata: implicit flow enabled');
  },
};
