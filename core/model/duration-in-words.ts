const UNITS = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const;

/**
 * Seconds in words, rounded down: in days, hours or minutes if there are two of them or exactly one.
 * @param locale a BCP 47 tag, or a locale as Java writes it; English if it is neither
 */
export function durationInWords(seconds: number, locale: string): string {
  const [unit, length] = UNITS.find(([, size]) => seconds >= 2 * size || seconds === size) ?? ['second', 1];
  const options = { style: 'unit', unit, unitDisplay: 'long', maximumFractionDigits: 0 } as const;
  return new Intl.NumberFormat(tagOf(locale), options).format(Math.floor(seconds / length));
}

/** Converts the names that Java uses, such as `pt_BR`: realms may declare those. */
function tagOf(locale: string): string {
  const tag = locale.replaceAll('_', '-');
  try {
    return new Intl.Locale(tag).toString();
  } catch {
    return 'en';
  }
}
