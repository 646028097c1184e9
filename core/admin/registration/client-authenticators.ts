import { ClientAuthenticator } from '@keyhost/spi';
import type { ProviderSchema } from '../../config/realm-file/provider-checks.js';
import type { Providers } from '../../registry/generations/generation.js';
import { openedProviders } from '../../registry/loading/known-providers.js';

/** Ways in which clients can prove who they are: the host's own, and those of plugins, which are on for the clients that name them. */
export class ClientAuthenticators {
  readonly #all: readonly { readonly id: string; readonly declaration: { readonly authMethods: readonly string[] } }[];
  readonly schemas: readonly ProviderSchema[];

  constructor(providers: Pick<Providers, 'all'>) {
    // The host's own come first: no plugin takes the name of one.
    const all = providers.all(ClientAuthenticator);
    this.#all = all;
    this.schemas = openedProviders({ list: () => all });
  }

  /** The one that a `token_endpoint_auth_method` is for (RFC 7591 §2). */
  ofMethod(method: string): string | undefined {
    return this.#all.find(({ declaration }) => declaration.authMethods.includes(method))?.id;
  }

  /** What a client with this one is told that its method is; undefined: nobody has a name for it. */
  methodOf(id: string): string | undefined {
    return this.#all.find((one) => one.id === id)?.declaration.authMethods[0];
  }
}
