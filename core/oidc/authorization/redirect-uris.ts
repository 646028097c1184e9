import type { Client } from '../../model/client.js';
import { fitsRegistered, isPageOfACode, isPattern } from '../../model/redirect-pattern.js';
import { runsScript } from '../../model/script-address.js';

/**
 * An absolute address of the characters of RFC 3986 alone, which a header carries as they are. Keycloak encodes others, such
 * as `ü`; an application that sends them encoded has the same there and here.
 */
const ADDRESS =
  /^[a-z][a-z0-9+.-]*:(?!$|\/\/$)(?:\/\/[\w.~:@!$&'()*+,;=%[\]-]*(?=[/?#]|$))?(?:[\w.~:@!$&'()*+,;=/-]|%[0-9a-f]{2})*(?:\?(?:[\w.~:@!$&'()*+,;=/?[\]-]|%[0-9a-f]{2})*)?(?:#(?:[\w.~:@!$&'()*+,;=/?#[\]-]|%[0-9a-f]{2})*)?$/i;

/** What an answer is made of. An address that brings one of these itself would have the application read it first. */
const ANSWERED = new Set([
  ...['code', 'state', 'iss', 'session_state', 'error', 'error_description', 'error_uri', 'response'],
  ...['access_token', 'id_token', 'token_type', 'expires_in', 'kc_action', 'kc_action_status'],
]);

/**
 * Where the answer to an authorization request goes: an address that fits one that the client registered
 * (`fitsRegistered`), and holds no parameter of the answer (CVE-2026-9689, CVE-2026-18209). The table of
 * `test/security/redirect-table.ts` has Keycloak's answers beside ours.
 *
 * RFC 6749 §3.1.2 knows no fragments here. Keycloak takes them under a pattern, and keycloak-js sends them by default from a
 * page whose routes are fragments (`/index.html#/users`), unless the client's attribute `keyhost.redirect.fragments` is
 * `false`.
 * @param given the request's `redirect_uri`; without it the one registered address, when there is exactly one
 * @returns undefined when there is none that may be used
 */
export function redirectUriOf(client: Client, given: string | undefined): string | undefined {
  return matching(client, client.redirectUris, given);
}

/**
 * As `redirectUriOf`, for `post_logout_redirect_uri`: attribute `post.logout.redirect.uris`, `##` between them. `+` stands
 * for the redirect addresses, `-` at the beginning for none at all.
 */
export function postLogoutRedirectUriOf(client: Client, given: string): string | undefined {
  const listed = client.settings.postLogoutRedirectUris;
  if (listed[0] === '-') return undefined;
  return matching(
    client,
    listed.flatMap((uri) => (uri === '+' ? client.redirectUris : [uri])),
    given,
  );
}

/** An address that begins with `/` stands below the client's root; without one, at the host itself. */
function registered(client: Client, uris: readonly string[]): string[] {
  const root = client.rootUrl || client.hostOrigin;
  return uris.map((uri) => (uri.startsWith('/') ? `${root}${uri}` : uri));
}

function matching(client: Client, uris: readonly string[], given: string | undefined): string | undefined {
  const addresses = registered(client, uris);
  if (given === undefined) {
    const [only, ...others] = addresses;
    return only === undefined || others.length > 0 || isPattern(only) || runsScript(only) ? undefined : only;
  }
  if (runsScript(given) || isPageOfACode(given) || !ADDRESS.test(given) || !URL.canParse(given)) return undefined;
  if (given.includes('#') && !client.settings.redirectFragments) return undefined;
  if (holdsAnswer(given)) return undefined;
  // Character for character what is registered: as it was meant.
  if (addresses.includes(given)) return given;
  if (hasUserInfo(given) || leavesPath(given)) return undefined;
  return addresses.some((address) => fitsRegistered(address, given)) ? given : undefined;
}

/** True when query or fragment have a parameter that an answer has. */
function holdsAnswer(uri: string): boolean {
  const [address = '', fragment = ''] = splitFragment(uri);
  const query = address.slice(`${address}?`.indexOf('?') + 1);
  return [query, fragment].some((text) =>
    [...new URLSearchParams(text).keys()].some((name) => ANSWERED.has(name.toLowerCase())),
  );
}

/** The address before its fragment, and the fragment; undefined without `#`. */
export function splitFragment(uri: string): [address: string, fragment: string | undefined] {
  const at = uri.indexOf('#');
  return at < 0 ? [uri, undefined] : [uri.slice(0, at), uri.slice(at + 1)];
}

function hasUserInfo(uri: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\/[^/?]*@/i.test(uri);
}

/**
 * `..` could leave the path that a pattern allows; also encoded, even more than once, and with a path parameter, which
 * some servers take off first (`..;/`).
 */
function leavesPath(uri: string): boolean {
  const [address] = splitFragment(uri);
  const [path = ''] = address
    .replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*/i, '')
    .replace(/%(25)+/g, '%')
    .split('?');
  return /(^|[/\\]|%2f|%5c)(\.|%2e){2}($|[/;\\]|%2f|%5c|%3b)/i.test(path);
}
