import type { PluginMessages } from '@keyhost/spi';

/** Translations of the texts that the plugin declares for admins. */
export const MESSAGES: PluginMessages = {
  de: {
    'Secrets of HashiCorp Vault or OpenBao.': 'Secrets von HashiCorp Vault oder OpenBao.',
  },
};
