import type { Client } from '../../model/client.js';
import { isOutOfBandUri, isPattern, matchesRegistered } from '../../model/redirect-pattern.js';
import { isScriptAddress } from '../../model/script-address.js';

/**
 * An absolute URI that has only the characters of RFC 3986, so a header can carry it unchanged. Keycloak encodes other
 * characters, such as `ü`. An application that sends them encoded gets the same result from both.
 */
const ABSOLUTE_URI =
  /^[a-z][a-z0-9+.-]*:(?!$|\/\/$)(?:\/\/[\w.~:@!$&'()*+,;=%[\]-]*(?=[/?#]|$))?(?:[\w.~:@!$&'()*+,;=/-]|%[0-9a-f]{2})*(?:\?(?:[\w.~:@!$&'()*+,;=/?[\]-]|%[0-9a-f]{2})*)?(?:#(?:[\w.~:@!$&'()*+,;=/?#[\]-]|%[0-9a-f]{2})*)?$/i;

/**
 * The parameters of a response. If the redirect URI already had one of them, the application could read that value
 * instead.
 */
const RESPONSE_PARAMETERS = new Set([
  'code',
  'state',
  'iss',
  'session_state',
  'error',
  'error_description',
  'error_uri',
  'response',
  'access_token',
  'id_token',
  'token_type',
  'expires_in',
  'kc_action',
  'kc_action_status',
]);

/**
 * The redirect URI of an authorization response. It must match one that the client registered (`matchesRegistered`),
 * and must not contain a parameter of the response (CVE-2026-9689, CVE-2026-18209). The table of
 * `test/security/redirect-table.ts` compares Keycloak's answers with ours.
 *
 * RFC 6749 §3.1.2 forbids fragments. Keycloak accepts them under a pattern. keycloak-js sends them by default from a
 * page whose routes are fragments (`/index.html#/users`). The client's attribute `keyhost.redirect.fragments` `false`
 * forbids them.
 * @param requestedUri the request's `redirect_uri`; undefined: the registered URI, if there is exactly one
 * @returns undefined if no URI may be used
 */
export function redirectUriOf(client: Client, requestedUri: string | undefined): string | undefined {
  return findMatch(client, client.redirectUris, requestedUri);
}

/**
 * Like `redirectUriOf`, for `post_logout_redirect_uri`: attribute `post.logout.redirect.uris`, separated by `##`. `+`
 * means the redirect URIs; `-` at the beginning means none at all.
 */
export function postLogoutRedirectUriOf(client: Client, requestedUri: string): string | undefined {
  const configuredUris = client.settings.postLogoutRedirectUris;
  if (configuredUris[0] === '-') return undefined;
  return findMatch(
    client,
    configuredUris.flatMap((uri) => (uri === '+' ? client.redirectUris : [uri])),
    requestedUri,
  );
}

/** Resolves URIs that begin with `/` against the client's root URL, or against the host if it has none. */
function resolveRegistered(client: Client, uris: readonly string[]): string[] {
  const root = client.rootUrl || client.hostOrigin;
  return uris.map((uri) => (uri.startsWith('/') ? `${root}${uri}` : uri));
}

function findMatch(client: Client, uris: readonly string[], requestedUri: string | undefined): string | undefined {
  const registeredUris = resolveRegistered(client, uris);
  if (requestedUri === undefined) {
    const [only, ...others] = registeredUris;
    return only === undefined || others.length > 0 || isPattern(only) || isScriptAddress(only) ? undefined : only;
  }
  if (
    isScriptAddress(requestedUri) ||
    isOutOfBandUri(requestedUri) ||
    !ABSOLUTE_URI.test(requestedUri) ||
    !URL.canParse(requestedUri)
  )
    return undefined;
  if (requestedUri.includes('#') && !client.settings.redirectFragments) return undefined;
  if (hasResponseParameter(requestedUri)) return undefined;
  // An exact match may contain what patterns must not: the administrator intended it.
  if (registeredUris.includes(requestedUri)) return requestedUri;
  if (hasUserInfo(requestedUri) || mayLeavePath(requestedUri)) return undefined;
  return registeredUris.some((address) => matchesRegistered(address, requestedUri)) ? requestedUri : undefined;
}

/** True if query or fragment contain a parameter of a response. */
function hasResponseParameter(uri: string): boolean {
  const [address = '', fragment = ''] = splitFragment(uri);
  const query = address.slice(`${address}?`.indexOf('?') + 1);
  return [query, fragment].some((text) =>
    [...new URLSearchParams(text).keys()].some((name) => RESPONSE_PARAMETERS.has(name.toLowerCase())),
  );
}

/** The URI before its fragment, and the fragment; undefined if there is no `#`. */
export function splitFragment(uri: string): [address: string, fragment: string | undefined] {
  const hashIndex = uri.indexOf('#');
  return hashIndex < 0 ? [uri, undefined] : [uri.slice(0, hashIndex), uri.slice(hashIndex + 1)];
}

function hasUserInfo(uri: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\/[^/?]*@/i.test(uri);
}

/**
 * `..` could leave the path that a pattern allows. It may be encoded, even repeatedly, and may have a path parameter,
 * which some servers remove first (`..;/`).
 */
function mayLeavePath(uri: string): boolean {
  const [address] = splitFragment(uri);
  const [path = ''] = address
    .replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*/i, '')
    .replace(/%(25)+/g, '%')
    .split('?');
  return /(^|[/\\]|%2f|%5c)(\.|%2e){2}($|[/;\\]|%2f|%5c|%3b)/i.test(path);
}
