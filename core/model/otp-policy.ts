import type { Realm } from './realm.js';

/** Keycloak's names of the hash functions, with the names for `otpauth:` URIs. */
export const OTP_ALGORITHMS = { HmacSHA1: 'sha1', HmacSHA256: 'sha256', HmacSHA512: 'sha512' } as const;
export type OtpAlgorithm = keyof typeof OTP_ALGORITHMS;

/** The parameters by which codes are computed (Keycloak's OTPCredentialData). */
export interface OtpFormat {
  readonly subType: 'totp' | 'hotp';
  readonly digits: number;
  readonly algorithm: OtpAlgorithm;
  /** Lifetime of a time-based code, in seconds. */
  readonly period: number;
  /** Counter of the next counter-based code. */
  readonly counter: number;
}

/** Keycloak's `otpPolicy…` of a realm, with its defaults. */
export interface OtpPolicy {
  /** Format of new credentials. */
  readonly format: OtpFormat;
  readonly window: number;
  /** If true, a code may be used again while it is valid. */
  readonly reusable: boolean;
}

const POLICY = Symbol('otp policy');

export function otpPolicyOf(realm: Realm): OtpPolicy {
  return realm.derive(POLICY, ({ representation: r }) => ({
    format: {
      subType: r.otpPolicyType === 'hotp' ? 'hotp' : 'totp',
      digits: r.otpPolicyDigits === 8 ? 8 : 6,
      algorithm: isOtpAlgorithm(r.otpPolicyAlgorithm) ? r.otpPolicyAlgorithm : 'HmacSHA1',
      period: wholeNumber(r.otpPolicyPeriod, 30, 1, 600),
      counter: wholeNumber(r.otpPolicyInitialCounter, 0, 0, Number.MAX_SAFE_INTEGER),
    },
    // The window is limited, since a guess may match the code of each additional step or counter.
    window: wholeNumber(r.otpPolicyLookAheadWindow, 1, 0, 50),
    reusable: r.otpPolicyCodeReusable === true,
  }));
}

export function isOtpAlgorithm(name: unknown): name is OtpAlgorithm {
  return typeof name === 'string' && Object.hasOwn(OTP_ALGORITHMS, name);
}

function wholeNumber(value: unknown, fallback: number, min: number, max: number): number {
  return Number.isSafeInteger(value) ? Math.min(max, Math.max(min, Number(value))) : fallback;
}
