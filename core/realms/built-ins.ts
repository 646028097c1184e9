import { randomUUID } from 'node:crypto';
import { BUILT_IN_CLIENT_ROLES, REALM_MANAGEMENT_ROLES } from '../model/built-in-names.js';
import { MASTER_REALM } from '../model/realm.js';
import type { ClientRepresentation, RealmRepresentation, RoleRepresentation } from '../model/representation.js';
import { BUILT_IN_CLIENT_SCOPES, DEFAULT_CLIENT_SCOPES, OPTIONAL_CLIENT_SCOPES } from './built-in-client-scopes.js';

/** Roles that contain others, as in Keycloak. */
const COMPOSITES: Readonly<Record<string, readonly string[]>> = {
  'view-clients': ['query-clients'],
  'view-users': ['query-groups', 'query-users'],
  'realm-admin': REALM_MANAGEMENT_ROLES,
};

const BUILT_IN_CLIENTS: readonly ClientRepresentation[] = [
  { clientId: 'account', publicClient: true, standardFlowEnabled: false, fullScopeAllowed: false },
  { clientId: 'admin-cli', publicClient: true, standardFlowEnabled: false, directAccessGrantsEnabled: true },
  { clientId: 'broker', bearerOnly: true, standardFlowEnabled: false },
  { clientId: 'realm-management', bearerOnly: true, standardFlowEnabled: false },
];

/**
 * The representation with everything that Keycloak gives a realm by itself: ids, built-in clients with their roles,
 * the default role, the default client scopes. What the file says stays as it is.
 * @param previous the realm as it is stored: its ids are kept
 */
export function withBuiltIns(representation: RealmRepresentation, previous?: RealmRepresentation): RealmRepresentation {
  const realm: RealmRepresentation = { ...representation, id: representation.id ?? previous?.id ?? randomUUID() };
  const declared = realm.clientScopes ?? [];
  const declaredNames = new Set(declared.map(({ name }) => name));
  const left = BUILT_IN_CLIENT_SCOPES.filter(({ name }) => !declaredNames.has(name));
  const scopes = [...structuredClone(left), ...declared];
  realm.clientScopes = withIds(scopes, previous?.clientScopes, ({ name }) => name);
  realm.defaultDefaultClientScopes ??= [...DEFAULT_CLIENT_SCOPES];
  realm.defaultOptionalClientScopes ??= [...OPTIONAL_CLIENT_SCOPES];
  const clients = [...(realm.clients ?? [])];
  for (const builtIn of BUILT_IN_CLIENTS) {
    if (!clients.some(({ clientId }) => clientId === builtIn.clientId)) clients.push({ ...builtIn });
  }
  realm.clients = withIds(clients, previous?.clients, ({ clientId }) => clientId);
  realm.roles = withBuiltInRoles(realm, previous);
  return realm;
}

function withBuiltInRoles(realm: RealmRepresentation, previous?: RealmRepresentation): RealmRepresentation['roles'] {
  const defaultRole = realm.defaultRole?.name ?? `default-roles-${realm.realm.toLowerCase()}`;
  const ofRealm = [...(realm.roles?.realm ?? [])];
  const addRealmRole = (role: RoleRepresentation) => {
    if (!ofRealm.some(({ name }) => name === role.name)) ofRealm.push(role);
  };
  addRealmRole({ name: 'offline_access' });
  addRealmRole({ name: 'uma_authorization' });
  addRealmRole({
    name: defaultRole,
    composite: true,
    composites: {
      realm: ['offline_access', 'uma_authorization'],
      client: { account: ['view-profile', 'manage-account'] },
    },
  });
  if (realm.realm === MASTER_REALM) {
    addRealmRole({ name: 'create-realm' });
    addRealmRole({
      name: 'admin',
      composite: true,
      composites: { realm: ['create-realm'], client: { 'realm-management': ['realm-admin'] } },
    });
  }
  const ofClients: Record<string, RoleRepresentation[]> = { ...realm.roles?.client };
  for (const [clientId, names] of Object.entries(BUILT_IN_CLIENT_ROLES)) {
    const roles = [...(ofClients[clientId] ?? [])];
    for (const name of names) {
      if (roles.some((role) => role.name === name)) continue;
      const contained = COMPOSITES[name];
      roles.push(
        contained === undefined
          ? { name }
          : { name, composite: true, composites: { client: { [clientId]: [...contained] } } },
      );
    }
    ofClients[clientId] = roles;
  }
  for (const [clientId, roles] of Object.entries(ofClients)) {
    ofClients[clientId] = withIds(roles, previous?.roles?.client?.[clientId], ({ name }) => name);
  }
  return { ...realm.roles, realm: withIds(ofRealm, previous?.roles?.realm, ({ name }) => name), client: ofClients };
}

/** Gives an id to what has none: the one it had before, else a new one. */
function withIds<T extends { id?: string }>(
  items: readonly T[],
  before: readonly T[] | undefined,
  key: (item: T) => string,
): T[] {
  const known = new Map((before ?? []).map((item) => [key(item), item.id]));
  return items.map((item) => (item.id === undefined ? { ...item, id: known.get(key(item)) ?? randomUUID() } : item));
}
