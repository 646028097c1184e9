const en = {
  general: 'Realm',
  name: 'Realm name',
  id: 'ID',
  endpoints: 'Endpoints',
  discovery: 'OpenID endpoint configuration',
  ssl: { all: 'All requests', external: 'External requests', none: 'None' },
  labels: { displayName: 'Display name', enabled: 'Enabled', sslRequired: 'Require SSL' },
  help: {
    displayName: 'Login and account pages show it. Default: the realm name.',
    enabled: 'Users can sign in, and clients can get tokens.',
    sslRequired: 'Which requests must use HTTPS. External: all requests except from private addresses.',
  },
  disable: 'Disable realm',
  disableOf: (realm: string) => `Disable the realm ${realm}?`,
  disableLead: 'Its users and clients lose access when you save.',
  disableOwn: 'You are signed in to this realm: you lose access, too.',
  remove: 'Delete realm',
  removeOf: (realm: string) => `Delete the realm ${realm}?`,
  removeLead: 'This deletes its users, clients, roles, groups, keys and events. You cannot undo this.',
  removeFile:
    'If a realm file defines it, delete the file first. Otherwise the realm comes back when the host restarts.',
  removeName: (realm: string) => `To confirm, enter ${realm}`,
};

const de: typeof en = {
  general: 'Realm',
  name: 'Realm-Name',
  id: 'ID',
  endpoints: 'Endpunkte',
  discovery: 'OpenID-Endpunkt-Konfiguration',
  ssl: { all: 'Alle Anfragen', external: 'Externe Anfragen', none: 'Keine' },
  labels: { displayName: 'Anzeigename', enabled: 'Aktiviert', sslRequired: 'SSL erforderlich' },
  help: {
    displayName: 'Anmelde- und Kontoseiten zeigen ihn. Standard: der Realm-Name.',
    enabled: 'Benutzer können sich anmelden, und Clients erhalten Tokens.',
    sslRequired: 'Welche Anfragen HTTPS nutzen müssen. Externe: alle Anfragen, außer solchen von privaten Adressen.',
  },
  disable: 'Realm deaktivieren',
  disableOf: (realm) => `Den Realm ${realm} deaktivieren?`,
  disableLead: 'Seine Benutzer und Clients verlieren den Zugriff, wenn du speicherst.',
  disableOwn: 'Du bist in diesem Realm angemeldet: Auch du verlierst den Zugriff.',
  remove: 'Realm löschen',
  removeOf: (realm) => `Den Realm ${realm} löschen?`,
  removeLead:
    'Das löscht seine Benutzer, Clients, Rollen, Gruppen, Schlüssel und Ereignisse. Du kannst das nicht rückgängig machen.',
  removeFile:
    'Wenn eine Realm-Datei ihn definiert, lösche zuerst die Datei. Sonst ist der Realm nach einem Neustart des Hosts wieder da.',
  removeName: (realm) => `Gib zur Bestätigung ${realm} ein`,
};

export const texts = { en, de };
