const en = {
  title: 'Create realm',
  file: 'Realm file (optional)',
  fileHelp: 'A JSON file that Keycloak or Keyhost exported. Choose it, or paste its text.',
  text: 'Text of the realm file',
  large: (size: string) => `${size}: too long to show here. The whole file is imported.`,
  invalid: (told: string) => `This is not a realm file: ${told}`,
  notRealm: 'the JSON value must be an object.',
  name: 'Realm name',
  nameHelp: 'Part of every address of the realm. You cannot change it later.',
  nameInvalid: 'Use 1 to 64 of the characters A-Z a-z 0-9 . _ -',
  displayName: 'Display name',
  enabled: 'Enabled',
  create: 'Create realm',
  checking: 'Checking the file …',
  report: 'Import report',
  counts: (clients: number, groups: number, users: number) =>
    `The file has ${clients} clients, ${groups} groups and ${users} users.`,
  tooLarge: 'The file is too large for a report here. Run “keyhost realm check FILE” to get one.',
  mistakes: (count: number) => (count === 1 ? 'A mistake prevents the import' : `${count} mistakes prevent the import`),
  secrets: (count: number) =>
    count === 1 ? 'A client has no secret and gets a new one' : `${count} clients have no secret and get new ones`,
  secretsLead: 'Exports without secrets are the usual reason. Enter the new secret in the application, too.',
  warnings: (count: number) =>
    count === 1
      ? '1 part of the file is not imported as it is'
      : `${count} parts of the file are not imported as they are`,
  noWarnings: 'Everything in the file is imported as it is.',
  place: (line: number, column: number) => `Line ${line}:${column}`,
  more: (count: number) => `… and ${count} more. The downloaded report has all.`,
  download: 'Download report',
  created: (name: string) => `The realm ${name} was created`,
  open: 'Open the realm',
  close: 'Close',
};

const de: typeof en = {
  title: 'Realm erstellen',
  file: 'Realm-Datei (optional)',
  fileHelp: 'Eine JSON-Datei, die Keycloak oder Keyhost exportiert hat. Wähle sie aus, oder füge ihren Text ein.',
  text: 'Text der Realm-Datei',
  large: (size) => `${size}: zu lang, um hier zu stehen. Die ganze Datei wird importiert.`,
  invalid: (told) => `Das ist keine Realm-Datei: ${told}`,
  notRealm: 'Der JSON-Wert muss ein Objekt sein.',
  name: 'Realm-Name',
  nameHelp: 'Teil jeder Adresse des Realms. Du kannst ihn später nicht ändern.',
  nameInvalid: 'Verwende 1 bis 64 der Zeichen A-Z a-z 0-9 . _ -',
  displayName: 'Anzeigename',
  enabled: 'Aktiviert',
  create: 'Realm erstellen',
  checking: 'Die Datei wird geprüft …',
  report: 'Importbericht',
  counts: (clients, groups, users) => `Die Datei enthält ${clients} Clients, ${groups} Gruppen und ${users} Benutzer.`,
  tooLarge: 'Die Datei ist zu groß für einen Bericht an dieser Stelle. „keyhost realm check DATEI“ erstellt einen.',
  mistakes: (count) => (count === 1 ? 'Ein Fehler verhindert den Import' : `${count} Fehler verhindern den Import`),
  secrets: (count) =>
    count === 1
      ? 'Ein Client hat kein Secret und bekommt ein neues'
      : `${count} Clients haben kein Secret und bekommen neue`,
  secretsLead: 'Meist liegt es an einem Export ohne Secrets. Trage das neue Secret auch in der Anwendung ein.',
  warnings: (count) =>
    count === 1
      ? '1 Teil der Datei wird nicht so importiert, wie er ist'
      : `${count} Teile der Datei werden nicht so importiert, wie sie sind`,
  noWarnings: 'Alles in der Datei wird so importiert, wie es ist.',
  place: (line, column) => `Zeile ${line}:${column}`,
  more: (count) => `… und ${count} weitere. Der heruntergeladene Bericht enthält alle.`,
  download: 'Bericht herunterladen',
  created: (name) => `Der Realm ${name} wurde erstellt`,
  open: 'Realm öffnen',
  close: 'Schließen',
};

export const texts = { en, de };
