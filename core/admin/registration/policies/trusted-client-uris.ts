import type { JsonObject } from '@keyhost/spi';

const URLS = ['rootUrl', 'baseUrl', 'adminUrl'] as const;

/**
 * Checks the URLs of a client: each absolute one must be at a trusted host. Relative ones are covered by the root URL.
 * @param trusted host names, and domains such as `*.example.org`, which include the name itself
 * @returns Keycloak's message for the first mistake
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
  // Parsed like Keycloak does: a host in a non-canonical spelling is never trusted.
  const host = /^[^:/?#]+:\/\/(?:[^/?#]*@)?([^/?#:@]*)/.exec(address)?.[1] ?? '';
  const isTrusted = host !== '' && new URL(address).hostname === host && trusted.some((one) => isOf(one, host));
  return isTrusted ? undefined : `${what} doesn't match any trusted host or trusted domain`;
}

/** True if a host is the trusted one, or within the trusted domain. */
export function isOf(trusted: string, host: string): boolean {
  if (!trusted.startsWith('*.')) return host === trusted;
  const domain = trusted.slice(2);
  return host === domain || host.endsWith(`.${domain}`);
}
