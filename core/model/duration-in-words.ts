const UNITS = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const;

/**
 * Seconds in words, never more than they are: in days, hours or minutes where there are two of them or exactly one.
 * @param locale a BCP 47 tag
 */
export function durationInWords(seconds: number, locale: string): string {
  const [unit, length] = UNITS.find(([, size]) => seconds >= 2 * size || seconds === size) ?? ['second', 1];
  const format = new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long', maximumFractionDigits: 0 });
  return format.format(Math.floor(seconds / length));
}
