import type { ClientPolicyExecutor } from '../executor.js';
import { policyRefusalError } from '../refuse.js';

const MESSAGE =
  'Signatures not ensured for the client. Ensure Client signature required and Sign documents or Sign assertions are ON';

/**
 * Requires that SAML clients sign their requests and get signed responses. Keyhost has no SAML, so it only checks
 * clients when they are created or changed.
 */
export const samlSignatureEnforcer: ClientPolicyExecutor = {
  id: 'saml-signature-enforcer',
  helpText: 'Requires SAML clients with signatures of requests, and of documents or assertions.',
  properties: [],
  change(_config, { client: { protocol, attributes = {} } }) {
    if (protocol !== 'saml') return;
    const isOn = (name: string) => attributes[`saml.${name}.signature`] === 'true';
    if (isOn('client') && (isOn('server') || isOn('assertion'))) return;
    throw policyRefusalError('invalid_client_metadata', MESSAGE);
  },
};
