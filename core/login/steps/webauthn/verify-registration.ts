import { type RegistrationResponseJSON, verifyRegistrationResponse } from '@simplewebauthn/server';
import { decodeAttestationObject } from '@simplewebauthn/server/helpers';
import type { WebAuthnPolicy } from '../../../model/webauthn-policy.js';
import { requireOwnPage } from './browser-answer.js';
import type { WebAuthnData } from './webauthn-data.js';

/** The format of a transport's name; other values are dropped. */
const TRANSPORT = /^[a-z-]{1,20}$/;

/**
 * Verifies a new credential (Web Authentication Level 3 §7.1), and checks that the realm's policy accepts it.
 * @throws Error with the reason
 */
export async function verifyRegistration(
  policy: WebAuthnPolicy,
  response: RegistrationResponseJSON,
  challenge: string,
): Promise<WebAuthnData> {
  requireOwnPage(response.response.clientDataJSON);
  const { verified, registrationInfo } = await verifyRegistrationResponse({
    response,
    expectedChallenge: challenge,
    expectedOrigin: [...policy.origins],
    expectedRPID: policy.rpId,
    requireUserVerification: policy.userVerification === 'required',
    supportedAlgorithmIDs: [...policy.algorithms],
  });
  if (!verified) throw new Error('the attestation is wrong');
  const { credential, aaguid, fmt, attestationObject } = registrationInfo;
  const hasCertificate = decodeAttestationObject(attestationObject).get('attStmt').get('x5c') !== undefined;
  requireAttestation(policy, fmt, hasCertificate, aaguid);
  // The browser's report of the attachment is not attested, but there is no better source.
  if (policy.attachment !== undefined && response.authenticatorAttachment !== policy.attachment) {
    throw new Error(`the authenticator is not ${policy.attachment}`);
  }
  const { transports } = response.response;
  return {
    credentialId: credential.id,
    publicKey: credential.publicKey,
    counter: credential.counter,
    aaguid,
    attestationStatementFormat: fmt,
    transports: (Array.isArray(transports) ? transports : [])
      .filter((transport) => TRANSPORT.test(String(transport)))
      .slice(0, 10),
  };
}

/**
 * Checks the attestation as in Keycloak's WebAuthnRegister. A realm that requires attestation or certain models accepts
 * no credential without attestation.
 * @throws Error with the reason
 */
function requireAttestation(
  { attestation = 'none', acceptableAaguids }: WebAuthnPolicy,
  format: string,
  hasCertificate: boolean,
  aaguid: string,
): void {
  if (format === 'none' && attestation !== 'none') throw new Error('the authenticator did not attest the credential');
  if (acceptableAaguids.length === 0) return;
  // With self attestation, which has no certificate, an authenticator may claim any model.
  if (!hasCertificate) throw new Error('the attestation does not prove the model of the authenticator');
  if (!acceptableAaguids.includes(aaguid)) throw new Error(`authenticators of the model ${aaguid} are not acceptable`);
}
