import type { ClientPolicyExecutor } from '../executor.js';
import { refusedByPolicy } from '../refuse.js';

/** A SAML client gets its answers by POST. Keyhost has no SAML: of Keycloak's checks it has those of clients. */
export const samlAvoidRedirect: ClientPolicyExecutor = {
  id: 'saml-avoid-redirect',
  helpText: 'Requires SAML clients that force the POST binding.',
  properties: [],
  change(_config, { client: { protocol, attributes } }) {
    if (protocol !== 'saml' || attributes?.['saml.force.post.binding'] === 'true') return;
    throw refusedByPolicy('invalid_client_metadata', 'Force POST binding is not enabled');
  },
};
