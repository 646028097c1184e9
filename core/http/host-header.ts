import type { IncomingMessage } from 'node:http';

/**
 * `uri-host [ ":" port ]` (RFC 9110 §7.2): a name without percent-encoding, an IPv4 address, or an IPv6 address in
 * brackets.
 */
const HOST = /^(?:[A-Za-z0-9._~-]{1,255}|\[[0-9A-Fa-f:.]{2,45}\])(?::(\d{0,5}))?$/;
const ABSOLUTE = /^https?:\/\/([^/?#]*)/i;

/**
 * Returns the problem with the target host of a request (RFC 9112 §3.2); undefined if there is none. A proxy may
 * interpret an ambiguous request differently, and then cache or route it wrongly. An HTTP/1.0 request needs no Host
 * header, and the host does not rely on it. Node rejects HTTP/1.1 requests without one.
 */
export function hostProblem({ rawHeaders, url = '' }: IncomingMessage): string | undefined {
  let host: string | undefined;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name?.length !== 4 || name.toLowerCase() !== 'host') continue;
    if (host !== undefined) return 'More than one Host header';
    host = rawHeaders[index + 1] ?? '';
  }
  if (host !== undefined && !isHost(host)) return 'Malformed Host header';
  if (url.startsWith('/') || url === '*') return undefined;
  const authority = ABSOLUTE.exec(url)?.[1];
  if (authority === undefined || !isHost(authority)) return 'Malformed request target';
  // The request names two hosts, and one of them would have to be ignored.
  if (host !== undefined && host.toLowerCase() !== authority.toLowerCase())
    return 'The Host header does not match the request target';
  return undefined;
}

/** The last valid host of a `Host` header: most requests name the same one. */
let lastValidHost: string | undefined;

function isHost(text: string): boolean {
  if (text === lastValidHost) return true;
  const isValid = matchesHost(text);
  if (isValid) lastValidHost = text;
  return isValid;
}

function matchesHost(text: string): boolean {
  const [match, port = ''] = HOST.exec(text) ?? [];
  return match !== undefined && Number(port) <= 65_535;
}

/** True if the path exists under the host name in the `Host` header. */
export type HasPath = (path: string, host: string | undefined) => boolean;

/**
 * Returns which paths exist under which host name if `--hostname-admin` is set. Admin paths exist only under the admin
 * host name, and other paths only under other names. So no page of a realm or a plugin shares an origin with the admin
 * console. Keycloak serves its Admin REST API under both names.
 */
export function separateAdminHost(hostnameAdmin: string): HasPath {
  const { host, protocol } = new URL(hostnameAdmin);
  const defaultPort = protocol === 'https:' ? ':443' : ':80';
  const names = new Set([host, /:\d+$/.test(host) ? host : `${host}${defaultPort}`]);
  return (path, header) => {
    if (names.has(header?.toLowerCase() ?? '')) return isAdminPath(path) || path.startsWith('/resources/');
    return !isAdminPath(path);
  };
}

/** True for the admin console, the Admin REST API, and the files of Keycloak's admin console. */
function isAdminPath(path: string): boolean {
  return path === '/admin' || /^\/(?:admin|resources\/keycloak-console)\//.test(path);
}
