const en = {
  failures: 'Calls that failed last',
  failuresLead: 'In this realm, on the node that answers. What the error said stands in the log of the host.',
  when: 'When',
  method: 'Method',
  outcome: 'How it ended',
  error: 'Error',
  drift: 'Edited beside the realm’s file',
  driftLead:
    'The file says something else, or nothing, of these settings. A later change of the file there wins over them.',
  toFile: 'Take edits back, or put them into the file',
};

const de: typeof en = {
  failures: 'Zuletzt gescheiterte Aufrufe',
  failuresLead: 'In diesem Realm, auf dem Knoten, der antwortet. Was der Fehler sagte, steht im Log des Hosts.',
  when: 'Wann',
  method: 'Methode',
  outcome: 'Wie er endete',
  error: 'Fehler',
  drift: 'Neben der Realm-Datei geändert',
  driftLead:
    'Die Datei sagt über diese Einstellungen etwas anderes oder nichts. Eine spätere Änderung der Datei an dieser Stelle geht vor.',
  toFile: 'Änderungen zurücknehmen oder in die Datei übernehmen',
};

export const texts = { en, de };
