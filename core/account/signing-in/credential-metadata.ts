import { RECOVERY_CODES, readRecoveryData } from '../../login/steps/recovery/recovery-data.js';
import { warningThreshold } from '../../login/steps/recovery/warning-threshold.js';
import { defined } from '../../model/defined.js';
import type { Realm } from '../../model/realm.js';
import type { CredentialRepresentation } from '../../model/representation.js';

/** A localized message: its key and parameters, as in Keycloak's Account REST API. */
interface NamedText {
  readonly key: string;
  readonly parameters?: readonly string[];
}

/** Messages about a credential (Keycloak's CredentialMetadataRepresentation). */
export interface CredentialMetadata {
  readonly infoMessage?: NamedText;
  readonly warningMessageTitle?: NamedText;
  readonly warningMessageDescription?: NamedText;
}

/** The number of used recovery codes, and a warning if few are left; empty for other credentials. */
export function credentialMetadata(realm: Realm, credential: CredentialRepresentation): CredentialMetadata {
  if (credential.type !== RECOVERY_CODES) return {};
  const counts = countsOf(credential);
  if (counts === undefined) return {};
  const { total, remaining } = counts;
  const fewLeft = remaining < warningThreshold(realm);
  return defined({
    infoMessage: { key: 'recovery-codes-number-used', parameters: [`${total - remaining}/${total}`] },
    warningMessageTitle: fewLeft
      ? { key: 'recovery-codes-number-remaining', parameters: [String(remaining)] }
      : undefined,
    warningMessageDescription: fewLeft ? { key: 'recovery-codes-generate-new-codes' } : undefined,
  });
}

/** The total and the remaining number of recovery codes; undefined if they are unreadable. */
function countsOf(credential: CredentialRepresentation): { total: number; remaining: number } | undefined {
  try {
    const { total, codes } = readRecoveryData(credential);
    return { total, remaining: codes.length };
  } catch {
    return undefined;
  }
}
