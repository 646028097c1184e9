import type { Realm } from '../../../model/realm.js';
import { listedAction } from '../../../realms/listed-required-actions.js';
import { policyOf } from '../../../users/passwords/password-policy.js';
import { CONFIGURE_RECOVERY_CODES } from './recovery-codes.js';

/** Keycloak's default. */
export const FEW_CODES = 4;

/**
 * Users with fewer recovery codes left are warned. From the `warning_threshold` of the required action, else the
 * `recoveryCodesWarningThreshold` of the password policy, as in Keycloak.
 * @returns 0 or less: no warning
 */
export function warningThreshold(realm: Realm): number {
  const { warning_threshold: few } = listedAction(realm, CONFIGURE_RECOVERY_CODES)?.config ?? {};
  if (few !== undefined && /^\d{1,3}$/.test(few)) return Number(few);
  return policyOf(realm).recoveryCodesWarningThreshold ?? FEW_CODES;
}
