/**
 * The languages in which to look up a text, best first.
 * @param locale a BCP 47 tag. `de-CH` is followed by `de`, and then by `en`
 */
export function languagesOf(locale: string): readonly string[] {
  return [locale, locale.toLowerCase().split('-', 1)[0] ?? '', 'en'];
}
