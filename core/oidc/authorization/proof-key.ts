import { hash } from 'node:crypto';
import { OAuthError } from '@keyhost/spi';
import type { Form } from '../../http/form.js';
import { isSameSecret } from '../../model/same-secret.js';

/** The PKCE parameters (RFC 7636) of a request, stored for its token request. */
export interface ProofKey {
  readonly codeChallenge?: string;
  readonly codeChallengeMethod?: 'S256' | 'plain';
}

/** The format of verifiers and challenges (RFC 7636 §4.1 and §4.2). */
const VERIFIER_FORMAT = /^[A-Za-z0-9\-._~]{43,128}$/;

/**
 * Reads the challenge of a request, with Keycloak's checks and texts.
 * @param configuredMethod the method that the client must use; any value but `S256` and `plain` makes PKCE optional
 * @param refuse creates the error to throw, `invalid_request` with this description
 */
export function readProofKey(
  form: Form,
  configuredMethod: string | undefined,
  refuse: (description: string) => Error,
): ProofKey {
  const challenge = form.get('code_challenge');
  const method = form.get('code_challenge_method');
  if (configuredMethod === 'S256' || configuredMethod === 'plain') {
    if (method === undefined) throw refuse('Missing parameter: code_challenge_method');
    if (method !== configuredMethod) throw refuse('Invalid parameter: code challenge method is not configured one');
  }
  if (challenge === undefined) {
    if (method !== undefined) throw refuse('Missing parameter: code_challenge');
    return {};
  }
  // `plain` reveals the verifier to anyone who sees the request, so allow it only if the client is configured for it.
  if (method !== 'S256' && configuredMethod !== 'plain') throw refuse('Invalid parameter: code_challenge_method');
  if (!VERIFIER_FORMAT.test(challenge) || (method === 'S256' && challenge.length !== 43)) {
    throw refuse('Invalid parameter: code_challenge');
  }
  return { codeChallenge: challenge, codeChallengeMethod: method as 'S256' | 'plain' };
}

/**
 * Checks the verifier of a token request against the stored challenge.
 * @throws OAuthError `invalid_grant` with Keycloak's texts if it does not match
 */
export function checkVerifier({ codeChallenge, codeChallengeMethod }: ProofKey, verifier: string | undefined): void {
  if (codeChallenge === undefined) {
    // A verifier without a challenge means that an attacker removed the challenge (RFC 9700 §2.1.1).
    if (verifier === undefined) return;
    throw invalidGrant(
      'PKCE code verifier specified but challenge not present in authorization',
      'invalid_code_verifier',
    );
  }
  if (verifier === undefined) throw invalidGrant('PKCE code verifier not specified', 'code_verifier_missing');
  if (!VERIFIER_FORMAT.test(verifier)) {
    throw invalidGrant('PKCE verification failed: Invalid code verifier', 'invalid_code_verifier');
  }
  const computedChallenge = codeChallengeMethod === 'S256' ? hash('sha256', verifier, 'base64url') : verifier;
  if (!isSameSecret(computedChallenge, codeChallenge)) {
    throw invalidGrant('PKCE verification failed: Code mismatch', 'pkce_verification_failed');
  }
}

function invalidGrant(description: string, eventError: string): OAuthError {
  return new OAuthError('invalid_grant', description, { eventError });
}
