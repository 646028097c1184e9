import { Authenticator, type ProviderDefinition, provide } from '@keyhost/spi';

/**
 * Keycloak's ConditionalCredentialAuthenticator. With `included`, it is met if the login used one of the credential
 * types; otherwise, if it used none of them. A login without a credential counts as one with the type `none`.
 */
export const credential: ProviderDefinition = provide(Authenticator, {
  id: 'conditional-credential',
  describe: {
    category: 'condition',
    displayName: 'Condition - credential',
    helpText: 'Condition on the credentials used so far.',
  },
  settings: {
    type: 'object',
    properties: {
      credentials: {
        type: 'array',
        title: 'Credentials',
        description: 'Types of credentials that the login used so far',
        items: { type: 'string', format: 'credential-type' },
      },
      included: {
        type: 'boolean',
        title: 'Included',
        description: 'On: the condition is met if one of them was used. Off: if none of them was used.',
        default: false,
      },
    },
  },
  open: () => ({
    create: () => ({
      async isMet({ credentialTypes, config }) {
        const usedTypes = credentialTypes.length > 0 ? credentialTypes : ['none'];
        const isUsed = (config.credentials ?? '').split('##').some((type) => usedTypes.includes(type));
        return isUsed === (config.included === 'true');
      },
    }),
  }),
});
