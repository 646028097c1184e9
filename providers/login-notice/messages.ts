import type { PluginMessages } from '@keyhost/spi';

/** Translations of the texts that the plugin declares for admins. */
export const MESSAGES: PluginMessages = {
  de: {
    'Login Notice': 'Anmeldehinweis',
    'Mails users when they sign in from a new device or network. It belongs at the end of the flow.':
      'Benachrichtigt Benutzer per E-Mail, wenn sie sich mit einem neuen Gerät oder Netz anmelden. Gehört ans Ende des Ablaufs.',
    'New networks': 'Neue Netze',
    'Also mail when a known device is in a network that is new.':
      'Auch benachrichtigen, wenn ein bekanntes Gerät in einem neuen Netz ist.',
  },
};
