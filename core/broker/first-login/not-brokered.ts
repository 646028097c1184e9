import type { AuthenticationStep } from '@keyhost/spi';

/** The failure of a first broker login step that runs in another flow. */
export function notBrokeredFailure(): AuthenticationStep {
  return { outcome: 'failure', error: 'identity_provider_error', message: { key: 'invalidRequestMessage' } };
}
