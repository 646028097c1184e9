const en = {
  title: (realm: string) => `Realm file of ${realm}`,
  lead: 'The file in the realms folder that makes this realm. The desk never writes it: an editor does, and the host follows.',
  noFile: (realm: string) =>
    `No file in the realms folder makes the realm ${realm}. It lives in the store alone: download its export below and put it into the folder to have a file, or paste a document and plan what it would change.`,
  states: { applied: 'Applied', drifted: 'Drifted', invalid: 'Invalid' },
  means: {
    applied: 'The live realm is what the file makes.',
    drifted: 'The live realm was edited since, or keeps edits that the file says nothing of.',
    invalid: 'The file has mistakes. The live realm stays as it was.',
  },
  path: 'File',
  version: 'Version of the live realm',
  since: 'Since',
  notFollowed: 'The process that answers does not follow the files',
  notFollowedLead:
    'It tells of the files that made the stored realms, and knows none with mistakes. Ask the process that follows them.',
  conflicts: 'The file and an edit both changed this; the file won',

  drift: 'Edits that the file says nothing of',
  driftLead:
    'What stands in the file is red, what is live is green. Take the edits back, or write them into the file to keep them.',
  takeBack: 'Take the edits back',
  takeBackOf: (realm: string) => `Take the edits of ${realm} back?`,
  takeBackMeans: (count: number, realm: string) =>
    `${count === 1 ? 'One edit is' : `${count} edits are`} undone: ${realm} becomes what its file says. Secrets that the file does not state stay.`,
  masterStays: 'Edits of master are not taken back: the clients that stand for the other realms are such edits.',
  tookBack: 'Done: the edits are taken back',
  keptSome: (count: number) =>
    count === 1
      ? 'One edit stays: a secret that the file does not state.'
      : `${count} edits stay: secrets that the file does not state.`,

  text: 'Text',
  textLead: 'Secrets are masked. Change it here to plan and apply it as a document; the file on disk stays as it is.',
  textOf: (path: string) => `Text of ${path}`,
  document: 'Document',
  paste: 'Paste a document here',
  whichFile: 'File',
  tooLarge: 'It is too large to be shown, or cannot be read.',
  problems: (count: number) => (count === 1 ? 'One problem' : `${count} problems`),
  lastProblems: (count: number) => `${count === 1 ? 'One problem' : `${count} problems`} in what was sent last`,
  place: (line: number, column: number) => `${line}:${column}`,
  wholeFile: 'whole file',
  goTo: (line: number) => `Go to line ${line}`,
  markOf: (line: number, messages: string) => `Line ${line}: ${messages}`,
  suggestion: (text: string) => `Did you mean “${text}”?`,
  changedOnDisk: 'The file on disk has changed since you began. What you typed is still here.',

  plan: 'Plan',
  planButton: 'Plan what would change',
  takesBack: 'Take edits back too that the document says nothing of',
  discard: 'Discard what you changed',
  planned: 'What applying would change',
  nothing: 'Nothing would change: the realm is what the document says.',
  otherRealms: (names: string) =>
    `The document holds other realms too, which are applied on their own pages: ${names}.`,
  notThisRealm: (realm: string) => `The document holds no realm ${realm}`,
  notThisRealmLead: 'Its member “realm” says which realm it makes.',
  isNew: (realm: string) => `There is no realm ${realm} yet: it would be made.`,
  stale: 'The text was changed since. Plan again before you apply it.',
  settings: 'settings',
  created: (count: number) => `${count} new`,
  changed: (count: number) => `${count} changed`,
  removed: (count: number) => `${count} removed`,
  changes: 'Changes',
  all: (count: number) => `Show all ${count}`,
  left: (count: number) => `${count} more are not told one by one.`,
  hidden: 'Differs in what is not shown: a secret, or what a reference brings in.',
  conflictsPlanned: 'Edits that the document overwrites',
  staying: (count: number) => `Edits that stay (${count})`,
  references: 'References that keep it from being applied',
  besidePlan:
    'The document is not what the file on disk says. Nothing is written to disk, and the file’s next change wins over it.',

  apply: 'Apply',
  applyTo: (realm: string) => `Apply the document to ${realm}?`,
  applyMeans: (count: number) =>
    `${count === 1 ? 'One change takes' : `${count} changes take`} effect with the next request. Nothing is written to disk.`,
  applied: (version: number | undefined) =>
    version === undefined ? 'Applied' : `Applied: the live realm has version ${version}`,
  unchanged: 'Nothing was there to change',
  usersCreated: (count: number) => (count === 1 ? 'One user was created.' : `${count} users were created.`),
  beside:
    'The realm now differs from the file on disk. Nothing was written there: the next change of the file wins. To keep this, put it into the file.',
  downloadText: 'Download this text',

  export: 'Export',
  exportLead: 'The live realm as a file that makes it again, without secrets, as “keyhost realm export” prints it.',
  download: 'Download',
  intoEditor: 'Put it into the editor',
};

