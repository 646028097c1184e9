import { Authenticator, type ProviderDefinition, provide } from '@keyhost/spi';
import { enabledIdentityProvider } from '../model/identity-provider.js';
import type { HostSession } from '../registry/sessions/host-session.js';

/**
 * Keycloak's IdentityProviderAuthenticator: redirects to the provider of `kc_idp_hint`, else of the configured
 * `defaultProvider`. If the alias names no enabled provider, or a link-only one, the step is skipped and the next one
 * runs.
 */
export function identityProviderRedirector(): ProviderDefinition {
  return provide(Authenticator, {
    id: 'identity-provider-redirector',
    describe: {
      displayName: 'Identity Provider Redirector',
      helpText: 'Redirects to default Identity Provider.',
      // A user who returns has signed in at the provider.
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
