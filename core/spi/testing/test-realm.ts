import { pbkdf2Sync, randomBytes } from 'node:crypto';
import type { JsonObject } from '../json-schema.js';
import type { Plugin, ProviderDefinition } from '../plugin.js';
import { type EnabledValues, realmConfigOf, settingsOf } from './enabled-settings.js';
import { record } from './realm-parts.js';
import { ENABLERS, enableInProviders } from './realm-switches.js';

/** A client of `testRealm` with all flows enabled: code flow, password grant, service account. */
export const APP = { client_id: 'app', client_secret: 'app-secret' } as const;

/** Hashes a password with a single iteration: the password is public, and a start must not wait for a slow hash. */
function toCredential(value: string): JsonObject {
  const salt = randomBytes(16);
  const hash = pbkdf2Sync(value, salt, 1, 32, 'sha256');
  return {
    type: 'password',
    secretData: JSON.stringify({ value: hash.toString('base64'), salt: salt.toString('base64') }),
    credentialData: JSON.stringify({ algorithm: 'pbkdf2-sha256', hashIterations: 1, additionalParameters: {} }),
  };
}

const toUser = (username: string, otherMembers: JsonObject = {}): JsonObject => ({
  username,
  enabled: true,
  email: `${username}@example.test`,
  emailVerified: true,
  firstName: username.slice(0, 1).toUpperCase() + username.slice(1),
  lastName: 'Example',
  credentials: [toCredential(username)],
  ...otherMembers,
});

/**
 * Returns a realm file for tests, with the client `app` and its secret `app-secret`. The users are `alice`, `bob` and
 * `dave` (a realm admin), whose passwords are their usernames. The signature algorithm is ES256, whose keys are quick
 * to generate.
 * @param changes top-level keys to replace, such as `providers`
 */
export function testRealm(name: string, changes: JsonObject = {}): JsonObject {
  return {
    realm: name,
    enabled: true,
    defaultSignatureAlgorithm: 'ES256',
    clients: [
      {
        clientId: APP.client_id,
        secret: APP.client_secret,
        redirectUris: ['http://localhost/*'],
        directAccessGrantsEnabled: true,
        serviceAccountsEnabled: true,
        attributes: { 'pkce.code.challenge.method': 'none' },
      },
    ],
    users: [toUser('alice'), toUser('bob'), toUser('dave', { clientRoles: { 'realm-management': ['realm-admin'] } })],
    ...changes,
  };
}

/**
 * Returns the realm with every provider of the plugins enabled, each by the realm key of its SPI. The realm's own
 * members stay: a flow gets only the steps that no flow names, and a provider's configuration is preserved. Required
 * settings that neither the realm nor `values` has are made up: the `default`, else the first of `examples`, else a
 * value of the type.
 */
export function withEnabled(realm: JsonObject, plugins: readonly Plugin[], values: EnabledValues = {}): JsonObject {
  let result = realm;
  for (const definition of plugins.flatMap(({ providers }) => providers)) {
    const enable = ENABLERS[definition.spi.id] ?? enableInProviders;
    result = { ...result, ...enable(result, definition, settingsOf(definition, values)) };
    result = withRealmConfig(result, definition, values);
  }
  return result;
}

/**
 * Returns the realm with the configuration of a provider in its `providers`, if the provider needs one or `values` has
 * it.
 */
export function withRealmConfig(realm: JsonObject, definition: ProviderDefinition, values: EnabledValues): JsonObject {
  const { spi, id } = definition;
  const providers = record(realm.providers);
  const ofSpi = record(providers[spi.id]);
  const entry = record(ofSpi[id]);
  const config = realmConfigOf(definition, values, entry.config as JsonObject | undefined);
  if (config === undefined) return realm;
  return { ...realm, providers: { ...providers, [spi.id]: { ...ofSpi, [id]: { ...entry, config } } } };
}
