import type { ClientPolicyExecutor } from '../executor.js';
import { policyRefusalError } from '../refuse.js';
import { SECURE_ALGORITHMS } from './secure-algorithms.js';

const DEFAULT = 'default-algorithm';
const CHOSEN = ['user.info.response.signature.alg', 'id.token.signed.response.alg', 'token.endpoint.auth.signing.alg'];
/** The algorithm of access tokens, which only admins set. */
const CHOSEN_BY_ADMINS = 'access.token.signed.response.alg';
/**
 * The algorithm of request objects, which Keyhost does not read. A client gets no default for it, but must not have a
 * weak one.
 */
const UNREAD = 'request.object.signature.alg';

/** Tokens for a client, and the client's own assertions, must be signed with ECDSA or RSA-PSS. */
export const secureSignatureAlgorithm: ClientPolicyExecutor = {
  id: 'secure-signature-algorithm',
  helpText: `Requires clients whose signature algorithms are among ${SECURE_ALGORITHMS.join(', ')}.`,
  properties: [
    {
      name: DEFAULT,
      label: 'Default Algorithm',
      type: 'List',
      options: SECURE_ALGORITHMS,
      defaultValue: 'PS256',
      helpText: 'Signature algorithm that a client without one gets when it is created or updated.',
    },
  ],
  change({ [DEFAULT]: defaultAlgorithm = 'PS256' }, { client, updater }) {
    const isAdmin = updater.context === 'ByAuthenticatedUser';
    const attributes: Record<string, string> = { ...client.attributes };
    for (const name of [...CHOSEN, ...(isAdmin ? [CHOSEN_BY_ADMINS] : [])])
      attributes[name] ??= String(defaultAlgorithm);
    const isWeak = (name: string) => attributes[name] !== undefined && !SECURE_ALGORITHMS.includes(attributes[name]);
    if ([...CHOSEN, CHOSEN_BY_ADMINS, UNREAD].some(isWeak)) {
      throw policyRefusalError('invalid_request', 'not allowed signature algorithm.');
    }
    client.attributes = attributes;
  },
};
