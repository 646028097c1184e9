import type { JsonObject } from '@keyhost/spi';

const URLS = ['rootUrl', 'baseUrl', 'adminUrl'] as const;

/**
 * What is wrong with the addresses of a client: each whole one is at a trusted host. Those below the root are judged by it.
 * @param trusted names of hosts, and domains such as `*.example.org`, which are of that name themselves too
 * @returns Keycloak's words
 */
export function clientUriMistake(client: JsonObject, trusted: readonly string[]): string | undefined {
  for (const member of URLS) {
    const { [member]: value } = client;
    if (typeof value !== 'string' || value === '' || (member !== 'rootUrl' && value.startsWith('/'))) continue;
    const mistake = mistakeOf('URL', value, trusted);
    if (mistake !== undefined) return mistake;
  }
  const redirects = [client.redirectUris ?? []].flat().map(String);
  return redirects
    .filter((address) => address !== '' && !address.startsWith('/'))
    .map((address) => mistakeOf('URI', address, trusted))
    .find((mistake) => mistake !== undefined);
}

function mistakeOf(what: 'URL' | 'URI', address: string, trusted: readonly string[]): string | undefined {
  if (!URL.canParse(address) || /\s/.test(address)) return `${what} is malformed`;
  // As Keycloak reads it: an address in another spelling is another one, and trusted by nobody.
  const host = /^[^:/?#]+:\/\/(?:[^/?#]*@)?([^/?#:@]*)/.exec(address)?.[1] ?? '';
  const isTrusted = host !== '' && new URL(address).hostname === host && trusted.some((one) => isOf(one, host));
  return isTrusted ? undefined : `${what} doesn't match any trusted host or trusted domain`;
}

/** Whether a host is the one that is trusted, or in the domain that is. */
export function isOf(trusted: string, host: string): boolean {
  if (!trusted.startsWith('*.')) return host === trusted;
  const domain = trusted.slice(2);
  return host === domain || host.endsWith(`.${domain}`);
}
