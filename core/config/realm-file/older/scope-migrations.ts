import type { RealmRepresentation } from '../../../model/representation.js';
import { asksForScopes, type MigratingRealm, type Migration } from './migration.js';

type Kind = 'default' | 'optional';

/** The client scopes that releases of Keycloak added. Without them, tokens lack standard claims. */
export const SCOPE_MIGRATIONS: readonly Migration[] = [
  { release: '4.0.0', migrate: renameScopes },
  { release: '4.0.0', migrate: offlineAccess },
  { release: '4.0.0', migrate: consentOfClients },
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
  if (lacks(migrating.realm, name)) giveScope(migrating, name, 'default');
}

/** True if the file declares client scopes without this one. A file without `clientScopes` gets Keycloak's own. */
function lacks({ clientScopes }: RealmRepresentation, name: string): boolean {
  return clientScopes !== undefined && !clientScopes.some((scope) => scope.name === name);
}

/** Adds the scope to the clients that list their scopes and, if it is new, to the realm's list. */
function giveScope(migrating: MigratingRealm, name: string, kind: Kind): void {
  const { realm } = migrating;
  const [ofRealm, ofClient] =
    kind === 'default'
      ? (['defaultDefaultClientScopes', 'defaultClientScopes'] as const)
      : (['defaultOptionalClientScopes', 'optionalClientScopes'] as const);
  const isNew = lacks(realm, name);
  if (isNew && realm[ofRealm]?.includes(name) === false) realm[ofRealm]?.push(name);
  const given = (realm.clients ?? []).filter((client) => {
    const { defaultClientScopes: always, optionalClientScopes: asked } = client;
    if (!asksForScopes(client) || (always ?? asked) === undefined) return false;
    if (always?.includes(name) || asked?.includes(name)) return false;
    client[ofClient] = [...(client[ofClient] ?? []), name];
    return true;
  });
  if (isNew)
    migrating.recordConversion(['clientScopes'], `the client scope ${name} is added to the realm and its clients`);
  else if (given.length > 0) {
    const names = given.map(({ clientId }) => clientId).join(', ');
    migrating.recordConversion(['clients'], `the client scope ${name} is added to ${names}`);
  }
}

/** Replaces blanks in names of scopes, which are separated by blanks (RFC 6749 §3.3). */
function renameScopes(migrating: MigratingRealm): void {
  const { realm } = migrating;
  const renamed = (name: string) => name.replaceAll(' ', '_');
  for (const [index, scope] of (realm.clientScopes ?? []).entries()) {
    if (!scope.name.includes(' ')) continue;
    scope.name = renamed(scope.name);
    migrating.recordConversion(['clientScopes', index, 'name'], `the name is ${JSON.stringify(scope.name)}`);
  }
  for (const key of ['defaultDefaultClientScopes', 'defaultOptionalClientScopes'] as const) {
    if (realm[key] !== undefined) realm[key] = realm[key].map(renamed);
  }
  for (const client of realm.clients ?? []) {
    for (const key of ['defaultClientScopes', 'optionalClientScopes'] as const) {
      if (client[key] !== undefined) client[key] = client[key].map(renamed);
    }
  }
  for (const mapping of [...(realm.scopeMappings ?? []), ...Object.values(realm.clientScopeMappings ?? {}).flat()]) {
    if (mapping.clientScope !== undefined) mapping.clientScope = renamed(mapping.clientScope);
  }
}

const OFFLINE = 'offline_access';

/** Adds the optional scope for offline tokens, which a role allowed before Keycloak 4. */
function offlineAccess(migrating: MigratingRealm): void {
  const { realm } = migrating;
  const maps =
    (clientId: string) =>
    ({ client, roles }: { client?: string; roles: string[] }) =>
      client === clientId && roles.includes(OFFLINE);
  for (const [index, client] of (realm.clients ?? []).entries()) {
    const { clientId, defaultClientScopes: always, optionalClientScopes: asked } = client;
    // The realm decides which scopes a client without lists may request.
    if (!asksForScopes(client) || (always ?? asked) === undefined || asked?.includes(OFFLINE)) continue;
    const isFull = client.fullScopeAllowed ?? client.consentRequired !== true;
    const mapped = (realm.scopeMappings ?? []).filter(maps(clientId));
    if (!isFull && mapped.length === 0) continue;
    client.optionalClientScopes = [...(asked ?? []), OFFLINE];
    if (!isFull) for (const mapping of mapped) mapping.roles = mapping.roles.filter((role) => role !== OFFLINE);
    migrating.recordConversion(['clients', index], `the client may ask for the scope ${OFFLINE}`);
  }
}

/** Shows the client itself on the consent page if it has no scopes to consent to. */
function consentOfClients(migrating: MigratingRealm): void {
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
