const en = {
  unitOf: (name: string) => `${name}: unit`,
  units: { seconds: 'Seconds', minutes: 'Minutes', hours: 'Hours', days: 'Days' },
};

const de: typeof en = {
  unitOf: (name) => `${name}: Einheit`,
  units: { seconds: 'Sekunden', minutes: 'Minuten', hours: 'Stunden', days: 'Tage' },
};

export const texts = { en, de };
