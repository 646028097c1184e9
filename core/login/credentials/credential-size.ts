import { HostError } from '@keyhost/spi';
import type { CredentialRepresentation } from '../../model/representation.js';

/** Maximum length of a plugin credential's JSON in characters, for secret and data each. */
const MAX_LENGTH = 10_000;

/**
 * Checks the size of a credential that a plugin's provider returned.
 * @param method the provider's method that returned it
 * @throws HostError `provider_shape`
 */
export function requireCredentialSize(
  type: string,
  method: 'create' | 'verify',
  { secretData = '', credentialData = '' }: Pick<CredentialRepresentation, 'secretData' | 'credentialData'>,
): void {
  if (secretData.length <= MAX_LENGTH && credentialData.length <= MAX_LENGTH) return;
  const part = secretData.length > MAX_LENGTH ? 'a secret' : 'data';
  throw new HostError(
    'provider_shape',
    `credential/${type} answered ${method} with ${part} of more than ${MAX_LENGTH} characters`,
  );
}
