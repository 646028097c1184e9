import type { AuthenticationStep } from '@keyhost/spi';

/** A step of first logins in some other flow. */
export function notBrokered(): AuthenticationStep {
  return { outcome: 'failure', error: 'identity_provider_error', message: { key: 'invalidRequestMessage' } };
}
