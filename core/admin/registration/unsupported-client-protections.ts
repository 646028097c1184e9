import { formatPath } from '../../config/json/json-document.js';
import { checkSettings } from '../../config/realm-file/settings-checks.js';
import { ignoredSettings, unsupportedProtections } from '../../config/settings/ignored-settings.js';
import { unknownClientAuthenticators } from '../../config/settings/unknown-client-authenticators.js';
import type { ClientRepresentation } from '../../model/representation.js';
import type { ClientAuthenticators } from './client-authenticators.js';
import { invalidMetadata } from './client-metadata.js';

type Schemas = ClientAuthenticators['schemas'];

/**
 * Rejects a client in Keycloak's representation that requests a protection that Keyhost lacks, like `brokenPromise` for
 * metadata of RFC 7591. The client must contain the settings that its authenticator needs. Settings that an admin made
 * before remain.
 * @throws OAuthError 400 `invalid_client_metadata`
 */
export function refuseUnsupportedProtections(
  client: ClientRepresentation,
  { schemas }: Pick<ClientAuthenticators, 'schemas'>,
  before?: ClientRepresentation,
): void {
  const known = new Set(before === undefined ? [] : unsupportedProtectionsOf(before, schemas));
  const broken = unsupportedProtectionsOf(client, schemas).find((promise) => !known.has(promise));
  if (broken !== undefined) throw invalidMetadata(broken);
}

/** Settings of the client that are stored without effect. */
export function settingsWithoutEffect(client: ClientRepresentation): string[] {
  return ignoredSettings(realmOf(client)).map(({ path }) => formatPath(path.slice(2)));
}

function unsupportedProtectionsOf(client: ClientRepresentation, schemas: Schemas): string[] {
  const realm = realmOf(client);
  const found = [
    ...unsupportedProtections(realm),
    ...unknownClientAuthenticators(realm, new Set(schemas.map(({ id }) => id))),
  ];
  checkSettings(realm, schemas, (path, message) => void found.push({ path, message }), true);
  return found.map(({ path, message }) => `${path.at(-1)}: ${message}`);
}

function realmOf(client: ClientRepresentation) {
  return { realm: '', clients: [client] };
}
