import type { PluginMessages } from '@keyhost/spi';

/** Translations of the texts that the plugin declares for admins. */
export const MESSAGES: PluginMessages = {
  de: {
    "Asks for the email address, and forwards users to the identity provider of the address's domain.":
      'Fragt nach der E-Mail-Adresse und leitet Benutzer zum Identitätsanbieter ihrer Domain weiter.',
    'User attribute': 'Benutzerattribut',
    'The attribute that holds the address of a user. Any other than email counts as verified.':
      'Das Attribut mit der Adresse eines Benutzers. Jedes andere als email gilt als bestätigt.',
    'Forward users with unverified email': 'Benutzer mit unbestätigter E-Mail weiterleiten',
    'Forward users whose email address nobody verified like all others. Off: only to identity providers that they are linked to.':
      'Leitet Benutzer mit unbestätigter E-Mail-Adresse weiter wie alle anderen. Aus: nur zu Identitätsanbietern, mit denen sie verknüpft sind.',
    'Bypass login page': 'Anmeldeseite überspringen',
    'Forward at once if the application sends `login_hint`.':
      'Leitet sofort weiter, wenn die Anwendung `login_hint` sendet.',
    'Forward to linked IdP': 'Zum verknüpften Identitätsanbieter weiterleiten',
    'Forward users to an identity provider that they are linked to, even if it does not have their domain.':
      'Leitet Benutzer zu einem verknüpften Identitätsanbieter weiter, auch wenn er ihre Domain nicht hat.',
    'Forward to first matched IdP': 'Zum ersten passenden Identitätsanbieter weiterleiten',
    'If several identity providers fit, use the first one. Off: users choose.':
      'Passen mehrere Identitätsanbieter, wird der erste verwendet. Aus: Benutzer wählen.',
  },
};
