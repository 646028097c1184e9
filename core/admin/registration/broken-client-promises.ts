import { formatPath } from '../../config/json/json-document.js';
import { checkSettings } from '../../config/realm-file/settings-checks.js';
import { unusedClientAuthenticators } from '../../config/settings/unused-client-authenticators.js';
import { brokenPromises, unusedSettings } from '../../config/settings/unused-settings.js';
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
export function refuseBrokenPromises(
  client: ClientRepresentation,
  { schemas }: Pick<ClientAuthenticators, 'schemas'>,
  before?: ClientRepresentation,
): void {
  const known = new Set(before === undefined ? [] : promisesOf(before, schemas));
  const broken = promisesOf(client, schemas).find((promise) => !known.has(promise));
  if (broken !== undefined) throw invalidMetadata(broken);
}

/** Settings of the client that are stored without effect. */
export function unusedOf(client: ClientRepresentation): string[] {
  return unusedSettings(realmOf(client)).map(({ path }) => formatPath(path.slice(2)));
}

function promisesOf(client: ClientRepresentation, schemas: Schemas): string[] {
  const realm = realmOf(client);
  const found = [...brokenPromises(realm), ...unusedClientAuthenticators(realm, new Set(schemas.map(({ id }) => id)))];
  checkSettings(realm, schemas, (path, message) => void found.push({ path, message }), true);
  return found.map(({ path, message }) => `${path.at(-1)}: ${message}`);
}

function realmOf(client: ClientRepresentation) {
  return { realm: '', clients: [client] };
}
