import { Authenticator, type ProviderDefinition, provide } from '@keyhost/spi';

/** Keycloak's ConditionalClientScopeAuthenticator. */
export const clientScope: ProviderDefinition = provide(Authenticator, {
  id: 'conditional-client-scope',
  describe: {
    category: 'condition',
    displayName: 'Condition - client scope',
    helpText: 'Flow is executed only if the application requests the client scope.',
  },
  settings: {
    type: 'object',
    properties: {
      client_scope: {
        type: 'string',
        title: 'Client scope name',
        description: 'Client scope that the application must have.',
      },
      negate: {
        type: 'boolean',
        title: 'Negate output',
        description: 'The condition is met if the application does not have the scope.',
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
