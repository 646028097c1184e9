import { ClientAuthenticator } from '@keyhost/spi';
import type { ProviderSchema } from '../../config/realm-file/provider-checks.js';
import type { Providers } from '../../registry/generations/generation.js';
import { openedProviders } from '../../registry/loading/known-providers.js';

/**
 * The client authenticators for registrations: the host's own, and those of plugins. A client selects a plugin's
 * authenticator by its ID.
 */
export class ClientAuthenticators {
  readonly #all: readonly { readonly id: string; readonly declaration: { readonly authMethods: readonly string[] } }[];
  readonly schemas: readonly ProviderSchema[];

  constructor(providers: Pick<Providers, 'all'>) {
    // The host's own come first, so no plugin can replace one.
    const authenticators = providers.all(ClientAuthenticator);
    this.#all = authenticators;
    this.schemas = openedProviders({ list: () => authenticators });
  }

  /** The authenticator of a `token_endpoint_auth_method` (RFC 7591 §2). */
  byMethod(method: string): string | undefined {
    return this.#all.find(({ declaration }) => declaration.authMethods.includes(method))?.id;
  }

  /** The `token_endpoint_auth_method` of an authenticator; undefined if it has none. */
  methodOf(id: string): string | undefined {
    return this.#all.find((candidate) => candidate.id === id)?.declaration.authMethods[0];
  }
}
