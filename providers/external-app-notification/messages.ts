import type { PluginMessages } from '@keyhost/spi';

/** Translations of the texts that the plugin declares for admins. */
export const MESSAGES: PluginMessages = {
  de: {
    'Client ID': 'Client-ID',
    'A client whose `impersonation` entry allows the exchange.':
      'Ein Client, dessen Eintrag `impersonation` den Austausch erlaubt.',
    'Client secret': 'Client-Secret',
    Audience: 'Audience',
    'Client ID of the resource server.': 'Client-ID des Ressourcenservers.',
    'Single use': 'Einmalig',
    'True: a link works once. False: until it expires.': 'An: Ein Link funktioniert einmal. Aus: bis er abläuft.',
    'Confirmation page': 'Bestätigungsseite',
    'True: browsers get a page with a button first.': 'An: Browser erhalten zuerst eine Seite mit einer Schaltfläche.',
  },
};
