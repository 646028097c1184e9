/** Maximum length of a word in a message, which is also the length of Keycloak's columns. */
const WORD_LIMIT = 255;
const LONG_WORD = new RegExp(`\\S{${WORD_LIMIT + 1},}`, 'g');

/**
 * Shortens a text that contains input, such as a client ID, a scope or an address, for a response or a log. Both long
 * words and the text as a whole are cut.
 * @param limit maximum length, in characters
 */
export function shorten(text: string, limit: number): string {
  if (text.length <= WORD_LIMIT) return text;
  const cut = text.length <= limit ? text : `${text.slice(0, limit)}…`;
  return cut.replace(LONG_WORD, (word) => `${word.slice(0, WORD_LIMIT)}…`);
}
