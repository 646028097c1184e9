import { decodeUnverified, type JwtPayload } from '../../../keys/verify.js';
import type { PolicyClientRequest } from '../client-policy-events.js';
import { refusedByPolicy } from '../refuse.js';

const ACCESS_TOKEN = 'urn:ietf:params:oauth:token-type:access_token';

/**
 * The unverified claims of the access token that a client exchanges. The grant verifies it afterwards.
 * @param unreadable the description of the error for an unreadable token
 * @throws OAuthError
 */
export function subjectTokenOf({ parameter }: PolicyClientRequest, unreadable: string): JwtPayload {
  if (parameter('subject_token_type') !== ACCESS_TOKEN) {
    const message = "Parameter 'subject_token' should be access_token for the executor";
    throw refusedByPolicy('invalid_request', message);
  }
  try {
    return decodeUnverified(parameter('subject_token') ?? '').payload;
  } catch {
    throw refusedByPolicy('invalid_request', unreadable);
  }
}
