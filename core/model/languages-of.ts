/**
 * Languages to look a text up in, best first.
 * @param locale a BCP 47 tag: `de-CH` is followed by `de`, and each by `en`
 */
export function languagesOf(locale: string): readonly string[] {
  return [locale, locale.toLowerCase().split('-', 1)[0] ?? '', 'en'];
}
