import type { ClientRepresentation, RealmRepresentation } from '../../model/representation.js';

/**
 * The client with what Keycloak gives a new one that does not say it.
 * @param previous the realm as it is stored
 */
export function withClientDefaults(client: ClientRepresentation, previous?: RealmRepresentation): ClientRepresentation {
  return withConsentScope(withWebOrigins(client, previous), previous);
}

/**
 * The client with the origins of its redirect addresses where it names none: a browser application reads the token
 * endpoint's answers then, as Keycloak has it for a client that is new.
 * @param previous the realm as it is stored: a client that came into being without goes on without
 */
function withWebOrigins(client: ClientRepresentation, previous?: RealmRepresentation): ClientRepresentation {
  if (client.webOrigins !== undefined || client.redirectUris === undefined) return client;
  const before = clientBefore(client, previous);
  if (before !== undefined && before.webOrigins === undefined) return client;
  return { ...client, webOrigins: originsOf(client.redirectUris) };
}

/** The client without full scope where users are asked for their consent, unless it says otherwise, as Keycloak has a new one. */
function withConsentScope(client: ClientRepresentation, previous?: RealmRepresentation): ClientRepresentation {
  if (client.fullScopeAllowed !== undefined || client.consentRequired !== true) return client;
  const before = clientBefore(client, previous);
  if (before !== undefined && before.fullScopeAllowed === undefined) return client;
  return { ...client, fullScopeAllowed: false };
}

function clientBefore({ id, clientId }: ClientRepresentation, previous: RealmRepresentation | undefined) {
  return previous?.clients?.find((one) => one.clientId === clientId || (id !== undefined && one.id === id));
}

/** `http://app.test` for `http://app.test/*`; addresses below `rootUrl` and those of other schemes have none. */
export function originsOf(redirectUris: readonly string[]): string[] {
  const addresses = redirectUris.filter((uri) => /^https?:/i.test(uri) && URL.canParse(uri));
  return [...new Set(addresses.map((uri) => new URL(uri).origin))];
}
