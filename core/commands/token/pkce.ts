import { createHash } from 'node:crypto';
import { randomToken } from '../../model/random-token.js';

/** Creates a code verifier, and the request parameters with its challenge (RFC 7636 §4.1 and §4.2). */
export function createPkce() {
  const verifier = randomToken(32);
  const digest = createHash('sha256').update(verifier).digest('base64url');
  return { verifier, challenge: { code_challenge: digest, code_challenge_method: 'S256' } };
}
