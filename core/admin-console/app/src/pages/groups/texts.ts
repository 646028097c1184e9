const en = {
  title: (realm: string) => `Groups of ${realm}`,
  lead: 'Members of a group have its roles and attributes, and those of the groups above it.',
  caption: 'Groups',
  find: 'Find by name',
  name: 'Name',
  path: 'Path',
  below: 'Subgroups',
  empty: 'No groups yet. Create a group.',
  create: 'Create group',
  createBelow: 'Create subgroup',
};

const de: typeof en = {
  title: (realm) => `Gruppen von ${realm}`,
  lead: 'Mitglieder einer Gruppe haben ihre Rollen und Attribute und die der Gruppen über ihr.',
  caption: 'Gruppen',
  find: 'Nach Name suchen',
  name: 'Name',
  path: 'Pfad',
  below: 'Untergruppen',
  empty: 'Noch keine Gruppen. Erstelle eine Gruppe.',
  create: 'Gruppe erstellen',
  createBelow: 'Untergruppe erstellen',
};

export const texts = { en, de };
