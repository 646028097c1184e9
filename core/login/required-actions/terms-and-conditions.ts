import { type ProviderDefinition, provide, RequiredAction } from '@keyhost/spi';

/** Keycloak's user attribute with the time of the acceptance, in seconds since the epoch. */
const ATTRIBUTE = 'terms_and_conditions';

/** Keycloak's TERMS_AND_CONDITIONS: the user must accept the realm's `termsText`. */
export const termsAndConditions: ProviderDefinition = provide(RequiredAction, {
  id: 'TERMS_AND_CONDITIONS',
  displayText: 'Terms and Conditions',
  open: () => ({
    create: ({ clock }) => ({
      challenge: async () => ({
        outcome: 'challenge',
        page: {
          page: 'form',
          title: { key: 'termsTitle' },
          text: { key: 'termsText' },
          fields: [],
          submit: { key: 'doAccept' },
          cancel: { key: 'doDecline' },
        },
      }),
      action: async (_, form) =>
        form['cancel-aia'] === undefined
          ? { outcome: 'success', attributes: { [ATTRIBUTE]: [String(Math.floor(clock.now() / 1000))] } }
          : { outcome: 'failure', error: 'rejected_by_user', message: { key: 'termsDeclined' } },
    }),
  }),
});
