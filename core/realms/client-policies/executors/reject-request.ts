import type { ClientPolicyExecutor } from '../executor.js';
import { REQUEST_EVENTS } from '../happenings.js';
import { refusedByPolicy } from '../refuse.js';

/** Nothing that a client asks for, and no change of it. Keycloak's hides such clients from admins too, and keeps them from removing one. */
export const rejectRequest: ClientPolicyExecutor = {
  id: 'reject-request',
  helpText: 'Rejects all requests of clients, and changes of clients.',
  properties: [],
  requests: REQUEST_EVENTS,
  request: refuse,
  change: refuse,
  renewed: refuse,
};

function refuse(): never {
  throw refusedByPolicy('invalid_request', 'Request not allowed');
}
