import { BlockList, isIP } from 'node:net';

/** The private networks that the host may call for addresses that a realm, a client or a plugin sets. */
export interface PrivateNetworks {
  allow(address: string): boolean;
}

export const ANY_PRIVATE_NETWORK: PrivateNetworks = { allow: () => true };
export const NO_PRIVATE_NETWORK: PrivateNetworks = { allow: () => false };

/**
 * Parses a list such as `10.0.0.0/8, fd12::/16, 127.0.0.1`.
 * @param reportProblem called with a message for each entry that is not a network
 */
export function readPrivateNetworks(list: string, reportProblem: (message: string) => void): PrivateNetworks {
  const networks = new BlockList();
  for (const entry of list.split(',').map((part) => part.trim())) {
    if (entry === '') continue;
    const [address = '', bits, ...extra] = entry.split('/');
    const family = isIP(address);
    const maxPrefix = family === 6 ? 128 : 32;
    const prefix = bits === undefined ? maxPrefix : /^\d{1,3}$/.test(bits) ? Number(bits) : Number.NaN;
    if (family === 0 || extra.length > 0 || !(prefix <= maxPrefix)) {
      reportProblem(`"${entry}" is no network such as 10.0.0.0/8`);
      continue;
    }
    networks.addSubnet(address, prefix, family === 6 ? 'ipv6' : 'ipv4');
  }
  return { allow: (address) => networks.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4') };
}
