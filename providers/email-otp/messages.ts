import type { PluginMessages } from '@keyhost/spi';

/** Translations of the texts that the plugin declares for admins. */
export const MESSAGES: PluginMessages = {
  de: {
    'Email OTP': 'E-Mail-Code',
    'Mails users a code, and asks for it.': 'Sendet Benutzern einen Code per E-Mail und fragt danach.',
  },
};
