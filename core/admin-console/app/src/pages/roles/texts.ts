const en = {
  title: (realm: string) => `Realm roles of ${realm}`,
  lead: 'Roles say what users may do. Applications read them from tokens.',
  caption: 'Realm roles',
  find: 'Find by name or description',
  name: 'Name',
  description: 'Description',
  contains: 'Composite',
  composite: 'Composite',
  empty: 'No realm roles yet. Create a role.',
  ofClient: 'Roles of the client',
  emptyOfClient: 'No roles yet. Create a role.',
  create: 'Create role',
  creating: 'Create role',
};

const de: typeof en = {
  title: (realm) => `Realm-Rollen von ${realm}`,
  lead: 'Rollen sagen, was Benutzer dürfen. Anwendungen lesen sie aus Tokens.',
  caption: 'Realm-Rollen',
  find: 'Nach Name oder Beschreibung suchen',
  name: 'Name',
  description: 'Beschreibung',
  contains: 'Zusammengesetzt',
  composite: 'Zusammengesetzt',
  empty: 'Noch keine Realm-Rollen. Erstelle eine Rolle.',
  ofClient: 'Rollen des Clients',
  emptyOfClient: 'Noch keine Rollen. Erstelle eine Rolle.',
  create: 'Rolle erstellen',
  creating: 'Rolle erstellen',
};

export const texts = { en, de };
