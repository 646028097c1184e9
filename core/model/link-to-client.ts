import type { Client } from './client.js';

/**
 * Returns the client's base URL, or else its root URL, as a member with this name; {} if it is not an http or https
 * URL.
 */
export function linkToClient<N extends string>(name: N, client: Client | undefined): { readonly [K in N]?: string } {
  const url = client?.baseUrl || client?.rootUrl;
  return url === undefined || !/^https?:\/\//i.test(url) ? {} : ({ [name]: url } as { [K in N]: string });
}
