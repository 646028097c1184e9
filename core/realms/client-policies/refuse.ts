import { OAuthError } from '@keyhost/spi';

/** What a policy refuses (400), with Keycloak's error, its words and its details of the event. */
export class ClientPolicyRefused extends OAuthError {
  constructor(error: string, description: string) {
    const details = {
      reason: 'client_policy_error',
      client_policy_error: error,
      client_policy_error_detail: description,
    };
    super(error, description, { details });
  }
}

/** The error to throw. */
export function refusedByPolicy(error: string, description: string): ClientPolicyRefused {
  return new ClientPolicyRefused(error, description);
}
