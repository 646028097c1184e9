const en = { settings: 'Settings', name: 'Name', description: 'Description', attributes: 'Attributes' };
const de: typeof en = { settings: 'Einstellungen', name: 'Name', description: 'Beschreibung', attributes: 'Attribute' };

export const texts = { en, de };
