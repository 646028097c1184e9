const en = {
  title: (realm: string) => `Realm file of ${realm}`,
  lead: 'The file in the realms folder that defines this realm. The admin console never writes it. Edit the file, and the host applies it.',
  noFile: (realm: string) =>
    `No realm file defines the realm ${realm} yet. Download the export below into the realms folder, or paste a document and plan its changes.`,
  states: { applied: 'Applied', drifted: 'Drifted', invalid: 'Invalid' },
  means: {
    applied: 'The live realm matches the file.',
    drifted: 'The live realm has edits that are not in the file.',
    invalid: 'The file is invalid. The live realm is unchanged.',
  },
  path: 'File',
  version: 'Version of the live realm',
  since: 'Since',
  notFollowed: 'This node does not watch the realm files',
  notFollowedLead:
    'It shows the files of the stored realms, but no invalid files. Ask the node that watches the files.',
  conflicts: 'Changed in the file and by an edit: the file wins',

  drift: 'Edits that are not in the file',
  driftLead: 'Red is the file, green is the live realm. Revert the edits, or add them to the file to keep them.',
  takeBack: 'Revert edits',
  takeBackOf: (realm: string) => `Revert the edits of ${realm}?`,
  takeBackMeans: (count: number, realm: string) =>
    `${count === 1 ? 'One edit is' : `${count} edits are`} reverted, and ${realm} matches its file again. Secrets that are not in the file stay.`,
  masterStays: 'Edits of master cannot be reverted, because they include the clients of the other realms.',
  tookBack: 'Edits reverted',
  keptSome: (count: number) =>
    count === 1
      ? 'One edit stays: a secret that is not in the file.'
      : `${count} edits stay: secrets that are not in the file.`,

  text: 'Text',
  textLead: 'Secrets are masked. Edit the text to plan and apply changes. The file on disk is not changed.',
  textOf: (path: string) => `Text of ${path}`,
  document: 'Document',
  paste: 'Paste a document here',
  whichFile: 'File',
  tooLarge: 'The file is too large to show, or unreadable.',
  problems: (count: number) => (count === 1 ? 'One problem' : `${count} problems`),
  lastProblems: (count: number) => `${count === 1 ? 'One problem' : `${count} problems`} in the last document`,
  place: (line: number, column: number) => `${line}:${column}`,
  wholeFile: 'whole file',
  goTo: (line: number) => `Go to line ${line}`,
  markOf: (line: number, messages: string) => `Line ${line}: ${messages}`,
  suggestion: (text: string) => `Did you mean “${text}”?`,
  changedOnDisk: 'The file on disk has changed since you started. Your text is still here.',

  plan: 'Plan',
  planButton: 'Plan changes',
  takesBack: 'Also revert edits that are not in the document',
  discard: 'Discard changes',
  planned: 'Planned changes',
  nothing: 'No changes. The realm matches the document.',
  otherRealms: (names: string) => `The document contains other realms too. Apply them on their own pages: ${names}.`,
  notThisRealm: (realm: string) => `The document does not contain the realm ${realm}`,
  notThisRealmLead: 'Set its member “realm” to the name of this realm.',
  isNew: (realm: string) => `The realm ${realm} does not exist yet. Applying creates it.`,
  stale: 'The text has changed. Plan again before you apply it.',
  settings: 'settings',
  created: (count: number) => `${count} new`,
  changed: (count: number) => `${count} changed`,
  removed: (count: number) => `${count} removed`,
  changes: 'Changes',
  all: (count: number) => `Show all ${count}`,
  left: (count: number) => `${count} more are not shown.`,
  /** The kinds of changes, in place of the host's sentences, which are English. */
  operations: undefined as Readonly<Record<string, string>> | undefined,
  hidden: 'The difference is hidden: a secret or a referenced value.',
  conflictsPlanned: 'Edits that the document overwrites',
  staying: (count: number) => `Edits that stay (${count})`,
  references: 'References that prevent applying',
  warnings: (count: number) =>
    count === 1
      ? '1 part of the document is not applied as it is'
      : `${count} parts of the document are not applied as they are`,
  besidePlan:
    'The document differs from the file on disk. Nothing is written to disk. The next change of the file overwrites the realm.',

  apply: 'Apply document',
  applyTo: (realm: string) => `Apply the document to ${realm}?`,
  applyMeans: (count: number) =>
    `${count === 1 ? 'One change takes' : `${count} changes take`} effect with the next request. Nothing is written to disk.`,
  applied: (version: number | undefined) =>
    version === undefined ? 'Applied' : `Applied: the live realm has version ${version}`,
  unchanged: 'No changes to apply',
  usersCreated: (count: number) => (count === 1 ? 'One user was created.' : `${count} users were created.`),
  beside:
    'The realm now differs from the file on disk. Add your changes to the file to keep them. Its next change overwrites the realm.',
  downloadText: 'Download text',

  export: 'Export',
  exportLead: 'The live realm as a realm file without secrets, as “keyhost realm export” prints it.',
  download: 'Download export',
  intoEditor: 'Open export in editor',
};

