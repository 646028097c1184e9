const UNITS = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const;

/**
 * Formats seconds in words, rounded down to days, hours or minutes if there are at least two of them or exactly one.
 * @param locale a BCP 47 tag, or a locale as Java writes it; English if it is neither
 */
export function durationInWords(seconds: number, locale: string): string {
  const [unit, length] = UNITS.find(([, size]) => seconds >= 2 * size || seconds === size) ?? ['second', 1];
  const options = { style: 'unit', unit, unitDisplay: 'long', maximumFractionDigits: 0 } as const;
  return new Intl.NumberFormat(toLanguageTag(locale), options).format(Math.floor(seconds / length));
}

/** Converts a Java locale such as `pt_BR`, which realms may declare, to a BCP 47 tag. */
function toLanguageTag(locale: string): string {
  const tag = locale.replaceAll('_', '-');
  try {
    return new Intl.Locale(tag).toString();
  } catch {
    return 'en';
  }
}
