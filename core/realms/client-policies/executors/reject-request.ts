import { REQUEST_EVENTS } from '../client-policy-events.js';
import type { ClientPolicyExecutor } from '../executor.js';
import { policyRefusalError } from '../refuse.js';

/**
 * Rejects every request and every change of a client. Keycloak also hides these clients from admins, and does not let
 * them delete one.
 */
export const rejectRequest: ClientPolicyExecutor = {
  id: 'reject-request',
  helpText: 'Rejects all requests of clients, and changes of clients.',
  properties: [],
  requests: REQUEST_EVENTS,
  request: refuse,
  change: refuse,
  onSecretRenewed: refuse,
};

function refuse(): never {
  throw policyRefusalError('invalid_request', 'Request not allowed');
}
