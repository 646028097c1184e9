const en = {
  title: (realm: string) => `Client scopes of ${realm}`,
  lead: 'A client scope is a set of mappers and roles that several clients share. Applications request it by its name.',
  caption: 'Client scopes',
  find: 'Find by name or description',
  empty: 'No client scopes yet. Create one to share mappers between clients.',
  name: 'Name',
  description: 'Description',
  protocol: 'Protocol',
  protocols: { 'openid-connect': 'OpenID Connect', saml: 'SAML' },
  newClients: 'New clients',
  kinds: { default: 'Default', optional: 'Optional' },
  create: 'Create client scope',
  nameHelp: 'Applications send it in the parameter scope. It contains no spaces.',
};

const de: typeof en = {
  title: (realm) => `Client-Scopes von ${realm}`,
  lead: 'Ein Client-Scope fasst Mapper und Rollen zusammen, die mehrere Clients teilen. Anwendungen fordern ihn mit seinem Namen an.',
  caption: 'Client-Scopes',
  find: 'Nach Name oder Beschreibung suchen',
  empty: 'Noch keine Client-Scopes. Erstelle einen, um Mapper zwischen Clients zu teilen.',
  name: 'Name',
  description: 'Beschreibung',
  protocol: 'Protokoll',
  protocols: { 'openid-connect': 'OpenID Connect', saml: 'SAML' },
  newClients: 'Neue Clients',
  kinds: { default: 'Standard', optional: 'Optional' },
  create: 'Client-Scope erstellen',
  nameHelp: 'Anwendungen senden ihn im Parameter scope. Er enthält keine Leerzeichen.',
};

export const texts = { en, de };
