import { ClientRegistrationPolicy, type ProviderDefinition, provide } from '@keyhost/spi';

/** Makes registered clients require the user's consent. */
export const consentRequired: ProviderDefinition = provide(ClientRegistrationPolicy, {
  id: 'consent-required',
  describe: {
    displayName: 'Consent Required',
    helpText: 'New clients require the consent of users.',
  },
  open: () => ({
    create: () => ({
      beforeRegister: async () => ({ restrict: { consentRequired: true } }),
      async beforeUpdate({ client, before }) {
        return client.consentRequired === false && before?.consentRequired === true
          ? { refuse: 'Not permitted to update consentRequired to false' }
          : undefined;
      },
    }),
  }),
});
