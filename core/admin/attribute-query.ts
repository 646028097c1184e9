import { AdminError } from './admin.js';
import type { AdminQuery, QueryParameter } from './query.js';

/** Maximum number of pairs in `q`: each pair is compared with every user, group or other resource. */
const MAX_PAIRS = 20;
/**
 * A text in double quotes, in which `\"` is a quote, or the characters up to the next delimiter. That is a space or
 * colon for a key, and a space for a value. A quote that is not closed is dropped.
 */
const KEY = String.raw`(?:"((?:[^"\\]|\\.)*)"|"?([^ :]*))`;
const VALUE = String.raw`(?:"((?:[^"\\]|\\.)*)"(?= |$)|"?([^ ]*))`;

export const ATTRIBUTE_QUERY: QueryParameter = {
  type: 'string',
  description: 'Attributes: `key1:value1 "key 2":"value 2"`. Of equal keys the last counts.',
};

/**
 * Parses Keycloak's `q`: `key:value` pairs, separated by spaces. A key or value with spaces or colons is in double
 * quotes. A word without a colon is ignored. Unlike in Keycloak, a quoted key may contain a colon.
 * @throws AdminError 400 for more than 20 pairs
 */
export function parseAttributeQuery(query: AdminQuery): ReadonlyMap<string, string> {
  const pairs = [...(query.string('q') ?? '').matchAll(new RegExp(`(?<=^| )${KEY}:${VALUE}`, 'g'))];
  if (pairs.length > MAX_PAIRS) {
    throw new AdminError(400, {
      error: 'invalid_request',
      error_description: `Query parameter q must have ${MAX_PAIRS} parts at most`,
    });
  }
  return new Map(
    pairs.map(([, quotedKey, key = '', quotedValue, value = '']) => [
      quotedKey === undefined ? key : unescapeQuotes(quotedKey),
      quotedValue === undefined ? value : unescapeQuotes(quotedValue),
    ]),
  );
}

/** Only quotes are escaped; any other backslash is literal. */
function unescapeQuotes(text: string): string {
  return text.replaceAll('\\"', '"');
}
