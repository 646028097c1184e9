/**
 * Keycloak's `q`: `key:value` pairs with blanks between them; `"…"` around what has blanks itself
 * (SearchQueryUtils.getFields).
 */
export function attributeQuery(q: string): Record<string, string> {
  const pairs = q.matchAll(/(?:"([^"]+)"|([^\s":]+)):(?:"([^"]*)"|(\S*))/g);
  return Object.fromEntries(
    [...pairs].map(([, quoted, word, quotedValue, value]) => [quoted ?? word ?? '', quotedValue ?? value ?? '']),
  );
}
