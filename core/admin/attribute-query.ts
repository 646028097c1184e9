import { AdminError } from './admin.js';
import type { AdminQuery, QueryParameter } from './query.js';

/** Most pairs of `q`: each is looked for in everything that there is. */
const MOST_PAIRS = 20;
/** A text in double quotes, where `\"` is a quote; or up to the next character that ends it. */
const KEY = String.raw`(?:"((?:[^"\\]|\\.)*)"|"?([^ :]*))`;
const VALUE = String.raw`(?:"((?:[^"\\]|\\.)*)"(?= |$)|"?([^ ]*))`;

export const ATTRIBUTE_QUERY: QueryParameter = {
  type: 'string',
  description: 'Attributes: `key1:value1 "key 2":"value 2"`. Of equal keys the last counts.',
};

/**
 * Keycloak's `q`: `key:value` pairs with blanks between them, `"…"` around what has blanks or colons itself. A word without a
 * colon says nothing. Unlike in Keycloak, a key in quotes may have a colon.
 * @throws AdminError 400 for more than 20 pairs
 */
export function attributeQuery(query: AdminQuery): ReadonlyMap<string, string> {
  const pairs = [...(query.string('q') ?? '').matchAll(new RegExp(`(?<=^| )${KEY}:${VALUE}`, 'g'))];
  if (pairs.length > MOST_PAIRS) {
    throw new AdminError(400, {
      error: 'invalid_request',
      error_description: `Query parameter q must have ${MOST_PAIRS} parts at most`,
    });
  }
  return new Map(
    pairs.map(([, quotedKey, key = '', quotedValue, value = '']) => [
      quotedKey === undefined ? key : unescaped(quotedKey),
      quotedValue === undefined ? value : unescaped(quotedValue),
    ]),
  );
}

/** Only quotes are escaped: a backslash elsewhere stands for itself. */
function unescaped(text: string): string {
  return text.replaceAll('\\"', '"');
}
