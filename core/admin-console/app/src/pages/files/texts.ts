const en = {
  lead: 'The files in the realms folder that define the realms of this host. The host applies each change to them.',
  caption: 'Realm files',
  find: 'Find by file or realm',
  show: 'Show',
  all: 'All',
  file: 'Realm',
  path: 'File',
  state: 'Status',
  problem: 'Problem',
  version: 'Version',
  since: 'Since',
  noRealm: 'no realm yet',
  more: (count: number) => `and ${count} more`,
  edits: (count: number) => (count === 1 ? 'One edit' : `${count} edits`),
  empty: 'No realm files here yet. Add one to the realms folder, for example demo.json.',
};

const de: typeof en = {
  lead: 'Die Dateien im Realm-Ordner, die die Realms dieses Hosts definieren. Der Host wendet jede Änderung an ihnen an.',
  caption: 'Realm-Dateien',
  find: 'Nach Datei oder Realm suchen',
  show: 'Anzeigen',
  all: 'Alle',
  file: 'Realm',
  path: 'Datei',
  state: 'Status',
  problem: 'Problem',
  version: 'Version',
  since: 'Seit',
  noRealm: 'noch kein Realm',
  more: (count) => `und ${count} weitere`,
  edits: (count) => (count === 1 ? 'Eine Änderung' : `${count} Änderungen`),
  empty: 'Hier gibt es noch keine Realm-Dateien. Lege eine in den Realm-Ordner, zum Beispiel demo.json.',
};

export const texts = { en, de };
