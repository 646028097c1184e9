import { ClientRegistrationPolicy, type ProviderDefinition, provide } from '@keyhost/spi';
import { valuesOf } from './policy-config.js';

const ORIGINS = 'web-origins';

/** Allows pages of these origins to register clients from a browser. */
export const registrationWebOrigins: ProviderDefinition = provide(ClientRegistrationPolicy, {
  id: 'registration-web-origins',
  describe: {
    displayName: 'Registration Web Origins',
    helpText: 'Web origins whose pages can send registrations (CORS).',
  },
  settings: {
    type: 'object',
    properties: {
      [ORIGINS]: {
        type: 'array',
        items: { type: 'string' },
        title: 'registration-web-origins.label',
        description: 'registration-web-origins.tooltip',
      },
    },
  },
  open: () => ({
    create: () => ({
      beforeRegister: async () => undefined,
      beforeUpdate: async () => undefined,
      allowedOrigins: async ({ config }) => valuesOf(config, ORIGINS),
    }),
  }),
});