const de: typeof en = {
  title: (realm) => `Realm-Datei von ${realm}`,
  lead: 'Die Datei im Realm-Ordner, die diesen Realm definiert. Die Admin-Konsole schreibt sie nie. Bearbeite die Datei, und der Host wendet sie an.',
  noFile: (realm) =>
    `Noch keine Realm-Datei definiert den Realm ${realm}. Lade den Export unten in den Realm-Ordner herunter, oder füge ein Dokument ein und plane seine Änderungen.`,
  states: { applied: 'Angewendet', drifted: 'Abgewichen', invalid: 'Ungültig' },
  means: {
    applied: 'Der laufende Realm entspricht der Datei.',
    drifted: 'Der laufende Realm hat Änderungen, die nicht in der Datei stehen.',
    invalid: 'Die Datei ist ungültig. Der laufende Realm ist unverändert.',
  },
  path: 'Datei',
  version: 'Version des laufenden Realms',
  since: 'Seit',
  notFollowed: 'Dieser Knoten überwacht die Realm-Dateien nicht',
  notFollowedLead:
    'Er zeigt die Dateien der gespeicherten Realms, aber keine ungültigen. Frage den Knoten, der die Dateien überwacht.',
  conflicts: 'In der Datei und im Realm geändert: Die Datei hat Vorrang',

  drift: 'Änderungen, die nicht in der Datei stehen',
  driftLead:
    'Rot ist die Datei, grün der laufende Realm. Mache die Änderungen rückgängig, oder übernimm sie in die Datei, um sie zu behalten.',
  takeBack: 'Änderungen rückgängig machen',
  takeBackOf: (realm) => `Änderungen von ${realm} rückgängig machen?`,
  takeBackMeans: (count, realm) =>
    `${count === 1 ? 'Eine Änderung wird' : `${count} Änderungen werden`} rückgängig gemacht; ${realm} entspricht wieder seiner Datei. Secrets, die nicht in der Datei stehen, bleiben.`,
  masterStays:
    'Änderungen von master können nicht rückgängig gemacht werden, denn dazu gehören die Clients der anderen Realms.',
  tookBack: 'Änderungen rückgängig gemacht',
  keptSome: (count) =>
    count === 1
      ? 'Eine Änderung bleibt: ein Secret, das nicht in der Datei steht.'
      : `${count} Änderungen bleiben: Secrets, die nicht in der Datei stehen.`,

  text: 'Text',
  textLead:
    'Secrets sind maskiert. Bearbeite den Text, um Änderungen zu planen und anzuwenden. Die Datei wird nicht geändert.',
  textOf: (path) => `Text von ${path}`,
  document: 'Dokument',
  paste: 'Füge hier ein Dokument ein',
  whichFile: 'Datei',
  tooLarge: 'Die Datei ist zu groß zum Anzeigen oder nicht lesbar.',
  problems: (count) => (count === 1 ? 'Ein Problem' : `${count} Probleme`),
  lastProblems: (count) => `${count === 1 ? 'Ein Problem' : `${count} Probleme`} im letzten Dokument`,
  place: (line, column) => `${line}:${column}`,
  wholeFile: 'ganze Datei',
  goTo: (line) => `Zu Zeile ${line}`,
  markOf: (line, messages) => `Zeile ${line}: ${messages}`,
  suggestion: (text) => `Meintest du „${text}“?`,
  changedOnDisk: 'Die Datei hat sich geändert, seit du begonnen hast. Dein Text ist noch da.',

  plan: 'Plan',
  planButton: 'Änderungen planen',
  takesBack: 'Auch Änderungen rückgängig machen, die nicht im Dokument stehen',
  discard: 'Änderungen verwerfen',
  planned: 'Geplante Änderungen',
  nothing: 'Keine Änderungen. Der Realm entspricht dem Dokument.',
  otherRealms: (names) => `Das Dokument enthält auch andere Realms. Wende sie auf ihren eigenen Seiten an: ${names}.`,
  notThisRealm: (realm) => `Das Dokument enthält den Realm ${realm} nicht`,
  notThisRealmLead: 'Setze seinen Eintrag „realm“ auf den Namen dieses Realms.',
  isNew: (realm) => `Der Realm ${realm} existiert noch nicht. Das Anwenden erstellt ihn.`,
  stale: 'Der Text hat sich geändert. Plane erneut, bevor du ihn anwendest.',
  settings: 'Einstellungen',
  created: (count) => `${count} neu`,
  changed: (count) => `${count} geändert`,
  removed: (count) => `${count} entfernt`,
  changes: 'Änderungen',
  all: (count) => `Alle ${count} anzeigen`,
  left: (count) => `${count} weitere werden nicht angezeigt.`,
  operations: { created: 'erstellt', changed: 'geändert', removed: 'entfernt' },
  hidden: 'Der Unterschied ist verborgen: ein Secret oder ein referenzierter Wert.',
  conflictsPlanned: 'Änderungen, die das Dokument überschreibt',
  staying: (count) => `Änderungen, die bleiben (${count})`,
  references: 'Referenzen, die das Anwenden verhindern',
  warnings: (count) =>
    count === 1
      ? '1 Teil des Dokuments wird nicht so angewendet, wie er ist'
      : `${count} Teile des Dokuments werden nicht so angewendet, wie sie sind`,
  besidePlan:
    'Das Dokument weicht von der Datei ab. Die Datei wird nicht geschrieben. Ihre nächste Änderung überschreibt den Realm.',

  apply: 'Dokument anwenden',
  applyTo: (realm) => `Das Dokument auf ${realm} anwenden?`,
  applyMeans: (count) =>
    `${count === 1 ? 'Eine Änderung gilt' : `${count} Änderungen gelten`} ab der nächsten Anfrage. Die Datei wird nicht geschrieben.`,
  applied: (version) =>
    version === undefined ? 'Angewendet' : `Angewendet: Der laufende Realm hat Version ${version}`,
  unchanged: 'Keine Änderungen anzuwenden',
  usersCreated: (count) => (count === 1 ? 'Ein Benutzer wurde erstellt.' : `${count} Benutzer wurden erstellt.`),
  beside:
    'Der Realm weicht jetzt von der Datei ab. Übernimm deine Änderungen in die Datei, um sie zu behalten. Ihre nächste Änderung überschreibt den Realm.',
  downloadText: 'Text herunterladen',

  export: 'Export',
  exportLead: 'Der laufende Realm als Realm-Datei ohne Secrets, wie „keyhost realm export“ sie ausgibt.',
  download: 'Export herunterladen',
  intoEditor: 'Export im Editor öffnen',
};

export const texts = { en, de };
