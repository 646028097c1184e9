import type { PluginMessages } from '@keyhost/spi';

/** Translations of the texts that the plugin declares for admins. */
export const MESSAGES: PluginMessages = {
  de: {
    'Organization Role': 'Organisationsrolle',
    "A claim with the user's organizations, and the user's roles in each.":
      'Ein Claim mit den Organisationen des Benutzers und seinen Rollen darin.',
    'Organization Attribute': 'Organisationsattribut',
    "A claim with the user's organizations and their attributes.":
      'Ein Claim mit den Organisationen des Benutzers und ihren Attributen.',
    Invitation: 'Einladung',
    'Token Claim Name': 'Name des Token-Claims',
    'Add to ID token': 'Zum ID-Token hinzufügen',
    'Add to access token': 'Zum Access-Token hinzufügen',
    'Add to lightweight access token': 'Zum schlanken Access-Token hinzufügen',
    'Add to userinfo': 'Zu Userinfo hinzufügen',
    'Add to token introspection': 'Zur Token-Introspection hinzufügen',
    'Required scope': 'Erforderlicher Scope',
    'A scope that access tokens must have. Without it, the tokens of every client of the realm are accepted.':
      'Ein Scope, den Access-Tokens haben müssen. Ohne ihn werden die Tokens jedes Clients des Realms angenommen.',
    'Invitation lifespan': 'Gültigkeit einer Einladung',
    'Seconds until an invitation expires. Default: 7 days.': 'Sekunden, bis eine Einladung abläuft. Standard: 7 Tage.',
    'Application addresses': 'Adressen von Anwendungen',
    'Where invited users go: the first one, or the redirectUri of the invitation, which must have the origin of one of them. Default: the account page.':
      'Wohin eingeladene Benutzer gelangen: zur ersten, oder zur redirectUri der Einladung, die die Origin einer von ihnen haben muss. Standard: die Kontoseite.',
  },
};
