import { ClientAuthenticator } from '@keyhost/spi';
import type { ProviderSchema } from '../../config/realm-file/provider-checks.js';
import type { Providers } from '../../registry/generations/generation.js';
import { openedProviders } from '../../registry/loading/known-providers.js';

/**
 * The client authenticators for registrations: the host's own, and those of plugins, which are enabled for clients that
 * name them.
 */
export class ClientAuthenticators {
  readonly #all: readonly { readonly id: string; readonly declaration: { readonly authMethods: readonly string[] } }[];
  readonly schemas: readonly ProviderSchema[];

  constructor(providers: Pick<Providers, 'all'>) {
    // The host's own take precedence: no plugin can replace one.
    const all = providers.all(ClientAuthenticator);
    this.#all = all;
    this.schemas = openedProviders({ list: () => all });
  }

  /** The authenticator of a `token_endpoint_auth_method` (RFC 7591 §2). */
  ofMethod(method: string): string | undefined {
    return this.#all.find(({ declaration }) => declaration.authMethods.includes(method))?.id;
  }

  /** The `token_endpoint_auth_method` of an authenticator; undefined if it has none. */
  methodOf(id: string): string | undefined {
    return this.#all.find((one) => one.id === id)?.declaration.authMethods[0];
  }
}
