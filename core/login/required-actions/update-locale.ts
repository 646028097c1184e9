import { type ProviderDefinition, provide, RequiredAction, type RequiredActionStep } from '@keyhost/spi';
import type { HostSession } from '../../registry/sessions/session.js';

/** The attribute that mails and pages know the user's language by. */
const LOCALE = 'locale';

/**
 * Keycloak's update_user_locale: the language that the user has chosen on a page of the login becomes the user's own. It asks
 * nothing, and no application can ask for it.
 */
export const updateLocale: ProviderDefinition = provide(RequiredAction, {
  id: 'update_user_locale',
  displayText: 'Update User Locale',
  eventType: 'UPDATE_PROFILE',
  open: () => ({
    create: ({ caller }: HostSession) => {
      const step = async (): Promise<RequiredActionStep> => {
        const chosen = caller.login?.locale;
        if (chosen === undefined) return { outcome: 'ignored' };
        return { outcome: 'success', attributes: { [LOCALE]: [chosen] }, details: { updated_locale: chosen } };
      };
      return {
        async triggered({ attributes }) {
          const chosen = caller.login?.locale;
          return chosen !== undefined && attributes[LOCALE]?.[0] !== chosen;
        },
        challenge: step,
        action: step,
      };
    },
  }),
});
