import { isIP } from 'node:net';
import type { Realm } from './realm.js';

/** Keycloak's types of WebAuthn credentials: a second factor, or a replacement for username and password. */
export type WebAuthnType = 'webauthn' | 'webauthn-passwordless';

/** Keycloak's `webAuthnPolicy…` or `webAuthnPolicyPasswordless…` of a realm, with its defaults. */
export interface WebAuthnPolicy {
  /** The host name to which credentials are bound. */
  readonly rpId: string;
  readonly rpEntityName: string;
  /** Accepted web origins of browsers: the issuer's, and the realm's `…ExtraOrigins`. */
  readonly origins: readonly string[];
  /** COSE algorithm identifiers. */
  readonly algorithms: readonly number[];
  readonly attestation: 'none' | 'indirect' | 'direct' | 'enterprise' | undefined;
  readonly attachment: 'platform' | 'cross-platform' | undefined;
  readonly residentKey: 'required' | 'preferred' | 'discouraged' | undefined;
  readonly userVerification: 'required' | 'preferred' | 'discouraged' | undefined;
  /** In milliseconds. Undefined: the browser decides. */
  readonly timeoutMs: number | undefined;
  readonly avoidSameAuthenticator: boolean;
  /** If empty, every authenticator is accepted. */
  readonly acceptableAaguids: readonly string[];
}

/** Keycloak's names of COSE algorithms (RFC 9053, RFC 8812). */
const ALGORITHMS: Readonly<Record<string, number>> = {
  ES256: -7,
  ES384: -35,
  ES512: -36,
  Ed25519: -8,
  RS256: -257,
  RS384: -258,
  RS512: -259,
  RS1: -65535,
};
const DEFAULT_ALGORITHMS = ['ES256', 'RS256'];

const POLICIES = Symbol('webauthn policies');

export function webAuthnPolicyOf(realm: Realm, type: WebAuthnType): WebAuthnPolicy {
  const policies = realm.derive(POLICIES, () => ({
    webauthn: readPolicy(realm, 'webAuthnPolicy', {}),
    'webauthn-passwordless': readPolicy(realm, 'webAuthnPolicyPasswordless', {
      ResidentKey: 'required',
      UserVerificationRequirement: 'required',
    }),
  }));
  return policies[type];
}

/**
 * True if the username form also accepts passkeys. False if the host has no name but an IP address, for which browsers
 * do not support passkeys.
 */
export function passkeysEnabled(realm: Realm): boolean {
  if (!realm.settings.passkeys) return false;
  return isIP(webAuthnPolicyOf(realm, 'webauthn-passwordless').rpId.replace(/^\[|\]$/g, '')) === 0;
}

function readPolicy(realm: Realm, prefix: string, defaults: Readonly<Record<string, string>>): WebAuthnPolicy {
  const { representation } = realm;
  const text = (key: string) => String(representation[`${prefix}${key}`] || defaults[key] || 'not specified');
  const textList = (key: string) => {
    const value = representation[`${prefix}${key}`];
    return Array.isArray(value) ? value.map(String) : [];
  };
  /** Unknown values, which the schema rejects, count as absent. */
  const oneOf = <T extends string>(key: string, values: readonly T[]) => values.find((value) => value === text(key));
  const { origin, hostname } = new URL(realm.issuer);
  const configuredNames = textList('SignatureAlgorithms');
  const algorithms = (configuredNames.length > 0 ? configuredNames : DEFAULT_ALGORITHMS).map(
    (name) => ALGORITHMS[name],
  );
  const seconds = Number(representation[`${prefix}CreateTimeout`] ?? 0);
  // Keycloak's deprecated setting applies if the current one is not specified.
  const requiresResidentKey = oneOf('RequireResidentKey', ['Yes', 'No']);
  const residentKey = oneOf('ResidentKey', ['required', 'preferred', 'discouraged']);
  return {
    rpId: String(representation[`${prefix}RpId`] || hostname),
    rpEntityName: String(representation[`${prefix}RpEntityName`] || 'keycloak'),
    origins: [origin, ...textList('ExtraOrigins')],
    algorithms: algorithms.filter((algorithm) => algorithm !== undefined),
    attestation: oneOf('AttestationConveyancePreference', ['none', 'indirect', 'direct', 'enterprise']),
    attachment: oneOf('AuthenticatorAttachment', ['platform', 'cross-platform']),
    residentKey: residentKey ?? (requiresResidentKey && (requiresResidentKey === 'Yes' ? 'required' : 'discouraged')),
    userVerification: oneOf('UserVerificationRequirement', ['required', 'preferred', 'discouraged']),
    timeoutMs: seconds > 0 ? seconds * 1000 : undefined,
    avoidSameAuthenticator: representation[`${prefix}AvoidSameAuthenticatorRegister`] === true,
    acceptableAaguids: textList('AcceptableAaguids').map((aaguid) => aaguid.toLowerCase()),
  };
}
