import { decodeUnverified, type JwtPayload } from '../../../keys/verify.js';
import type { PolicyClientRequest } from '../client-policy-events.js';
import { policyRefusalError } from '../refuse.js';

const ACCESS_TOKEN = 'urn:ietf:params:oauth:token-type:access_token';

/**
 * Returns the unverified claims of the access token that a client exchanges. The grant verifies the token afterwards.
 * @param unreadable the description of the error for an unreadable token
 * @throws OAuthError
 */
export function subjectTokenOf({ parameter }: PolicyClientRequest, unreadable: string): JwtPayload {
  if (parameter('subject_token_type') !== ACCESS_TOKEN) {
    const message = "Parameter 'subject_token' should be access_token for the executor";
    throw policyRefusalError('invalid_request', message);
  }
  try {
    return decodeUnverified(parameter('subject_token') ?? '').payload;
  } catch {
    throw policyRefusalError('invalid_request', unreadable);
  }
}
