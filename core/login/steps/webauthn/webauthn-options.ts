import type { UserView, WebAuthnCall } from '@keyhost/spi';
import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialDescriptorJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/server';
import { defined } from '../../../model/defined.js';
import { randomToken } from '../../../model/random-token.js';
import type { Realm } from '../../../model/realm.js';
import { type WebAuthnType, webAuthnPolicyOf } from '../../../model/webauthn-policy.js';
import type { WebAuthnData } from './webauthn-data.js';

/** The WebAuthn call for a page, and its challenge, which the answer must contain. */
export interface Ceremony {
  readonly webauthn: WebAuthnCall;
  /** Base64url of 32 random bytes. */
  readonly challenge: string;
}

/**
 * The call that creates a credential for the user.
 * @param existing the user's credentials of this type, which are excluded if the policy avoids the same authenticator
 */
export function creationOptions(
  realm: Realm,
  type: WebAuthnType,
  user: UserView,
  existing: readonly WebAuthnData[],
): Ceremony {
  const policy = webAuthnPolicyOf(realm, type);
  const { attachment, residentKey, userVerification } = policy;
  const challenge = newChallenge();
  const name = [user.firstName, user.lastName].filter(Boolean).join(' ');
  const options: PublicKeyCredentialCreationOptionsJSON = {
    challenge,
    rp: { id: policy.rpId, name: policy.rpEntityName },
    user: { id: userHandle(user.id), name: user.username, displayName: name || user.username },
    pubKeyCredParams: policy.algorithms.map((alg) => ({ type: 'public-key', alg })),
    authenticatorSelection: {
      ...defined({ authenticatorAttachment: attachment, residentKey, userVerification }),
      ...(residentKey === undefined ? {} : { requireResidentKey: residentKey === 'required' }),
    },
    ...defined({ timeout: policy.timeoutMs }),
    ...(policy.avoidSameAuthenticator ? { excludeCredentials: existing.map(descriptor) } : {}),
    ...(policy.attestation === undefined
      ? {}
      : // The library's type lacks `indirect`, which browsers accept.
        { attestation: policy.attestation as 'none' | 'direct' | 'enterprise' }),
  };
  return { challenge, webauthn: { call: 'create', options: JSON.stringify(options) } };
}

/** The call that asks for one of these credentials, or for any credential if there are none. */
export function requestOptions(realm: Realm, type: WebAuthnType, credentials: readonly WebAuthnData[]): Ceremony {
  const policy = webAuthnPolicyOf(realm, type);
  const challenge = newChallenge();
  const options: PublicKeyCredentialRequestOptionsJSON = {
    challenge,
    rpId: policy.rpId,
    allowCredentials: credentials.map(descriptor),
    ...defined({ timeout: policy.timeoutMs, userVerification: policy.userVerification }),
  };
  return { challenge, webauthn: { call: 'get', options: JSON.stringify(options) } };
}

/** The user handle in authenticators, as in Keycloak. */
export function userHandle(userId: string): string {
  return Buffer.from(userId).toString('base64url');
}

function newChallenge(): string {
  return randomToken(32);
}

function descriptor({ credentialId, transports }: WebAuthnData): PublicKeyCredentialDescriptorJSON {
  return {
    id: credentialId,
    type: 'public-key',
    ...(transports.length > 0 ? { transports: transports as ('internal' | 'usb')[] } : {}),
  };
}
