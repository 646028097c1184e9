import type { PluginMessages } from '@keyhost/spi';

/** Translations of the texts that the plugin declares for admins. */
export const MESSAGES: PluginMessages = {
  de: {
    'Keeps events in a table of a PostgreSQL database.':
      'Speichert Ereignisse in einer Tabelle einer PostgreSQL-Datenbank.',
  },
};
