import type { JsonObject } from '@keyhost/spi';

const URLS = ['rootUrl', 'baseUrl', 'adminUrl'] as const;

/**
 * Checks that each absolute URL of a client has a trusted host. Relative ones are covered by the root URL.
 * @param trusted host names, and domains such as `*.example.org`, which include the domain itself
 * @returns Keycloak's message for the first problem
 */
export function findUriProblem(client: JsonObject, trusted: readonly string[]): string | undefined {
  for (const member of URLS) {
    const { [member]: value } = client;
    if (typeof value !== 'string' || value === '' || (member !== 'rootUrl' && value.startsWith('/'))) continue;
    const problem = findProblem('URL', value, trusted);
    if (problem !== undefined) return problem;
  }
  const redirects = [client.redirectUris ?? []].flat().map(String);
  return redirects
    .filter((address) => address !== '' && !address.startsWith('/'))
    .map((address) => findProblem('URI', address, trusted))
    .find((problem) => problem !== undefined);
}

function findProblem(kind: 'URL' | 'URI', address: string, trusted: readonly string[]): string | undefined {
  if (!URL.canParse(address) || /\s/.test(address)) return `${kind} is malformed`;
  // Parsed like in Keycloak, so a host in a non-canonical spelling is never trusted.
  const host = /^[^:/?#]+:\/\/(?:[^/?#]*@)?([^/?#:@]*)/.exec(address)?.[1] ?? '';
  const isTrusted =
    host !== '' && new URL(address).hostname === host && trusted.some((trustedHost) => matchesHost(trustedHost, host));
  return isTrusted ? undefined : `${kind} doesn't match any trusted host or trusted domain`;
}

/** True if the host is the trusted one, or in the trusted domain. */
export function matchesHost(trusted: string, host: string): boolean {
  if (!trusted.startsWith('*.')) return host === trusted;
  const domain = trusted.slice(2);
  return host === domain || host.endsWith(`.${domain}`);
}
