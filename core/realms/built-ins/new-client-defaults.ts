import type { ClientRepresentation, RealmRepresentation } from '../../model/representation.js';

/**
 * Adds the values that Keycloak gives a new client without them.
 * @param previousRealm the stored realm
 */
export function withClientDefaults(
  client: ClientRepresentation,
  previousRealm?: RealmRepresentation,
): ClientRepresentation {
  return withFullScopeDefault(withWebOrigins(client, previousRealm), previousRealm);
}

/**
 * Adds the origins of the redirect URIs to a client without web origins, so that a browser application can read the
 * responses of the token endpoint. Keycloak does the same for a new client.
 * @param previousRealm the stored realm: a client that was created without them stays so
 */
function withWebOrigins(client: ClientRepresentation, previousRealm?: RealmRepresentation): ClientRepresentation {
  if (client.webOrigins !== undefined || client.redirectUris === undefined) return client;
  const before = clientBefore(client, previousRealm);
  if (before !== undefined && before.webOrigins === undefined) return client;
  return { ...client, webOrigins: originsOf(client.redirectUris) };
}

/** Disables full scope for a client that asks users for consent, unless it is set, as Keycloak does for a new one. */
function withFullScopeDefault(client: ClientRepresentation, previousRealm?: RealmRepresentation): ClientRepresentation {
  if (client.fullScopeAllowed !== undefined || client.consentRequired !== true) return client;
  const before = clientBefore(client, previousRealm);
  if (before !== undefined && before.fullScopeAllowed === undefined) return client;
  return { ...client, fullScopeAllowed: false };
}

function clientBefore({ id, clientId }: ClientRepresentation, previousRealm: RealmRepresentation | undefined) {
  return previousRealm?.clients?.find((one) => one.clientId === clientId || (id !== undefined && one.id === id));
}

/**
 * Returns the origins of redirect URIs, such as `http://app.test` for `http://app.test/*`. Relative addresses, and
 * those of other schemes, have none.
 */
export function originsOf(redirectUris: readonly string[]): string[] {
  const addresses = redirectUris.filter((uri) => /^https?:/i.test(uri) && URL.canParse(uri));
  return [...new Set(addresses.map((uri) => new URL(uri).origin))];
}
