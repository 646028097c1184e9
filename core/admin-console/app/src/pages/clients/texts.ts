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
  empty: 'No clients yet. Connect an app to create one.',
  connect: 'Connect an app',
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
  empty: 'Noch keine Clients. Verbinde eine App, um einen anzulegen.',
  connect: 'App verbinden',
};

export const texts = { en, de };
