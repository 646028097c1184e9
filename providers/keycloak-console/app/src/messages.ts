import { languages } from 'virtual:messages';
import { createInstance, type i18n } from 'i18next';
import { initReactI18next } from 'react-i18next';
import type { Environment } from './environment.ts';
import { HOST_TEXTS } from './host-texts.ts';

type Texts = Readonly<Record<string, string>>;

/**
 * The texts of the console in Keycloak's languages, overridden by the realm's own texts. A namespace is a realm: the
 * console requests the texts of the realm that it shows.
 */
export async function loadMessages(environment: Environment): Promise<i18n> {
  const messages = createInstance({
    fallbackLng: 'en',
    keySeparator: '.',
    nsSeparator: false,
    interpolation: { escapeValue: false },
    defaultNS: [environment.realm],
    ns: [environment.realm],
  });
  messages.use(initReactI18next);
  messages.use({
    type: 'backend' as const,
    init: () => undefined,
    read: async (language: string, realm: string) => {
      const [texts, own] = await Promise.all([textsIn(language), ownTexts(environment, realm, language)]);
      return { ...texts, ...HOST_TEXTS[language], ...own };
    },
  });
  await messages.init();
  return messages;
}

async function textsIn(language: string): Promise<Texts> {
  const load = languages[language];
  return load === undefined ? {} : (await load()).default;
}

/** Returns no texts if they cannot be loaded: the console then shows Keycloak's. */
async function ownTexts(environment: Environment, realm: string, language: string): Promise<Texts> {
  const path = `/admin/${encodeURIComponent(realm)}/console/messages/${encodeURIComponent(language)}`;
  const response = await fetch(environment.adminBaseUrl + path);
  return response.ok ? ((await response.json()) as Texts) : {};
}
