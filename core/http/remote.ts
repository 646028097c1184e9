import { BlockList, isIP } from 'node:net';
import type { Context } from 'koa';

export type ProxyHeaders = 'xforwarded' | 'forwarded' | undefined;

/** Maximum length of a forwarding header in characters. */
const HEADER_LIMIT = 2048;

const LOCAL = new BlockList();
LOCAL.addSubnet('127.0.0.0', 8);
LOCAL.addSubnet('10.0.0.0', 8);
LOCAL.addSubnet('172.16.0.0', 12);
LOCAL.addSubnet('192.168.0.0', 16);
LOCAL.addSubnet('169.254.0.0', 16);
LOCAL.addAddress('::1', 'ipv6');
LOCAL.addSubnet('fc00::', 7, 'ipv6');
LOCAL.addSubnet('fe80::', 10, 'ipv6');

/** True for loopback, link-local and private addresses, which `sslRequired: external` allows without TLS. */
export function isLocalAddress(address: string): boolean {
  if (address === '127.0.0.1' || address === '::1') return true;
  const family = isIP(address);
  return family !== 0 && LOCAL.check(address, family === 6 ? 'ipv6' : 'ipv4');
}

/** The caller's IP address and protocol. Forwarding headers are used only if the operator has declared a proxy. */
export function remoteOf(ctx: Context, proxy: ProxyHeaders): { ip: string; secure: boolean } {
  const socket = ctx.req.socket as typeof ctx.req.socket & { encrypted?: boolean };
  const direct = { ip: unmapIpv4(socket.remoteAddress ?? ''), secure: socket.encrypted === true };
  if (proxy === undefined) return direct;
  const forwarded = proxy === 'xforwarded' ? readXForwarded(ctx) : readForwarded(ctx.get('forwarded'));
  return {
    ip: forwarded.ip !== undefined && isIP(forwarded.ip) !== 0 ? forwarded.ip : direct.ip,
    secure: forwarded.proto === undefined ? direct.secure : forwarded.proto === 'https',
  };
}

function readXForwarded(ctx: Context): { ip: string | undefined; proto: string | undefined } {
  return {
    ip: lastElement(ctx.get('x-forwarded-for')),
    proto: lastElement(ctx.get('x-forwarded-proto'))?.toLowerCase(),
  };
}

/** Reads a `Forwarded` header (RFC 7239). The last element is the one that the nearest proxy added. */
function readForwarded(header: string): { ip: string | undefined; proto: string | undefined } {
  const pairs = new Map<string, string>();
  for (const pair of lastElement(header)?.split(';') ?? []) {
    const end = pair.indexOf('=');
    if (end > 0)
      pairs.set(
        pair.slice(0, end).trim().toLowerCase(),
        pair
          .slice(end + 1)
          .trim()
          .replace(/^"|"$/g, ''),
      );
  }
  const node = pairs.get('for');
  const address = node === undefined ? undefined : (/^\[([^\]]+)\]/.exec(node)?.[1] ?? node.split(':')[0]);
  return { ip: address, proto: pairs.get('proto')?.toLowerCase() };
}

function lastElement(header: string): string | undefined {
  if (header === '' || header.length > HEADER_LIMIT) return undefined;
  return header.slice(header.lastIndexOf(',') + 1).trim();
}

/** Converts an IPv4-mapped address such as `::ffff:127.0.0.1` to IPv4. */
function unmapIpv4(address: string): string {
  return address.startsWith('::ffff:') ? address.slice(7) : address;
}
