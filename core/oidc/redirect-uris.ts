import type { Client } from '../model/client.js';

const LOOPBACK = /^http:\/\/(127\.0\.0\.1|\[::1\]|localhost)(:\d{1,5})?(?=\/|$)/;
/** A scheme that runs something, or a character that addresses do not have: the answer's `Location` cannot carry it. */
const FORBIDDEN = /^\s*(javascript|data|vbscript):|[^!-~]|["<>\\^`{|}]/i;

/**
 * Where the answer to an authorization request goes (Keycloak's RedirectUtils): one of the client's registered addresses,
 * character for character; one that ends in `*` matches what begins like it; a loopback address that is registered
 * without a port may have any (RFC 8252 §7.3).
 * @param given the request's `redirect_uri`; without it the one registered address, when there is exactly one
 * @returns undefined when there is none that may be used
 */
export function redirectUriOf(client: Client, given: string | undefined): string | undefined {
  return matching(registered(client, client.redirectUris), given);
}

/** As `redirectUriOf`, for `post_logout_redirect_uri`: attribute `post.logout.redirect.uris`, `##` between them. */
export function postLogoutRedirectUriOf(client: Client, given: string): string | undefined {
  const listed = client.attributes['post.logout.redirect.uris'] ?? '+';
  if (listed === '-') return undefined;
  const uris = listed.split('##').flatMap((uri) => (uri === '+' ? client.redirectUris : [uri]));
  return matching(registered(client, uris), given);
}

/** An address that begins with `/` stands below the client's root. */
function registered(client: Client, uris: readonly string[]): string[] {
  return uris
    .map((uri) => (uri.startsWith('/') ? `${client.rootUrl}${uri}` : uri))
    .filter((uri) => !uri.startsWith('/'));
}

function matching(registeredUris: readonly string[], given: string | undefined): string | undefined {
  if (given === undefined) {
    const [only, ...others] = registeredUris;
    return only === undefined || others.length > 0 || only.endsWith('*') ? undefined : only;
  }
  if (FORBIDDEN.test(given) || given.includes('#') || hasUserInfo(given) || hasDotSegments(given)) return undefined;
  return registeredUris.some((uri) => matches(uri, given)) ? given : undefined;
}

function matches(uri: string, given: string): boolean {
  if (uri === given) return true;
  if (uri.endsWith('*')) {
    // The query is the application's own; what the pattern is held against ends before it.
    const path = given.split('?')[0] ?? '';
    return path.startsWith(uri.slice(0, -1)) || `${path}/` === uri.slice(0, -1);
  }
  return LOOPBACK.test(given) && uri === withoutPort(given);
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
  const path = uri.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*/i, '').replace(/%(25)+/g, '%');
  return /(^|[/\\]|%2f|%5c)(\.|%2e){1,2}($|[/?;\\]|%2f|%5c|%3b)/i.test(path);
}
