const en = {
  title: (realm: string) => `Clients of ${realm}`,
  lead: 'Applications and services that sign in users or request tokens in this realm.',
  caption: 'Clients',
  find: 'Find by client ID',
  clientId: 'Client ID',
  name: 'Name',
  kind: 'Type',
  state: 'Status',
  kinds: { public: 'Public', confidential: 'Confidential', bearer: 'Bearer-only' },
  enabled: 'Enabled',
  disabled: 'Disabled',
  empty: 'No clients yet. Add one with a realm file, the Admin API or dynamic registration.',
};

const de: typeof en = {
  title: (realm) => `Clients von ${realm}`,
  lead: 'Anwendungen und Dienste, die in diesem Realm Benutzer anmelden oder Tokens anfordern.',
  caption: 'Clients',
  find: 'Nach Client-ID suchen',
  clientId: 'Client-ID',
  name: 'Name',
  kind: 'Typ',
  state: 'Status',
  kinds: { public: 'Öffentlich', confidential: 'Vertraulich', bearer: 'Bearer-only' },
  enabled: 'Aktiviert',
  disabled: 'Deaktiviert',
  empty: 'Noch keine Clients. Füge einen über eine Realm-Datei, die Admin-API oder die dynamische Registrierung hinzu.',
};

export const texts = { en, de };
