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
};

export const texts = { en, de };
