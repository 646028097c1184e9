const en = {
  failures: 'Recent failed calls',
  failuresLead: 'In this realm, on this node. The error messages are in the log of the host.',
  when: 'Time',
  method: 'Method',
  outcome: 'Result',
  error: 'Error',
  drift: 'Edits that are not in the realm file',
  driftLead: 'The live settings differ from the file. The next change of these settings in the file overwrites them.',
  toFile: 'Revert edits, or add them to the file',
};

const de: typeof en = {
  failures: 'Letzte fehlgeschlagene Aufrufe',
  failuresLead: 'In diesem Realm, auf diesem Knoten. Die Fehlermeldungen stehen im Log des Hosts.',
  when: 'Zeit',
  method: 'Methode',
  outcome: 'Ergebnis',
  error: 'Fehler',
  drift: 'Änderungen, die nicht in der Realm-Datei stehen',
  driftLead:
    'Die laufenden Einstellungen weichen von der Datei ab. Ihre nächste Änderung in der Datei überschreibt sie.',
  toFile: 'Änderungen rückgängig machen oder in die Datei übernehmen',
};

export const texts = { en, de };
