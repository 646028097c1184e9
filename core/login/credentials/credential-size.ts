import { HostError } from '@keyhost/spi';
import type { CredentialRepresentation } from '../../model/representation.js';

/** Characters of JSON that a plugin may have stored of a credential, secret and data each. */
const SIZE_LIMIT = 10_000;

/**
 * @param method the method of the provider that answered so
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
