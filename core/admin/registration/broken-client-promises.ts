import { unusedClientAuthenticators } from '../../config/settings/unused-client-authenticators.js';
import { brokenPromises, unusedSettings } from '../../config/settings/unused-settings.js';
import type { ClientRepresentation } from '../../model/representation.js';
import { invalidMetadata } from './client-metadata.js';

/**
 * A client that registers in Keycloak's own words must not believe in a protection that Keyhost does not have, as one that
 * registers in those of RFC 7591 (`brokenPromise`). What an admin gave it before stays.
 * @throws OAuthError 400 `invalid_client_metadata`
 */
export function refuseBrokenPromises(client: ClientRepresentation, before?: ClientRepresentation): void {
  const known = new Set(before === undefined ? [] : promisesOf(before));
  const broken = promisesOf(client).find((promise) => !known.has(promise));
  if (broken !== undefined) throw invalidMetadata(broken);
}

/** Settings of the client that are kept and do nothing. */
export function unusedOf(client: ClientRepresentation): string[] {
  return unusedSettings(realmOf(client)).map(({ path }) => String(path.at(-1)));
}

function promisesOf(client: ClientRepresentation): string[] {
  const realm = realmOf(client);
  return [...brokenPromises(realm), ...unusedClientAuthenticators(realm)].map(
    ({ path, message }) => `${path.at(-1)}: ${message}`,
  );
}

function realmOf(client: ClientRepresentation) {
  return { realm: '', clients: [client] };
}
