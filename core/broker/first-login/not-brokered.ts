import type { AuthenticationStep } from '@keyhost/spi';

/** The failure if a step of first broker logins is used in another flow. */
export function notBrokeredFailure(): AuthenticationStep {
  return { outcome: 'failure', error: 'identity_provider_error', message: { key: 'invalidRequestMessage' } };
}
