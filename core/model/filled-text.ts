import { durationInWords } from './duration-in-words.js';

/**
 * Java's MessageFormat as far as Keycloak's texts use it: `{0}`, and two quotes for one. Keyhost's own is `{0,duration}`: seconds in
 * words.
 * @param locale of the words, a BCP 47 tag
 */
export function filledText(pattern: string, params: readonly string[], locale = 'en'): string {
  return pattern.replace(/''|\{(\d)(,duration)?\}/g, (found, index?: string, format?: string) => {
    if (index === undefined) return "'";
    const given = params[Number(index)];
    if (given === undefined) return found;
    return format === undefined || !/^\d+$/.test(given) ? given : durationInWords(Number(given), locale);
  });
}
