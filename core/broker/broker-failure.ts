import { HostError } from '@keyhost/spi';

/** A failed login at an identity provider. The message is for the log and the event, and contains no secret. */
export class BrokerFailure extends HostError {
  override readonly name = 'BrokerFailure';
  /** Keycloak's message key for the page. */
  readonly messageKey: string;

  constructor(reason: string, options: { readonly messageKey?: string; readonly cause?: unknown } = {}) {
    super('identity_provider_login_failure', reason, { status: 502, cause: options.cause });
    this.messageKey = options.messageKey ?? 'identityProviderUnexpectedErrorMessage';
  }
}
