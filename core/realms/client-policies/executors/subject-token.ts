import { type JwtPayload, peek } from '../../../keys/verify.js';
import type { ClientRequest } from '../happenings.js';
import { refusedByPolicy } from '../refuse.js';

const ACCESS_TOKEN = 'urn:ietf:params:oauth:token-type:access_token';

/**
 * What the access token says that a client exchanges. Nothing of it is checked: the grant does that, and comes after.
 * @param unreadable what is said of a token that is none
 * @throws OAuthError
 */
export function subjectTokenOf({ parameter }: ClientRequest, unreadable: string): JwtPayload {
  if (parameter('subject_token_type') !== ACCESS_TOKEN) {
    const words = "Parameter 'subject_token' should be access_token for the executor";
    throw refusedByPolicy('invalid_request', words);
  }
  try {
    return peek(parameter('subject_token') ?? '').payload;
  } catch {
    throw refusedByPolicy('invalid_request', unreadable);
  }
}
