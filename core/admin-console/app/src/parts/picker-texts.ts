const en = {
  type: 'Type to search',
  more: 'Type more to narrow the results.',
};

const de: typeof en = {
  type: 'Tippe zum Suchen',
  more: 'Tippe weiter, um die Treffer einzugrenzen.',
};

export const texts = { en, de };
