import type { Client } from './client.js';

/** The client's base URL, or else its root URL, as a member of this name; nothing if it is not safe to link to. */
export function linkToClient<N extends string>(name: N, client: Client | undefined): { readonly [K in N]?: string } {
  const url = client?.baseUrl || client?.rootUrl;
  return url === undefined || !/^https?:\/\//i.test(url) ? {} : ({ [name]: url } as { [K in N]: string });
}
