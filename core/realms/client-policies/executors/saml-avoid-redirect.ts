import type { ClientPolicyExecutor } from '../executor.js';
import { policyRefusalError } from '../refuse.js';

/**
 * Requires that SAML clients get responses by POST. Keyhost has no SAML, so it only checks clients when they are
 * created or changed.
 */
export const samlAvoidRedirect: ClientPolicyExecutor = {
  id: 'saml-avoid-redirect',
  helpText: 'Requires SAML clients that force the POST binding.',
  properties: [],
  change(_config, { client: { protocol, attributes } }) {
    if (protocol !== 'saml' || attributes?.['saml.force.post.binding'] === 'true') return;
    throw policyRefusalError('invalid_client_metadata', 'Force POST binding is not enabled');
  },
};
