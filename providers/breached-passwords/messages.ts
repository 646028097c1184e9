import type { PluginMessages } from '@keyhost/spi';

/** Translations of the texts that the plugin declares for admins. */
export const MESSAGES: PluginMessages = {
  de: {
    'Breached Passwords': 'Passwörter aus Datenlecks',
    'Rejects passwords that were seen in data breaches at least this many times.':
      'Lehnt Passwörter ab, die mindestens so oft in Datenlecks vorkamen.',
    'If the list is unavailable': 'Wenn die Liste nicht verfügbar ist',
    'refuse: nobody sets a password until the list answers. accept: passwords are not checked.':
      'refuse: Niemand setzt ein Passwort, bis die Liste antwortet. accept: Passwörter werden nicht geprüft.',
  },
};
