const en = {
  title: 'Quick search',
  placeholder: (realm: string) => `Find a page or realm, or a user or client of ${realm}`,
  results: 'Results',
  groups: {
    ...{ pages: 'Pages', plugins: 'Plugin pages', realms: 'Realms', users: 'Users', clients: 'Clients' },
    identityProviders: 'Identity providers',
  },
  found: (count: number) => (count === 1 ? '1 result' : `${count} results`),
  none: (typed: string) => `No results for “${typed}”.`,
  searching: 'Searching …',
  forbidden: (group: string, roles: string) => `${group}: requires the role ${roles}.`,
  failed: (group: string) => `${group}: search failed. The host is unavailable.`,
  keys: 'Keyboard shortcuts',
  choose: 'choose',
  open: 'open',
  close: 'close',
  from: 'opens this search anywhere',
};
const de: typeof en = {
  title: 'Schnellsuche',
  placeholder: (realm) => `Seite oder Realm suchen, oder Benutzer oder Client von ${realm}`,
  results: 'Ergebnisse',
  groups: {
    ...{ pages: 'Seiten', plugins: 'Plugin-Seiten', realms: 'Realms', users: 'Benutzer', clients: 'Clients' },
    identityProviders: 'Identity-Provider',
  },
  found: (count) => (count === 1 ? '1 Treffer' : `${count} Treffer`),
  none: (typed) => `Keine Treffer für „${typed}“.`,
  searching: 'Wird gesucht …',
  forbidden: (group, roles) => `${group}: erfordert die Rolle ${roles}.`,
  failed: (group) => `${group}: Suche fehlgeschlagen. Der Host ist nicht erreichbar.`,
  keys: 'Tastenkürzel',
  choose: 'wählen',
  open: 'öffnen',
  close: 'schließen',
  from: 'öffnet diese Suche überall',
};

export const texts = { en, de };
