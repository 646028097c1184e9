import { Authenticator, type ProviderDefinition, provide } from '@keyhost/spi';

/** Keycloak's ConditionalClientScopeAuthenticator. */
export const clientScope: ProviderDefinition = provide(Authenticator, {
  id: 'conditional-client-scope',
  describe: {
    category: 'condition',
    displayName: 'Condition - client scope',
    helpText: 'Flow is executed only if the application gets the given scope.',
  },
  settings: {
    type: 'object',
    properties: {
      client_scope: {
        type: 'string',
        title: 'Client scope name',
        description: 'The scope that the application must get.',
      },
      negate: {
        type: 'boolean',
        title: 'Negate output',
        description: 'Met by applications that do not get it.',
        default: false,
      },
    },
  },
  open: () => ({
    create: () => ({
      isMet: async ({ scopes, config }) => scopes.includes(config.client_scope ?? '') !== (config.negate === 'true'),
    }),
  }),
});
