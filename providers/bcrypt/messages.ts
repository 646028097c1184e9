import type { PluginMessages } from '@keyhost/spi';

/** Translations of the texts that the plugin declares for admins. */
export const MESSAGES: PluginMessages = {
  de: {
    'Verifies and makes hashes of bcrypt.': 'Prüft und erstellt Hashes von bcrypt.',
  },
};
