import { type ProviderDefinition, provide, RequiredAction, type RequiredActionStep } from '@keyhost/spi';
import type { HostSession } from '../../registry/sessions/host-session.js';

/** The user attribute that holds the language of mails and pages. */
const LOCALE = 'locale';

/**
 * Keycloak's update_user_locale: stores the language that the user has chosen on a login page. It shows no page, and
 * applications cannot request it.
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
