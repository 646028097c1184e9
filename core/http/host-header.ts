import type { IncomingMessage } from 'node:http';

/**
 * `uri-host [ ":" port ]` (RFC 9110 §7.2): a name without percent-encoding, an IPv4 address, or an IPv6 address in
 * brackets.
 */
const HOST = /^(?:[A-Za-z0-9._~-]{1,255}|\[[0-9A-Fa-f:.]{2,45}\])(?::(\d{0,5}))?$/;
const ABSOLUTE = /^https?:\/\/([^/?#]*)/i;

/**
 * The problem with the target host of a request (RFC 9112 §3.2); undefined if there is none. A proxy in front may read
 * an ambiguous request differently, and cache or route it so. HTTP/1.0 needs no Host header, and nothing here relies on
 * it; Node rejects HTTP/1.1 requests without one.
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

function isHost(text: string): boolean {
  const [whole, port = ''] = HOST.exec(text) ?? [];
  return whole !== undefined && Number(port) <= 65_535;
}

/** True if the path exists under the host name in the `Host` header. */
export type HasPath = (path: string, host: string | undefined) => boolean;

/**
 * With `--hostname-admin`, the admin paths exist only under that name, and no others do. So no page of a realm or a
 * plugin shares an origin with the admin console. Keycloak serves its Admin REST API under both.
 */
export function separateAdminHost(hostnameAdmin: string): HasPath {
  const { host, protocol } = new URL(hostnameAdmin);
  const standard = protocol === 'https:' ? ':443' : ':80';
  const names = new Set([host, /:\d+$/.test(host) ? host : `${host}${standard}`]);
  return (path, header) => {
    if (names.has(header?.toLowerCase() ?? '')) return isOfAdmins(path) || path.startsWith('/resources/');
    return !isOfAdmins(path);
  };
}

/** The admin console, the Admin REST API, and the files of Keycloak's admin console. */
function isOfAdmins(path: string): boolean {
  return path === '/admin' || /^\/(?:admin|resources\/keycloak-console)\//.test(path);
}
