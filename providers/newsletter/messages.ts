import type { PluginMessages } from '@keyhost/spi';

/** Translations of the texts that the plugin declares for admins. */
export const MESSAGES: PluginMessages = {
  de: {
    Authentication: 'Authentifizierung',
    '"client": callers require the role newsletter-token-issuer; "none": anyone can create links.':
      '„client“: Aufrufer brauchen die Rolle newsletter-token-issuer; „none“: Jeder kann Links erstellen.',
    'Token type': 'Token-Typ',
    'The type of the action tokens. A provider of this realm must handle it.':
      'Der Typ der Action-Tokens. Ein Provider dieses Realms muss ihn verarbeiten.',
    'Requests per second': 'Anfragen pro Sekunde',
    'Requests per second of each client, or of each address without credentials, averaged over ten seconds. 0: no limit.':
      'Anfragen pro Sekunde jedes Clients, oder jeder Adresse ohne Zugangsdaten, gemittelt über zehn Sekunden. 0: unbegrenzt.',
    'Links for administrators': 'Links für Administratoren',
    'Also creates links for admins and service accounts. Off: the response is the same as for unknown users.':
      'Erstellt auch Links für Administratoren und Dienstkonten. Aus: Die Antwort ist dieselbe wie für unbekannte Benutzer.',
    'Listed days': 'Gelistete Tage',
    'Number of days that the page lists a link after it expires.':
      'Wie viele Tage die Seite einen Link nach seinem Ablauf zeigt.',
    'Number of days that the page lists a link after it expires. 0: it does not list those that are made here, which saves a write for each.':
      'Wie viele Tage die Seite einen Link nach seinem Ablauf zeigt. 0: Die hier erstellten zeigt sie nicht, was jedes Mal einen Schreibvorgang spart.',
  },
};
