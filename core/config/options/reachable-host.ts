/** Returns the host in the form that a URL needs, and `localhost` for an address that means “all interfaces”. */
export function reachableHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
}
