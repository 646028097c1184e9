const en = {
  title: 'Find and go',
  placeholder: (realm: string) => `A page, a realm, or a user or client of ${realm}`,
  results: 'What was found',
  groups: { pages: 'Pages', plugins: 'Pages of plugins', realms: 'Realms', users: 'Users', clients: 'Clients' },
  found: (count: number) => (count === 1 ? '1 result' : `${count} results`),
  none: (typed: string) => `Nothing is called “${typed}”.`,
  searching: 'Searching …',
  forbidden: (group: string, roles: string) => `${group}: it takes the role ${roles}.`,
  failed: (group: string) => `${group}: the host could not be asked.`,
  keys: 'Keys',
  choose: 'choose',
  open: 'open',
  close: 'close',
  from: 'opens this from anywhere',
};
const de: typeof en = {
  title: 'Finden und öffnen',
  placeholder: (realm) => `Eine Seite, ein Realm, ein Benutzer oder Client von ${realm}`,
  results: 'Was gefunden wurde',
  groups: { pages: 'Seiten', plugins: 'Seiten von Plugins', realms: 'Realms', users: 'Benutzer', clients: 'Clients' },
  found: (count) => (count === 1 ? '1 Treffer' : `${count} Treffer`),
  none: (typed) => `Nichts heißt „${typed}“.`,
  searching: 'Wird gesucht …',
  forbidden: (group, roles) => `${group}: Dazu braucht es die Rolle ${roles}.`,
  failed: (group) => `${group}: Der Host konnte nicht gefragt werden.`,
  keys: 'Tasten',
  choose: 'wählen',
  open: 'öffnen',
  close: 'schließen',
  from: 'öffnet das hier von überall',
};

export const texts = { en, de };
