const en = {
  lead: 'The files in the realms folder that make this host’s realms. The host follows them as they are written.',
  caption: 'Realm files',
  find: 'Find by file or realm',
  show: 'Show',
  all: 'All',
  file: 'Realm',
  path: 'File',
  state: 'State',
  told: 'What is wrong',
  version: 'Version',
  since: 'Since',
  noRealm: 'makes no realm yet',
  more: (count: number) => `and ${count} more`,
  edits: (count: number) => (count === 1 ? 'One edit' : `${count} edits`),
  empty: 'No file is of that sort. Put one into the realms folder, such as demo.json, and it is followed from then on.',
};

const de: typeof en = {
  lead: 'Die Dateien im Realm-Ordner, aus denen die Realms dieses Hosts entstehen. Der Host folgt ihnen, wie sie geschrieben werden.',
  caption: 'Realm-Dateien',
  find: 'Nach Datei oder Realm suchen',
  show: 'Zeigen',
  all: 'Alle',
  file: 'Realm',
  path: 'Datei',
  state: 'Zustand',
  told: 'Was nicht stimmt',
  version: 'Version',
  since: 'Seit',
  noRealm: 'ergibt noch keinen Realm',
  more: (count) => `und ${count} weitere`,
  edits: (count) => (count === 1 ? 'Eine Bearbeitung' : `${count} Bearbeitungen`),
  empty:
    'Keine Datei ist von dieser Art. Lege eine in den Realm-Ordner, etwa demo.json, und von da an folgt ihr der Host.',
};

export const texts = { en, de };
