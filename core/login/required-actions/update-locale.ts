import { type ProviderDefinition, provide, RequiredAction, type RequiredActionStep } from '@keyhost/spi';
import type { HostSession } from '../../registry/sessions/host-session.js';

/** The user attribute for the language of mails and pages. */
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
      const storeLocale = async (): Promise<RequiredActionStep> => {
        const locale = caller.login?.locale;
        if (locale === undefined) return { outcome: 'ignored' };
        return { outcome: 'success', attributes: { [LOCALE]: [locale] }, details: { updated_locale: locale } };
      };
      return {
        async triggered({ attributes }) {
          const locale = caller.login?.locale;
          return locale !== undefined && attributes[LOCALE]?.[0] !== locale;
        },
        challenge: storeLocale,
        action: storeLocale,
      };
    },
  }),
});
