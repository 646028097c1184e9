import { OAuthError } from '@keyhost/spi';

/**
 * A request that a policy refuses (400), or that cannot be evaluated (503). The event has Keycloak's details; error and
 * description are those of Keycloak or of a plugin.
 */
export class ClientPolicyRefused extends OAuthError {
  constructor(
    error: string,
    description: string,
    options: { readonly status?: number; readonly headers?: Record<string, string>; readonly cause?: unknown } = {},
  ) {
    const details = {
      reason: 'client_policy_error',
      client_policy_error: error,
      client_policy_error_detail: description,
    };
    super(error, description, { ...options, details });
  }
}

/** Returns the error for a refusal by a policy (400). */
export function policyRefusalError(error: string, description: string): ClientPolicyRefused {
  return new ClientPolicyRefused(error, description);
}

/**
 * Returns the error for a policy that cannot be evaluated (503).
 * @param cause only for the log
 */
export function policyUnavailableError(cause: unknown): ClientPolicyRefused {
  const message = 'Client policies cannot be checked at the moment. Try again later.';
  const options = { status: 503, headers: { 'retry-after': '5' }, cause };
  return new ClientPolicyRefused('temporarily_unavailable', message, options);
}
