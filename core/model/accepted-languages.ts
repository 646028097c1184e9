/** Maximum length of an `Accept-Language` header that is read, in characters. */
export const LANGUAGES_LIMIT = 500;

/** Returns the languages of an `Accept-Language` header, highest weight first (RFC 9110 §12.5.4). */
export function acceptedLanguages(header: string): string[] {
  const ranges = header.slice(0, LANGUAGES_LIMIT).split(',');
  return ranges
    .map((range) => {
      const [tag = '', weight] = range.trim().split(/\s*;\s*q=/i);
      return { tag, weight: weight === undefined ? 1 : Number(weight) || 0 };
    })
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight)
    .map(({ tag }) => tag);
}
