const en = {
  type: 'Type to search',
  more: 'Type more to find others.',
};

const de: typeof en = {
  type: 'Tippe zum Suchen',
  more: 'Tippe mehr, um andere zu finden.',
};

export const texts = { en, de };
