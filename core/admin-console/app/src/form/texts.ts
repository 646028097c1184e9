const en = {
  changedBy: (who: string | undefined) => `${who ?? 'Another administrator'} changed this after you opened it`,
  kept: 'Your changes are not saved. Your input is still here.',
  overwriteMeans: 'If you save anyway, your changes overwrite the current values. All other values stay as they are.',
  compare: 'Differences',
  member: 'Field',
  began: 'When you opened it',
  now: 'Current',
  yours: 'Your change',
  untouched: 'unchanged',
  absent: 'not set',
  secret: 'hidden secret',
  overwrite: 'Save my changes anyway',
  takeOver: 'Discard my changes',
};

const de: typeof en = {
  changedBy: (who) => `${who ?? 'Ein anderer Administrator'} hat dies geändert, nachdem du es geöffnet hast`,
  kept: 'Deine Änderungen sind nicht gespeichert. Deine Eingaben sind noch da.',
  overwriteMeans:
    'Wenn du trotzdem speicherst, überschreiben deine Änderungen die aktuellen Werte. Alle anderen Werte bleiben.',
  compare: 'Unterschiede',
  member: 'Feld',
  began: 'Beim Öffnen',
  now: 'Aktuell',
  yours: 'Deine Änderung',
  untouched: 'unverändert',
  absent: 'nicht gesetzt',
  secret: 'verborgenes Secret',
  overwrite: 'Meine Änderungen trotzdem speichern',
  takeOver: 'Meine Änderungen verwerfen',
};

export const texts = { en, de };
