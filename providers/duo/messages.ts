import type { PluginMessages } from '@keyhost/spi';

/** Translations of the texts that the plugin declares for admins. */
export const MESSAGES: PluginMessages = {
  de: {
    'Asks users for their second factor by the Universal Prompt of Duo.':
      'Fragt Benutzer mit dem Universal Prompt von Duo nach ihrem zweiten Faktor.',
    'Duo API Hostname': 'API-Hostname von Duo',
    'Such as api-1234abcd.duosecurity.com.': 'Etwa api-1234abcd.duosecurity.com.',
    'Duo Integration Key': 'Integration Key von Duo',
    'The client ID of the application in Duo.': 'Die Client-ID der Anwendung in Duo.',
    'Duo Secret Key': 'Secret Key von Duo',
    'The client secret of the application in Duo.': 'Das Client-Secret der Anwendung in Duo.',
    'Fail Safe': 'Ohne Duo durchlassen',
    'On: users pass without Duo while it cannot be reached or fails (5xx). Off: nobody signs in then. If Duo is busy or refuses the application, nobody signs in either way.':
      'An: Benutzer kommen ohne Duo durch, solange es nicht erreichbar ist oder ausfällt (5xx). Aus: Dann meldet sich niemand an. Ist Duo überlastet oder lehnt es die Anwendung ab, meldet sich in keinem Fall jemand an.',
  },
};
