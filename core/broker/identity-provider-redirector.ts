import { Authenticator, type ProviderDefinition, provide } from '@keyhost/spi';
import { enabledIdentityProvider } from '../model/identity-provider.js';
import type { HostSession } from '../registry/sessions/session.js';

/**
 * Keycloak's IdentityProviderAuthenticator: on to the provider of `kc_idp_hint`, else of the step's `defaultProvider`. An
 * alias that names none is passed over, so that the login page is shown.
 */
export function identityProviderRedirector(): ProviderDefinition {
  return provide(Authenticator, {
    id: 'identity-provider-redirector',
    describe: {
      displayName: 'Identity Provider Redirector',
      helpText: 'Redirects to default Identity Provider.',
      // Whoever comes back has logged in there.
      proves: true,
    },
    settings: {
      type: 'object',
      properties: {
        defaultProvider: {
          type: 'string',
          title: 'Default Identity Provider',
          description: 'Alias of the identity provider to use if the application names none.',
        },
      },
    },
    open: () => ({
      create: (session: HostSession) => ({
        async authenticate({ identityProviderHint, config }) {
          const alias = identityProviderHint ?? config.defaultProvider ?? '';
          const provider = enabledIdentityProvider(session.compiledRealm, alias);
          return provider === undefined || provider.linkOnly
            ? { outcome: 'attempted' }
            : { outcome: 'identity-provider', alias };
        },
      }),
    }),
  });
}
