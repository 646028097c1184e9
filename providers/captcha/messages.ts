import type { PluginMessages } from '@keyhost/spi';

/** Translations of the texts that the plugin declares for admins. */
export const MESSAGES: PluginMessages = {
  de: {
    'Lets the browser of a person who registers solve a small task.':
      'Lässt den Browser bei der Registrierung eine kleine Aufgabe lösen.',
    'ALTCHA (Login)': 'ALTCHA (Anmeldung)',
    'Lets the browser solve a small task before the password is asked for.':
      'Lässt den Browser eine kleine Aufgabe lösen, bevor nach dem Passwort gefragt wird.',
    Difficulty: 'Schwierigkeit',
    'Browsers try half as many numbers on average.': 'Browser probieren im Mittel halb so viele Zahlen.',
    Lifetime: 'Gültigkeit',
    'Seconds from the page to the answer.': 'Sekunden von der Seite bis zur Antwort.',
    'HMAC key': 'HMAC-Schlüssel',
    'Signs challenges. Default: the key of plugins.json, or one that is made for the realm.':
      'Signiert Aufgaben. Standard: der Schlüssel aus plugins.json, oder einer, der für den Realm erstellt wird.',
  },
};
