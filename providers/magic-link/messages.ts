import type { PluginMessages } from '@keyhost/spi';

/** Translations of the texts that the plugin declares for admins. */
export const MESSAGES: PluginMessages = {
  de: {
    'Mails users a link that signs them in.': 'Sendet Benutzern einen Link per E-Mail, der sie anmeldet.',
    'Force create user': 'Benutzer erstellen',
    'Create a user for an email address that nobody has.':
      'Erstellt einen Benutzer für eine E-Mail-Adresse, die niemand hat.',
  },
};
