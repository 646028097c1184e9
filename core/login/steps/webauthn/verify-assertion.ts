import { type AuthenticationResponseJSON, verifyAuthenticationResponse } from '@simplewebauthn/server';
import type { WebAuthnPolicy } from '../../../model/webauthn-policy.js';
import { requireOwnPage } from './browser-answer.js';
import type { WebAuthnData } from './webauthn-data.js';

/**
 * Verifies an assertion with a stored credential (Web Authentication Level 3 §7.2).
 * @returns the signature counter; 0 if the authenticator does not count
 * @throws Error with the reason
 */
export async function verifyAssertion(
  { origins, rpId, userVerification }: WebAuthnPolicy,
  response: AuthenticationResponseJSON,
  challenge: string,
  { credentialId, publicKey, counter }: WebAuthnData,
): Promise<number> {
  requireOwnPage(response.response.clientDataJSON);
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response,
    expectedChallenge: challenge,
    expectedOrigin: [...origins],
    expectedRPID: rpId,
    requireUserVerification: userVerification === 'required',
    credential: { id: credentialId, publicKey, counter },
  });
  if (!verified) throw new Error('the signature is wrong');
  return authenticationInfo.newCounter;
}
