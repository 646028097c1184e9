import { lookup, reverse } from 'node:dns/promises';
import { isIP } from 'node:net';
import { matchesHost } from './trusted-client-uris.js';

const LOOPBACK = /^(127\.|::1$)/;

/**
 * True if a trusted host sent the request. Either its address is trusted, or its name is in a trusted domain and
 * resolves to the same address. If DNS does not answer in time, the sender is not trusted.
 * @param ip the sender's address
 * @param trusted addresses, names, and domains such as `*.example.org`
 */
export async function isTrustedSender(ip: string, trusted: readonly string[]): Promise<boolean> {
  for (const host of trusted) {
    if (host.startsWith('*.')) continue;
    if (isIP(host) === 0 ? (await lookUpAddresses(host)).includes(ip) : host === ip) return true;
  }
  const domains = trusted.filter((host) => host.startsWith('*.'));
  if (domains.length === 0) return false;
  for (const name of await lookUpNames(ip)) {
    if (!domains.some((domain) => matchesHost(domain, name))) continue;
    if (LOOPBACK.test(ip) || (await lookUpAddresses(name)).includes(ip)) return true;
  }
  return false;
}

async function lookUpAddresses(host: string): Promise<string[]> {
  try {
    return (await lookup(host, { all: true })).map(({ address }) => address);
  } catch {
    return [];
  }
}

/** As in Keycloak, loopback addresses have the name `localhost`. */
async function lookUpNames(ip: string): Promise<string[]> {
  if (LOOPBACK.test(ip)) return ['localhost'];
  try {
    return (await reverse(ip)).map((name) => name.toLowerCase());
  } catch {
    return [];
  }
}
