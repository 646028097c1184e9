const en = {
  changedBy: (who: string | undefined) => `${who ?? 'Somebody'} has changed this since you opened it`,
  kept: 'Nothing of yours was saved, and what you typed is still here.',
  overwriteMeans:
    'If you save it all the same, what you changed is written over what is there now; the rest stays as it is now.',
  compare: 'What differs',
  member: 'Member',
  began: 'When you began',
  now: 'Now',
  yours: 'Yours',
  untouched: 'as now',
  absent: 'not set',
  secret: 'a secret',
  overwrite: 'Save mine all the same',
  takeOver: 'Drop mine, take what is there now',
};

const de: typeof en = {
  changedBy: (who) => `${who ?? 'Jemand'} hat dies geändert, seit du es geöffnet hast`,
  kept: 'Von dir wurde nichts gespeichert, und was du getippt hast, steht noch hier.',
  overwriteMeans:
    'Speicherst du trotzdem, so wird, was du geändert hast, über das geschrieben, was jetzt da ist; der Rest bleibt, wie er jetzt ist.',
  compare: 'Was sich unterscheidet',
  member: 'Eintrag',
  began: 'Als du begannst',
  now: 'Jetzt',
  yours: 'Deins',
  untouched: 'wie jetzt',
  absent: 'nicht gesetzt',
  secret: 'ein Geheimnis',
  overwrite: 'Meins trotzdem speichern',
  takeOver: 'Meins verwerfen, das Jetzige nehmen',
};

export const texts = { en, de };
