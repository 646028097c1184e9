import { autoConfigure, type ClientPolicyExecutor } from '../executor.js';
import { policyRefusalError } from '../refuse.js';

/** Rejects the password grant, because no application should ask users for their passwords (RFC 9700 §2.4). */
export const rejectRopcGrant: ClientPolicyExecutor = {
  id: 'reject-ropc-grant',
  helpText: 'Rejects the resource owner password credentials grant, and clients that have it.',
  properties: [autoConfigure(false, '"Direct access grants" to off')],
  requests: ['RESOURCE_OWNER_PASSWORD_CREDENTIALS_REQUEST'],
  request() {
    throw policyRefusalError('invalid_grant', 'resource owner password credentials grant is prohibited.');
  },
  change({ 'auto-configure': isAuto }, { client }) {
    if (isAuto === true) client.directAccessGrantsEnabled = false;
    if (client.directAccessGrantsEnabled !== true) return;
    throw policyRefusalError(
      'invalid_client_metadata',
      'Invalid client metadata: resource owner password credentials grant enabled',
    );
  },
};
