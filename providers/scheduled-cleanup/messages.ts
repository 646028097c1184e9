import type { PluginMessages } from '@keyhost/spi';

/** Translations of the texts that the plugin declares for admins. */
export const MESSAGES: PluginMessages = {
  de: {
    Times: 'Zeiten',
    'When users are looked at. Default: 30 2 * * *': 'Wann Benutzer geprüft werden. Standard: 30 2 * * *',
    'Warn after': 'Warnen nach',
    'Days without a sign-in. Default: 83': 'Tage ohne Anmeldung. Standard: 83',
    'Disable after': 'Deaktivieren nach',
    'Days after the warning. Default: 7': 'Tage nach der Warnung. Standard: 7',
    'Delete after': 'Löschen nach',
    'Days after the user was disabled. Absent: nobody is deleted.':
      'Tage nach der Deaktivierung. Leer: Niemand wird gelöscht.',
    'Dry run': 'Probelauf',
    'Only report. Default: off': 'Nur berichten. Standard: aus',
  },
};
