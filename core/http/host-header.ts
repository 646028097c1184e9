import type { IncomingMessage } from 'node:http';

/** `uri-host [ ":" port ]` (RFC 9110 §7.2): a name without percent-encoding, an IPv4 address, or an IPv6 one in brackets. */
const HOST = /^(?:[A-Za-z0-9._~-]{1,255}|\[[0-9A-Fa-f:.]{2,45}\])(?::(\d{0,5}))?$/;
const ABSOLUTE = /^https?:\/\/([^/?#]*)/i;

/**
 * What is wrong with where a request says that it goes to (RFC 9112 §3.2); undefined where nothing is. What stands before
 * this host may read such a request differently, and cache or route it so. HTTP/1.0 has no need of a Host, and nothing
 * here goes by it; of HTTP/1.1 Node refuses requests without.
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
  // The request names two hosts, and one of them would have to be passed over.
  if (host !== undefined && host.toLowerCase() !== authority.toLowerCase())
    return 'The Host header does not match the request target';
  return undefined;
}

function isHost(text: string): boolean {
  const [whole, port = ''] = HOST.exec(text) ?? [];
  return whole !== undefined && Number(port) <= 65_535;
}

/** Whether the host has the path by the name in the `Host` header. */
export type HasPath = (path: string, host: string | undefined) => boolean;

/**
 * With `--hostname-admin` what admins use is at that name alone, and nothing but this is there: no page of a realm or a plugin
 * shares an origin with the desk. Keycloak leaves its Admin REST API at both.
 */
export function adminsApart(hostnameAdmin: string): HasPath {
  const { host, protocol } = new URL(hostnameAdmin);
  const standard = protocol === 'https:' ? ':443' : ':80';
  const names = new Set([host, /:\d+$/.test(host) ? host : `${host}${standard}`]);
  return (path, header) => {
    if (names.has(header?.toLowerCase() ?? '')) return isOfAdmins(path) || path.startsWith('/resources/');
    return !isOfAdmins(path);
  };
}

/** The desk, the Admin REST API, and Keycloak's console with its files. */
function isOfAdmins(path: string): boolean {
  return path === '/admin' || /^\/(?:admin|resources\/keycloak-console)\//.test(path);
}
