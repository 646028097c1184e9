import { durationInWords } from './duration-in-words.js';

/**
 * Formats a message as Java's MessageFormat does, as far as Keycloak's texts use it. In them, `{0}` is a parameter, and
 * two single quotes are one. The format `{0,duration}` is an extension of Keyhost: a number of seconds in words.
 * @param locale of the words, a BCP 47 tag
 */
export function formatMessage(pattern: string, params: readonly string[], locale = 'en'): string {
  return pattern.replace(/''|\{(\d)(,duration)?\}/g, (placeholder, index?: string, format?: string) => {
    if (index === undefined) return "'";
    const value = params[Number(index)];
    if (value === undefined) return placeholder;
    return format === undefined || !/^\d+$/.test(value) ? value : durationInWords(Number(value), locale);
  });
}
