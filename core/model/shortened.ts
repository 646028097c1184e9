/** No name is longer than this in a message; Keycloak's own columns end here. */
const WORD_LIMIT = 255;
const LONG_WORD = new RegExp(`\\S{${WORD_LIMIT + 1},}`, 'g');

/**
 * Shortens a text that contains input, such as a client ID, a scope or an address, for an answer or a log. Long words
 * are cut, and so is the whole.
 * @param limit maximum length, in characters
 */
export function shortened(text: string, limit: number): string {
  if (text.length <= WORD_LIMIT) return text;
  const whole = text.length <= limit ? text : `${text.slice(0, limit)}…`;
  return whole.replace(LONG_WORD, (word) => `${word.slice(0, WORD_LIMIT)}…`);
}
