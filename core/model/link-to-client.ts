import type { Client } from './client.js';

/** The client's own address, or else its root, as a member of that name, where it is one that a page may link to. */
export function linkToClient<N extends string>(name: N, client: Client | undefined): { readonly [K in N]?: string } {
  const url = client?.baseUrl || client?.rootUrl;
  return url === undefined || !/^https?:\/\//i.test(url) ? {} : ({ [name]: url } as { [K in N]: string });
}
