import { hash } from 'node:crypto';
import { OAuthError } from '@keyhost/spi';
import type { Form } from '../../http/form.js';
import { isSameSecret } from '../../model/same-secret.js';

/** The PKCE parameters (RFC 7636) of a request, stored for its token request. */
export interface ProofKey {
  readonly codeChallenge?: string;
  readonly codeChallengeMethod?: 'S256' | 'plain';
}

/** RFC 7636 §4.1 and §4.2. */
const FORM = /^[A-Za-z0-9\-._~]{43,128}$/;

/**
 * The challenge of a request, with Keycloak's checks and texts.
 * @param configured the method that the client must use; any value but `S256` and `plain` makes PKCE optional
 * @param refuse creates the error to throw, `invalid_request` with this description
 */
export function readProofKey(
  form: Form,
  configured: string | undefined,
  refuse: (description: string) => Error,
): ProofKey {
  const challenge = form.get('code_challenge');
  const method = form.get('code_challenge_method');
  if (configured === 'S256' || configured === 'plain') {
    if (method === undefined) throw refuse('Missing parameter: code_challenge_method');
    if (method !== configured) throw refuse('Invalid parameter: code challenge method is not configured one');
  }
  if (challenge === undefined) {
    if (method !== undefined) throw refuse('Missing parameter: code_challenge');
    return {};
  }
  // `plain` reveals the verifier to anyone who sees the request, so allow it only if the client is configured for it.
  if (method !== 'S256' && configured !== 'plain') throw refuse('Invalid parameter: code_challenge_method');
  if (!FORM.test(challenge) || (method === 'S256' && challenge.length !== 43)) {
    throw refuse('Invalid parameter: code_challenge');
  }
  return { codeChallenge: challenge, codeChallengeMethod: method as 'S256' | 'plain' };
}

/** @throws OAuthError `invalid_grant` with Keycloak's texts if the verifier does not match the challenge */
export function checkVerifier({ codeChallenge, codeChallengeMethod }: ProofKey, verifier: string | undefined): void {
  if (codeChallenge === undefined) {
    // A verifier without a challenge means that an attacker removed the challenge (RFC 9700 §2.1.1).
    if (verifier === undefined) return;
    throw refusal('PKCE code verifier specified but challenge not present in authorization', 'invalid_code_verifier');
  }
  if (verifier === undefined) throw refusal('PKCE code verifier not specified', 'code_verifier_missing');
  if (!FORM.test(verifier)) {
    throw refusal('PKCE verification failed: Invalid code verifier', 'invalid_code_verifier');
  }
  const shown = codeChallengeMethod === 'S256' ? hash('sha256', verifier, 'base64url') : verifier;
  if (!isSameSecret(shown, codeChallenge)) {
    throw refusal('PKCE verification failed: Code mismatch', 'pkce_verification_failed');
  }
}

function refusal(description: string, eventError: string): OAuthError {
  return new OAuthError('invalid_grant', description, { eventError });
}
