import type { PluginMessages } from '@keyhost/spi';

/** Translations of the texts that the plugin declares for admins. */
export const MESSAGES: PluginMessages = {
  de: {
    'Condition - Device Trusted': 'Bedingung: Gerät vertraut',
    'Its flow runs on devices that the user does not trust; with "Negate output" off, on those that the user trusts.':
      'Der Ablauf läuft auf Geräten, denen der Benutzer nicht vertraut; ohne „Ergebnis umkehren“ auf denen, denen er vertraut.',
    'Negate output': 'Ergebnis umkehren',
    'On: the flow runs on devices that the user does not trust.':
      'An: Der Ablauf läuft auf Geräten, denen der Benutzer nicht vertraut.',
    'Register Trusted Device': 'Vertrautes Gerät registrieren',
    'Asks users whether they trust the device. It belongs behind the second factor.':
      'Fragt Benutzer, ob sie dem Gerät vertrauen. Gehört hinter den zweiten Faktor.',
    'Trust duration': 'Dauer des Vertrauens',
    'How long a device is trusted, as an ISO 8601 duration such as P90D. Empty: 400 days, the longest time.':
      'Wie lange einem Gerät vertraut wird, als Dauer nach ISO 8601 wie P90D. Leer: 400 Tage, die längste Zeit.',
    'Require device name': 'Gerätenamen verlangen',
    'Off: the name of the browser is used.': 'Aus: Der Name des Browsers wird verwendet.',
  },
};
