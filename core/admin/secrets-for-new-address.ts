import { badRequest } from './admin.js';

/** Names of members that contain the addresses of connections, or determine how secure these are. */
const ADDRESS_NAME =
  /(?:^|[._-])(?:url|uri|host|hostname|port|server|endpoint|address|domain)s?$|(?:Url|URL|Uri|URI|Host|Hostname|Port|Server|Endpoint|Address|Domain)s?$|^(?:ssl|tls|startTls|starttls)$/;

/**
 * Requires that a change of an address contains the secrets for it. Otherwise a caller who does not know a stored
 * secret could have it sent to a new address. Stricter than Keycloak.
 * @param keptSecrets the names of the stored secrets that the request does not contain
 * @throws AdminError 400
 */
export function requireSecretsForNewAddress(before: unknown, after: unknown, keptSecrets: readonly string[]): void {
  const newAddress = keptSecrets.length === 0 ? undefined : changedAddress(before, after);
  if (newAddress === undefined) return;
  throw badRequest(
    `${keptSecrets.join(', ')}: must be sent again, as ${newAddress} changes: no secret is kept for another address`,
  );
}

/** The path of an address that has changed; undefined if there is none. */
export function changedAddress(before: unknown, after: unknown): string | undefined {
  const oldAddresses = addressesOf(before);
  const newAddresses = addressesOf(after);
  return [...new Set([...oldAddresses.keys(), ...newAddresses.keys()])].find(
    (name) => oldAddresses.get(name) !== newAddresses.get(name),
  );
}

/** The addresses in a configuration, by their paths. */
export function addressesOf(config: unknown, path = '', addresses = new Map<string, string>()): Map<string, string> {
  if (typeof config !== 'object' || config === null) {
    if (typeof config === 'string' && /^[a-z][a-z0-9+.-]*:\/\//i.test(config)) addresses.set(path, config);
    return addresses;
  }
  for (const [name, value] of Object.entries(config)) {
    const inner = path === '' ? name : `${path}.${name}`;
    // A port may be a number or a string in files, so compare as strings.
    if (ADDRESS_NAME.test(name) && isPlain(value)) addresses.set(inner, JSON.stringify([value].flat().map(String)));
    else addressesOf(value, inner, addresses);
  }
  return addresses;
}

/** True for a string, a number or a boolean, or a list of them. */
function isPlain(value: unknown): boolean {
  return value !== undefined && [value].flat().every((item) => typeof item !== 'object' || item === null);
}
