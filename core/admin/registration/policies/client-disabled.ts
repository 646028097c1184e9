import { ClientRegistrationPolicy, type ProviderDefinition, provide } from '@keyhost/spi';

/** Disables registered clients until an admin enables them. */
export const clientDisabled: ProviderDefinition = provide(ClientRegistrationPolicy, {
  id: 'client-disabled',
  describe: {
    displayName: 'Client Disabled',
    helpText: 'New clients are disabled until an admin enables them.',
  },
  open: () => ({
    create: () => ({
      beforeRegister: async () => ({ restrict: { enabled: false } }),
      async beforeUpdate({ client, before }) {
        const isEnabled = before?.enabled !== false;
        return client.enabled === true && !isEnabled ? { refuse: 'Not permitted to enable client' } : undefined;
      },
    }),
  }),
});
