import { HostError } from '@keyhost/spi';
import type { CredentialRepresentation } from '../../model/representation.js';

/** Maximum length of a plugin credential's JSON in characters, for secret and data each. */
const SIZE_LIMIT = 10_000;

/**
 * @param method the provider's method that returned the credential
 * @throws HostError `provider_shape`
 */
export function requireSmall(
  type: string,
  method: 'create' | 'verify',
  { secretData = '', credentialData = '' }: Pick<CredentialRepresentation, 'secretData' | 'credentialData'>,
): void {
  if (secretData.length <= SIZE_LIMIT && credentialData.length <= SIZE_LIMIT) return;
  const what = secretData.length > SIZE_LIMIT ? 'a secret' : 'data';
  throw new HostError(
    'provider_shape',
    `credential/${type} answered ${method} with ${what} of more than ${SIZE_LIMIT} characters`,
  );
}
