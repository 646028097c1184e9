/**
 * The network of an address, by which login attempts are counted. It is the IPv4 address itself, or the /64 of an
 * IPv6 address, the smallest network that providers assign.
 */
export function networkOfAddress(ip: string): string {
  if (!ip.includes(':')) return ip;
  const [head = '', tail] = ip.split('::');
  const before = head.split(':');
  const after = tail === undefined ? [] : tail.split(':');
  const zeros = Array.from({ length: Math.max(0, 8 - before.length - after.length) }, () => '0');
  return [...before, ...zeros, ...after].slice(0, 4).join(':');
}
