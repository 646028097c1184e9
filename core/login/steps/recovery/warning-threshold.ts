import type { Realm } from '../../../model/realm.js';
import { enabledRequiredAction } from '../../../realms/enabled-required-actions.js';
import { passwordPolicyOf } from '../../../users/passwords/password-policy.js';
import { CONFIGURE_RECOVERY_CODES } from './recovery-codes.js';

/** Keycloak's default of the warning threshold. */
export const DEFAULT_THRESHOLD = 4;

/**
 * The number of recovery codes below which a user is warned. It is the `warning_threshold` of the required action, else
 * the `recoveryCodesWarningThreshold` of the password policy, as in Keycloak.
 * @returns 0 or less: no warning
 */
export function warningThreshold(realm: Realm): number {
  const { warning_threshold: configured } = enabledRequiredAction(realm, CONFIGURE_RECOVERY_CODES)?.config ?? {};
  if (configured !== undefined && /^\d{1,3}$/.test(configured)) return Number(configured);
  return passwordPolicyOf(realm).recoveryCodesWarningThreshold ?? DEFAULT_THRESHOLD;
}
