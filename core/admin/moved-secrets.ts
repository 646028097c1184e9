import { badRequest } from './admin.js';

/** Names of members that say where a configuration connects to, or how safely. */
const ADDRESS_NAME =
  /(?:^|[._-])(?:url|uri|host|hostname|port|server|endpoint|address|domain)s?$|(?:Url|URL|Uri|URI|Host|Hostname|Port|Server|Endpoint|Address|Domain)s?$|^(?:ssl|tls|startTls|starttls)$/;

/**
 * A secret that nobody sees, kept while the address beside it changes, would be told to whoever is at the new address.
 * So who changes an address sends the secret again. Stricter than Keycloak.
 * @param kept the names of the secrets that stay as they are
 * @throws AdminError 400
 */
export function refuseMovedSecrets(before: unknown, after: unknown, kept: readonly string[]): void {
  const changed = kept.length === 0 ? undefined : movedAddress(before, after);
  if (changed === undefined) return;
  throw badRequest(
    `${kept.join(', ')}: must be sent again, as ${changed} changes: no secret is kept for another address`,
  );
}

/** The path of an address that is another one afterwards. */
export function movedAddress(before: unknown, after: unknown): string | undefined {
  const [were, are] = [addressesOf(before), addressesOf(after)];
  return [...new Set([...were.keys(), ...are.keys()])].find((name) => were.get(name) !== are.get(name));
}

/** Where a configuration connects to: values by their path. */
export function addressesOf(config: unknown, path = '', found = new Map<string, string>()): Map<string, string> {
  if (typeof config !== 'object' || config === null) {
    if (typeof config === 'string' && /^[a-z][a-z0-9+.-]*:\/\//i.test(config)) found.set(path, config);
    return found;
  }
  for (const [name, value] of Object.entries(config)) {
    const inner = path === '' ? name : `${path}.${name}`;
    // A port is the same as a number and as a text: files have either.
    if (ADDRESS_NAME.test(name) && isPlain(value)) found.set(inner, JSON.stringify([value].flat().map(String)));
    else addressesOf(value, inner, found);
  }
  return found;
}

/** A text, a number, a switch, or a list of them. */
function isPlain(value: unknown): boolean {
  return value !== undefined && [value].flat().every((one) => typeof one !== 'object' || one === null);
}
