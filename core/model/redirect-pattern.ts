/** `http://127.0.0.1:5555` at the beginning, and what is before the port. */
const LOOPBACK = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost)):\d{0,5}(?=\/|\?|#|$)/;

/**
 * True if an address matches a registered one, as in Keycloak: character for character, or by a pattern. A loopback
 * address that is registered without a port may have any (RFC 8252 §7.3).
 * @param registered an absolute address, or a pattern
 */
export function fitsRegistered(registered: string, given: string): boolean {
  return fits(registered, given) || (LOOPBACK.test(given) && fits(registered, given.replace(LOOPBACK, '$1')));
}

/** True for Keycloak's page that shows a code to copy. Keyhost has no such page. */
export function isPageOfACode(uri: string): boolean {
  return uri === 'urn:ietf:wg:oauth:2.0:oob';
}

/** True for a pattern. A `*` in any other position, or in a query, is a literal character. */
export function isPattern(registered: string): boolean {
  return registered.endsWith('*') && !registered.includes('?');
}

/** True for a pattern that any http or https address fits: `*`, `http*`, `https://*`. */
export function isOpenPattern(registered: string): boolean {
  if (!isPattern(registered)) return false;
  const start = registered.slice(0, -1);
  return ['http://', 'https://'].some((scheme) => scheme.startsWith(start));
}

/** Why the registered address is of no use, or of less than it seems; undefined: it is of use. */
export function redirectHint(registered: string): string | undefined {
  if (isPageOfACode(registered)) return 'is no address here: Keyhost has no page that shows a code';
  const rest = isPattern(registered) ? registered.slice(0, -1) : registered;
  return rest.includes('*') ? '"*" is a wildcard only at the end of an address without a query' : undefined;
}

function fits(registered: string, given: string): boolean {
  if (registered === given) return true;
  if (!isPattern(registered)) return false;
  const start = registered.slice(0, -1);
  // Query and fragment are the application's own; what the pattern is held against ends before them.
  const address = given.split(/[?#]/, 1)[0] ?? '';
  if (!address.startsWith(start) && `${address}/` !== start) return false;
  // `*` alone is for pages of the web: the scheme of an installed application is named.
  if (!start.includes(':')) return /^https?:\/\//.test(address);
  return keepsAuthority(start, address);
}

/** A wildcard after the host matches no other host; after `//` it matches any host, and after `:` any port. */
function keepsAuthority(start: string, address: string): boolean {
  const authority = authorityOf(address);
  if (authority === undefined) return true;
  if (/[@*]/.test(authority)) return false;
  const named = authorityOf(start);
  if (named === undefined || named === '') return true;
  return named.endsWith(':') ? /^\d*$/.test(authority.slice(named.length)) : authority === named;
}

function authorityOf(uri: string): string | undefined {
  return /^[^:/]+:\/\/([^/?#]*)/.exec(uri)?.[1];
}
