const en = {
  title: (realm: string) => `Clients of ${realm}`,
  lead: 'Applications and services that sign users in, or ask for tokens, in this realm.',
  caption: 'Clients',
  find: 'Find by client id',
  clientId: 'Client id',
  name: 'Name',
  kind: 'Kind',
  state: 'State',
  kinds: { public: 'Public', confidential: 'Confidential', bearer: 'Takes tokens only' },
  enabled: 'Enabled',
  disabled: 'Disabled',
  empty: 'There is no client yet. A realm file, the Admin API or dynamic registration brings them.',
};

const de: typeof en = {
  title: (realm) => `Clients von ${realm}`,
  lead: 'Anwendungen und Dienste, die in diesem Realm Benutzer anmelden oder Tokens verlangen.',
  caption: 'Clients',
  find: 'Finden nach Client-Id',
  clientId: 'Client-Id',
  name: 'Name',
  kind: 'Art',
  state: 'Zustand',
  kinds: { public: 'Öffentlich', confidential: 'Vertraulich', bearer: 'Nimmt nur Tokens' },
  enabled: 'Aktiv',
  disabled: 'Abgeschaltet',
  empty: 'Es gibt noch keinen Client. Eine Realm-Datei, die Admin-API oder die dynamische Registrierung bringt sie.',
};

export const texts = { en, de };
