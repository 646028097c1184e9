import { ClientRegistrationPolicy, type ProviderDefinition, provide } from '@keyhost/spi';

/** Disables the full scope of registered clients, so that their tokens contain only roles of the client's scope. */
export const scope: ProviderDefinition = provide(ClientRegistrationPolicy, {
  id: 'scope',
  describe: {
    displayName: 'Full Scope Disabled',
    helpText: 'New clients do not have the full scope.',
  },
  open: () => ({
    create: () => ({
      beforeRegister: async () => ({ restrict: { fullScopeAllowed: false } }),
      async beforeUpdate({ client, before }) {
        return client.fullScopeAllowed === true && before?.fullScopeAllowed === false
          ? { refuse: 'Not permitted to enable fullScopeAllowed' }
          : undefined;
      },
    }),
  }),
});
