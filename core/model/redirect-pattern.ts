/** Matches the beginning of an http loopback address up to its port. The group is the part before the port. */
const LOOPBACK = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost)):\d{0,5}(?=\/|\?|#|$)/;

/**
 * True if a redirect URI matches a registered URI or pattern, as in Keycloak. A loopback address that is registered
 * without a port matches with any port (RFC 8252 §7.3).
 * @param registered an absolute address, or a pattern
 */
export function matchesRegistered(registered: string, uri: string): boolean {
  return matches(registered, uri) || (LOOPBACK.test(uri) && matches(registered, uri.replace(LOOPBACK, '$1')));
}

/** True for Keycloak's out-of-band page, which shows the code to copy. Keyhost has no such page. */
export function isOutOfBandUri(uri: string): boolean {
  return uri === 'urn:ietf:wg:oauth:2.0:oob';
}

/**
 * True if the registered URI is a pattern: it ends with `*`, and has no query. Any other `*` is a literal character.
 */
export function isPattern(registered: string): boolean {
  return registered.endsWith('*') && !registered.includes('?');
}

/** True for a pattern that every http or https address matches: `*`, `http*`, `https://*`. */
export function isOpenPattern(registered: string): boolean {
  if (!isPattern(registered)) return false;
  const prefix = registered.slice(0, -1);
  return ['http://', 'https://'].some((scheme) => scheme.startsWith(prefix));
}

/** Returns the reason why a registered URI matches nothing, or less than it seems to; undefined if there is none. */
export function redirectHint(registered: string): string | undefined {
  if (isOutOfBandUri(registered)) return 'is no address here: Keyhost has no page that shows a code';
  const literalPart = isPattern(registered) ? registered.slice(0, -1) : registered;
  return literalPart.includes('*') ? '"*" is a wildcard only at the end of an address without a query' : undefined;
}

function matches(registered: string, uri: string): boolean {
  if (registered === uri) return true;
  if (!isPattern(registered)) return false;
  const prefix = registered.slice(0, -1);
  // An application may add any query and fragment, so they are not compared.
  const address = uri.split(/[?#]/, 1)[0] ?? '';
  if (!address.startsWith(prefix) && `${address}/` !== prefix) return false;
  // `*` alone matches only http and https. A custom scheme of an installed application must be written out.
  if (!prefix.includes(':')) return /^https?:\/\//.test(address);
  return matchesAuthority(prefix, address);
}

/**
 * A wildcard after the host does not match a longer host name. After `//` it matches any host, and after `:` any port.
 */
function matchesAuthority(prefix: string, address: string): boolean {
  const authority = authorityOf(address);
  if (authority === undefined) return true;
  if (/[@*]/.test(authority)) return false;
  const registeredAuthority = authorityOf(prefix);
  if (registeredAuthority === undefined || registeredAuthority === '') return true;
  return registeredAuthority.endsWith(':')
    ? /^\d*$/.test(authority.slice(registeredAuthority.length))
    : authority === registeredAuthority;
}

function authorityOf(uri: string): string | undefined {
  return /^[^:/]+:\/\/([^/?#]*)/.exec(uri)?.[1];
}
