import type { RealmRepresentation } from '../../../model/representation.js';
import { type MigratingRealm, type Migration, requestsScopes } from './migration.js';

type Kind = 'default' | 'optional';

/** The client scopes that releases of Keycloak added or renamed. Without them, tokens lack standard claims. */
export const SCOPE_MIGRATIONS: readonly Migration[] = [
  { release: '4.0.0', migrate: replaceSpaces },
  { release: '4.0.0', migrate: addOfflineAccess },
  { release: '4.0.0', migrate: showClientsOnConsentPage },
  {
    release: '4.6.0',
    migrate(migrating) {
      giveScope(migrating, 'roles', 'default');
      giveScope(migrating, 'web-origins', 'default');
    },
  },
  { release: '6.0.0', migrate: (migrating) => giveScope(migrating, 'microprofile-jwt', 'optional') },
  { release: '18.0.0', migrate: (migrating) => giveNewScope(migrating, 'acr') },
  { release: '25.0.0', migrate: (migrating) => giveNewScope(migrating, 'basic') },
];

function giveNewScope(migrating: MigratingRealm, name: string): void {
  if (lacksScope(migrating.realm, name)) giveScope(migrating, name, 'default');
}

/**
 * True if the file declares client scopes, and not this one. A file without `clientScopes` gets Keycloak's default
 * scopes.
 */
function lacksScope({ clientScopes }: RealmRepresentation, name: string): boolean {
  return clientScopes !== undefined && !clientScopes.some((scope) => scope.name === name);
}

/** Adds the scope to the clients that list their scopes and, if the file does not declare it, to the realm's list. */
function giveScope(migrating: MigratingRealm, name: string, kind: Kind): void {
  const { realm } = migrating;
  const [ofRealm, ofClient] =
    kind === 'default'
      ? (['defaultDefaultClientScopes', 'defaultClientScopes'] as const)
      : (['defaultOptionalClientScopes', 'optionalClientScopes'] as const);
  const isNew = lacksScope(realm, name);
  if (isNew && realm[ofRealm]?.includes(name) === false) realm[ofRealm]?.push(name);
  const changedClients = (realm.clients ?? []).filter((client) => {
    const { defaultClientScopes: defaultScopes, optionalClientScopes: optionalScopes } = client;
    if (!requestsScopes(client) || (defaultScopes ?? optionalScopes) === undefined) return false;
    if (defaultScopes?.includes(name) || optionalScopes?.includes(name)) return false;
    client[ofClient] = [...(client[ofClient] ?? []), name];
    return true;
  });
  if (isNew)
    migrating.recordConversion(['clientScopes'], `the client scope ${name} is added to the realm and its clients`);
  else if (changedClients.length > 0) {
    const names = changedClients.map(({ clientId }) => clientId).join(', ');
    migrating.recordConversion(['clients'], `the client scope ${name} is added to ${names}`);
  }
}

/**
 * Replaces spaces in the names of client scopes, since the parameter `scope` separates names by spaces (RFC 6749 §3.3).
 */
function replaceSpaces(migrating: MigratingRealm): void {
  const { realm } = migrating;
  const withoutSpaces = (name: string) => name.replaceAll(' ', '_');
  for (const [index, scope] of (realm.clientScopes ?? []).entries()) {
    if (!scope.name.includes(' ')) continue;
    scope.name = withoutSpaces(scope.name);
    migrating.recordConversion(['clientScopes', index, 'name'], `the name is ${JSON.stringify(scope.name)}`);
  }
  for (const key of ['defaultDefaultClientScopes', 'defaultOptionalClientScopes'] as const) {
    if (realm[key] !== undefined) realm[key] = realm[key].map(withoutSpaces);
  }
  for (const client of realm.clients ?? []) {
    for (const key of ['defaultClientScopes', 'optionalClientScopes'] as const) {
      if (client[key] !== undefined) client[key] = client[key].map(withoutSpaces);
    }
  }
  for (const mapping of [...(realm.scopeMappings ?? []), ...Object.values(realm.clientScopeMappings ?? {}).flat()]) {
    if (mapping.clientScope !== undefined) mapping.clientScope = withoutSpaces(mapping.clientScope);
  }
}

const OFFLINE = 'offline_access';

/**
 * Adds the optional client scope for offline tokens. Before Keycloak 4, only the role of the same name allowed them.
 */
function addOfflineAccess(migrating: MigratingRealm): void {
  const { realm } = migrating;
  const mapsOfflineRole =
    (clientId: string) =>
    ({ client, roles }: { client?: string; roles: string[] }) =>
      client === clientId && roles.includes(OFFLINE);
  for (const [index, client] of (realm.clients ?? []).entries()) {
    const { clientId, defaultClientScopes: defaultScopes, optionalClientScopes: optionalScopes } = client;
    // The realm decides which scopes a client without lists may request.
    if (!requestsScopes(client) || (defaultScopes ?? optionalScopes) === undefined || optionalScopes?.includes(OFFLINE))
      continue;
    const hasFullScope = client.fullScopeAllowed ?? client.consentRequired !== true;
    const mapped = (realm.scopeMappings ?? []).filter(mapsOfflineRole(clientId));
    if (!hasFullScope && mapped.length === 0) continue;
    client.optionalClientScopes = [...(optionalScopes ?? []), OFFLINE];
    if (!hasFullScope) for (const mapping of mapped) mapping.roles = mapping.roles.filter((role) => role !== OFFLINE);
    migrating.recordConversion(['clients', index], `the client may ask for the scope ${OFFLINE}`);
  }
}

/** Names the client itself on its consent page if it has no default client scopes to consent to. */
function showClientsOnConsentPage(migrating: MigratingRealm): void {
  for (const [index, client] of (migrating.realm.clients ?? []).entries()) {
    if (client.consentRequired !== true || client.defaultClientScopes?.length !== 0) continue;
    client.attributes = {
      ...client.attributes,
      'display.on.consent.screen': 'true',
      'consent.screen.text': client.name ?? client.clientId,
    };
    migrating.recordConversion(['clients', index], 'the consent page names the client');
  }
}
