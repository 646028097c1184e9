import { formatPath } from '../../config/json/json-document.js';
import { checkSettings } from '../../config/realm-file/settings-checks.js';
import { ignoredSettings, unsupportedProtections } from '../../config/settings/ignored-settings.js';
import { unknownClientAuthenticators } from '../../config/settings/unknown-client-authenticators.js';
import type { ClientRepresentation } from '../../model/representation.js';
import type { ClientAuthenticators } from './client-authenticators.js';
import { invalidMetadata } from './client-metadata.js';

type Schemas = ClientAuthenticators['schemas'];

/**
 * Rejects a client in Keycloak's representation that requests a protection which Keyhost lacks. For metadata of RFC
 * 7591, `unsupportedProtection` does the same. The client must also contain the settings that its authenticator needs.
 * Settings that the client already had are accepted.
 * @throws OAuthError 400 `invalid_client_metadata`
 */
export function refuseUnsupportedProtections(
  client: ClientRepresentation,
  { schemas }: Pick<ClientAuthenticators, 'schemas'>,
  before?: ClientRepresentation,
): void {
  const previousProtections = new Set(before === undefined ? [] : unsupportedProtectionsOf(before, schemas));
  const unsupported = unsupportedProtectionsOf(client, schemas).find(
    (protection) => !previousProtections.has(protection),
  );
  if (unsupported !== undefined) throw invalidMetadata(unsupported);
}

/** Returns the settings of the client that are stored without effect. */
export function settingsWithoutEffect(client: ClientRepresentation): string[] {
  return ignoredSettings(realmWithClient(client)).map(({ path }) => formatPath(path.slice(2)));
}

function unsupportedProtectionsOf(client: ClientRepresentation, schemas: Schemas): string[] {
  const realm = realmWithClient(client);
  const problems = [
    ...unsupportedProtections(realm),
    ...unknownClientAuthenticators(realm, new Set(schemas.map(({ id }) => id))),
  ];
  checkSettings(realm, schemas, (path, message) => void problems.push({ path, message }), true);
  return problems.map(({ path, message }) => `${path.at(-1)}: ${message}`);
}

function realmWithClient(client: ClientRepresentation) {
  return { realm: '', clients: [client] };
}
