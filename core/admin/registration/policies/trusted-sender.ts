import { lookup, reverse } from 'node:dns/promises';
import { isIP } from 'node:net';
import { isOf } from './trusted-client-uris.js';

const LOOPBACK = /^(127\.|::1$)/;

/**
 * True if a request was sent by a trusted host. The sender's address is trusted itself, or its name is in a trusted
 * domain and resolves back to it. Without an answer from DNS in time the sender is not trusted.
 * @param ip the sender's address
 * @param trusted addresses, names, and domains such as `*.example.org`
 */
export async function isTrustedSender(ip: string, trusted: readonly string[]): Promise<boolean> {
  for (const host of trusted) {
    if (host.startsWith('*.')) continue;
    if (isIP(host) === 0 ? (await addressesOf(host)).includes(ip) : host === ip) return true;
  }
  const domains = trusted.filter((host) => host.startsWith('*.'));
  if (domains.length === 0) return false;
  for (const name of await namesOf(ip)) {
    if (!domains.some((domain) => isOf(domain, name))) continue;
    if (LOOPBACK.test(ip) || (await addressesOf(name)).includes(ip)) return true;
  }
  return false;
}

async function addressesOf(host: string): Promise<string[]> {
  try {
    return (await lookup(host, { all: true })).map(({ address }) => address);
  } catch {
    return [];
  }
}

/** As in Keycloak, loopback addresses have the name `localhost`. */
async function namesOf(ip: string): Promise<string[]> {
  if (LOOPBACK.test(ip)) return ['localhost'];
  try {
    return (await reverse(ip)).map((name) => name.toLowerCase());
  } catch {
    return [];
  }
}
