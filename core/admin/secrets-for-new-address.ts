import { badRequest } from './admin.js';

/** Names of members that contain the addresses of connections, or determine how secure these are. */
const ADDRESS_NAME =
  /(?:^|[._-])(?:url|uri|host|hostname|port|server|endpoint|address|domain)s?$|(?:Url|URL|Uri|URI|Host|Hostname|Port|Server|Endpoint|Address|Domain)s?$|^(?:ssl|tls|startTls|starttls)$/;

/**
 * A stored secret would be sent to a new address although the caller does not know the secret. So a change of the
 * address requires the secret in the same request. Stricter than Keycloak.
 * @param kept the names of the secrets that are not sent
 * @throws AdminError 400
 */
export function requireSecretsForNewAddress(before: unknown, after: unknown, kept: readonly string[]): void {
  const changed = kept.length === 0 ? undefined : changedAddress(before, after);
  if (changed === undefined) return;
  throw badRequest(
    `${kept.join(', ')}: must be sent again, as ${changed} changes: no secret is kept for another address`,
  );
}

/** The path of an address that has changed. */
export function changedAddress(before: unknown, after: unknown): string | undefined {
  const were = addressesOf(before);
  const are = addressesOf(after);
  return [...new Set([...were.keys(), ...are.keys()])].find((name) => were.get(name) !== are.get(name));
}

/** The addresses that a configuration connects to, by their paths. */
export function addressesOf(config: unknown, path = '', found = new Map<string, string>()): Map<string, string> {
  if (typeof config !== 'object' || config === null) {
    if (typeof config === 'string' && /^[a-z][a-z0-9+.-]*:\/\//i.test(config)) found.set(path, config);
    return found;
  }
  for (const [name, value] of Object.entries(config)) {
    const inner = path === '' ? name : `${path}.${name}`;
    // A port may be a number or a string in files, so compare as strings.
    if (ADDRESS_NAME.test(name) && isPlain(value)) found.set(inner, JSON.stringify([value].flat().map(String)));
    else addressesOf(value, inner, found);
  }
  return found;
}

/** A string, a number, a boolean, or a list of them. */
function isPlain(value: unknown): boolean {
  return value !== undefined && [value].flat().every((one) => typeof one !== 'object' || one === null);
}
