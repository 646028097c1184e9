const en = {
  attributes: 'Attributes',
  attributesHelp: 'To give an attribute several values, add its name once for each value.',
  attribute: (place: number) => `Attribute ${place}`,
  attributeName: 'Name',
  attributeValue: 'Value',
  addAttribute: 'Add attribute',
  removeAttribute: (name: string) => `Remove attribute ${name}`,
};

const de: typeof en = {
  attributes: 'Attribute',
  attributesHelp: 'Um einem Attribut mehrere Werte zu geben, füge seinen Namen für jeden Wert hinzu.',
  attribute: (place) => `Attribut ${place}`,
  attributeName: 'Name',
  attributeValue: 'Wert',
  addAttribute: 'Attribut hinzufügen',
  removeAttribute: (name) => `Attribut ${name} entfernen`,
};

export const texts = { en, de };
