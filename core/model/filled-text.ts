import { durationInWords } from './duration-in-words.js';

/**
 * Java's MessageFormat, as far as Keycloak's texts use it: `{0}`, and two quotes for one. `{0,duration}` is Keyhost's
 * own: seconds in words.
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
