import type { Client } from '../model/client.js';

/** An address of a client's attribute, which may stand below its root; undefined when it is no http address. */
export function applicationAddress(client: Client, attribute: string): string | undefined {
  const given = client.attributes[attribute] ?? '';
  const address = given.startsWith('/') ? `${client.rootUrl}${given}` : given;
  return /^https?:\/\//i.test(address) && URL.canParse(address) ? address : undefined;
}
