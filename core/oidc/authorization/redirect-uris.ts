import type { Client } from '../../model/client.js';

const LOOPBACK = /^http:\/\/(127\.0\.0\.1|\[::1\]|localhost)(:\d{1,5})?(?=\/|$)/;
/** A scheme that runs something, or a character that addresses do not have: the answer's `Location` cannot carry it. */
const FORBIDDEN = /^\s*(javascript|data|vbscript):|[^!-~]|["<>\\^`{|}]/i;

/** What an answer is made of. An address that brings one of these itself would have the application read it first. */
const ANSWERED = new Set([
  ...['code', 'state', 'iss', 'session_state', 'error', 'error_description', 'error_uri', 'response'],
  ...['access_token', 'id_token', 'token_type', 'expires_in', 'kc_action', 'kc_action_status'],
]);

/**
 * Where the answer to an authorization request goes (Keycloak's RedirectUtils): one of the client's registered addresses,
 * character for character; one that ends in `*` matches what begins like it, with any query and any fragment but one that
 * holds a parameter of the answer (CVE-2026-9689, CVE-2026-18209); a loopback address that is registered without a port may
 * have any (RFC 8252 §7.3).
 *
 * RFC 6749 §3.1.2 knows no fragments here. Keycloak takes them, and keycloak-js sends them by default from a page whose
 * routes are fragments (`/index.html#/users`), unless the client's attribute `keyhost.redirect.fragments` is `false`.
 * @param given the request's `redirect_uri`; without it the one registered address, when there is exactly one
 * @returns undefined when there is none that may be used
 */
export function redirectUriOf(client: Client, given: string | undefined): string | undefined {
  return matching(client, client.redirectUris, given);
}

/** As `redirectUriOf`, for `post_logout_redirect_uri`: attribute `post.logout.redirect.uris`, `##` between them. */
export function postLogoutRedirectUriOf(client: Client, given: string): string | undefined {
  const listed = client.settings.postLogoutRedirectUris;
  if (listed === '-') return undefined;
  const uris = listed.split('##').flatMap((uri) => (uri === '+' ? client.redirectUris : [uri]));
  return matching(client, uris, given);
}

/** An address that begins with `/` stands below the client's root. */
function registered(client: Client, uris: readonly string[]): string[] {
  return uris
    .map((uri) => (uri.startsWith('/') ? `${client.rootUrl}${uri}` : uri))
    .filter((uri) => !uri.startsWith('/'));
}

function matching(client: Client, uris: readonly string[], given: string | undefined): string | undefined {
  const registeredUris = registered(client, uris);
  if (given === undefined) {
    const [only, ...others] = registeredUris;
    return only === undefined || others.length > 0 || only.endsWith('*') ? undefined : only;
  }
  if (FORBIDDEN.test(given) || hasUserInfo(given) || hasDotSegments(given)) return undefined;
  if (given.includes('#') && !client.settings.redirectFragments) return undefined;
  return registeredUris.some((uri) => matches(uri, given)) ? given : undefined;
}

function matches(uri: string, given: string): boolean {
  if (uri === given) return true;
  if (uri.endsWith('*')) {
    // Query and fragment are the application's own; what the pattern is held against ends before them.
    const path = given.split(/[?#]/, 1)[0] ?? '';
    return (path.startsWith(uri.slice(0, -1)) || `${path}/` === uri.slice(0, -1)) && !holdsAnswer(given);
  }
  return LOOPBACK.test(given) && uri === withoutPort(given);
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

const withoutPort = (uri: string) => uri.replace(LOOPBACK, 'http://$1');

function hasUserInfo(uri: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\/[^/?]*@/i.test(uri);
}

/**
 * `..` could leave the path that a pattern allows; also encoded, even more than once, and with a path parameter, which
 * some servers take off first (`..;/`).
 */
function hasDotSegments(uri: string): boolean {
  const [address] = splitFragment(uri);
  const path = address.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*/i, '').replace(/%(25)+/g, '%');
  return /(^|[/\\]|%2f|%5c)(\.|%2e){1,2}($|[/?;\\]|%2f|%5c|%3b)/i.test(path);
}