const de: typeof en = {
  title: (realm) => `Realm-Datei von ${realm}`,
  lead: 'Die Datei im Realm-Ordner, aus der dieser Realm entsteht. Das Pult schreibt sie nie: Das tut ein Editor, und der Host folgt.',
  noFile: (realm) =>
    `Keine Datei im Realm-Ordner ergibt den Realm ${realm}. Er liegt allein im Speicher: Lade unten seinen Export herunter und lege ihn in den Ordner, um eine Datei zu haben, oder füge ein Dokument ein und plane, was es ändern würde.`,
  states: { applied: 'Angewandt', drifted: 'Abgewichen', invalid: 'Fehlerhaft' },
  means: {
    applied: 'Der laufende Realm ist, was die Datei ergibt.',
    drifted: 'Der laufende Realm wurde seither bearbeitet oder behält Änderungen, von denen die Datei nichts sagt.',
    invalid: 'Die Datei hat Fehler. Der laufende Realm bleibt, wie er war.',
  },
  path: 'Datei',
  version: 'Version des laufenden Realms',
  since: 'Seit',
  notFollowed: 'Der Prozess, der antwortet, folgt den Dateien nicht',
  notFollowedLead:
    'Er erzählt von den Dateien, aus denen die gespeicherten Realms entstanden, und kennt keine mit Fehlern. Frag den Prozess, der ihnen folgt.',
  conflicts: 'Dies haben die Datei und eine Bearbeitung beide geändert; die Datei hat gewonnen',

  drift: 'Bearbeitungen, von denen die Datei nichts sagt',
  driftLead:
    'Was in der Datei steht, ist rot, was läuft, ist grün. Nimm die Bearbeitungen zurück, oder schreib sie in die Datei, um sie zu behalten.',
  takeBack: 'Bearbeitungen zurücknehmen',
  takeBackOf: (realm) => `Die Bearbeitungen von ${realm} zurücknehmen?`,
  takeBackMeans: (count, realm) =>
    `${count === 1 ? 'Eine Bearbeitung wird' : `${count} Bearbeitungen werden`} rückgängig gemacht: ${realm} wird, was seine Datei sagt. Geheimnisse, die nicht in der Datei stehen, bleiben.`,
  masterStays:
    'Bearbeitungen von master werden nicht zurückgenommen: Die Clients, die für die anderen Realms stehen, sind solche.',
  tookBack: 'Getan: Die Bearbeitungen sind zurückgenommen',
  keptSome: (count) =>
    count === 1
      ? 'Eine Bearbeitung bleibt: ein Geheimnis, das nicht in der Datei steht.'
      : `${count} Bearbeitungen bleiben: Geheimnisse, die nicht in der Datei stehen.`,

  text: 'Text',
  textLead:
    'Geheimnisse sind verdeckt. Ändere ihn hier, um ihn als Dokument zu planen und anzuwenden; die Datei selbst bleibt, wie sie ist.',
  textOf: (path) => `Text von ${path}`,
  document: 'Dokument',
  paste: 'Füge hier ein Dokument ein',
  whichFile: 'Datei',
  tooLarge: 'Sie ist zu groß, um gezeigt zu werden, oder nicht lesbar.',
  problems: (count) => (count === 1 ? 'Ein Fehler' : `${count} Fehler`),
  lastProblems: (count) => `${count === 1 ? 'Ein Fehler' : `${count} Fehler`} in dem, was zuletzt gesandt wurde`,
  place: (line, column) => `${line}:${column}`,
  wholeFile: 'ganze Datei',
  goTo: (line) => `Zu Zeile ${line}`,
  markOf: (line, messages) => `Zeile ${line}: ${messages}`,
  suggestion: (text) => `Meintest du „${text}“?`,
  changedOnDisk: 'Die Datei hat sich geändert, seit du begonnen hast. Was du getippt hast, steht noch hier.',

  plan: 'Plan',
  planButton: 'Planen, was sich ändern würde',
  takesBack: 'Auch Bearbeitungen zurücknehmen, von denen das Dokument nichts sagt',
  discard: 'Eigene Änderungen verwerfen',
  planned: 'Was sich beim Anwenden ändern würde',
  nothing: 'Nichts würde sich ändern: Der Realm ist, was das Dokument sagt.',
  otherRealms: (names) =>
    `Das Dokument enthält noch andere Realms, die auf ihren eigenen Seiten angewandt werden: ${names}.`,
  notThisRealm: (realm) => `Das Dokument enthält keinen Realm ${realm}`,
  notThisRealmLead: 'Welchen Realm es ergibt, sagt sein Eintrag „realm“.',
  isNew: (realm) => `Es gibt noch keinen Realm ${realm}: Er würde angelegt.`,
  stale: 'Der Text wurde seither geändert. Plane noch einmal, bevor du ihn anwendest.',
  settings: 'Einstellungen',
  created: (count) => `${count} neu`,
  changed: (count) => `${count} geändert`,
  removed: (count) => `${count} entfernt`,
  changes: 'Änderungen',
  all: (count) => `Alle ${count} zeigen`,
  left: (count) => `${count} weitere werden nicht einzeln gezeigt.`,
  hidden: 'Unterscheidet sich in etwas, das nicht gezeigt wird: einem Geheimnis oder dem, was ein Verweis hereinholt.',
  conflictsPlanned: 'Bearbeitungen, die das Dokument überschreibt',
  staying: (count) => `Bearbeitungen, die bleiben (${count})`,
  references: 'Verweise, derentwegen es nicht angewandt wird',
  besidePlan:
    'Das Dokument ist nicht, was in der Datei steht. Die Datei wird nicht geschrieben, und ihre nächste Änderung gewinnt.',

  apply: 'Anwenden',
  applyTo: (realm) => `Das Dokument auf ${realm} anwenden?`,
  applyMeans: (count) =>
    `${count === 1 ? 'Eine Änderung gilt' : `${count} Änderungen gelten`} ab der nächsten Anfrage. Die Datei wird nicht geschrieben.`,
  applied: (version) => (version === undefined ? 'Angewandt' : `Angewandt: Der laufende Realm hat Version ${version}`),
  unchanged: 'Es gab nichts zu ändern',
  usersCreated: (count) => (count === 1 ? 'Ein Benutzer wurde angelegt.' : `${count} Benutzer wurden angelegt.`),
  beside:
    'Der Realm unterscheidet sich jetzt von der Datei. Sie wurde nicht geschrieben: Ihre nächste Änderung gewinnt. Um dies zu behalten, übernimm es in die Datei.',
  downloadText: 'Diesen Text herunterladen',

  export: 'Export',
  exportLead:
    'Der laufende Realm als Datei, die ihn wieder ergibt, ohne Geheimnisse, wie „keyhost realm export“ sie ausgibt.',
  download: 'Herunterladen',
  intoEditor: 'In den Editor übernehmen',
};

export const texts = { en, de };
