import { REALM_MANAGEMENT_COMPOSITES, REALM_MANAGEMENT_ROLES } from '../model/built-in-names.js';
import { derivedId } from '../model/derived-id.js';
import type { ClientRepresentation, RealmRepresentation, RoleRepresentation } from '../model/representation.js';

/** Characters of an id that a realm's client and its roles have in common. */
const SHARED = 24;

/**
 * The client in `master` that represents another realm, as Keycloak creates it: its roles are rights over that realm.
 */
export function realmClientOf(realm: string): ClientRepresentation & { readonly id: string } {
  return {
    // The same whenever it is asked for.
    id: derivedId('realm-client', realm),
    clientId: realmClientId(realm),
    name: `${realm} Realm`,
    enabled: true,
    bearerOnly: true,
    standardFlowEnabled: false,
    fullScopeAllowed: false,
    attributes: { realm_client: 'true' },
    defaultClientScopes: [],
    optionalClientScopes: [],
  };
}

/** The last parts of the role IDs, by role. */
const ENDS = new Map(REALM_MANAGEMENT_ROLES.map((name) => [name, derivedId('realm-client-role', name).slice(SHARED)]));

function rolesOf(realm: string): RoleRepresentation[] {
  const shared = derivedId('realm-client', realm).slice(0, SHARED);
  return REALM_MANAGEMENT_ROLES.map((name) => {
    const role = { id: `${shared}${ENDS.get(name)}`, name };
    const contained = REALM_MANAGEMENT_COMPOSITES[name];
    if (contained === undefined) return role;
    return { ...role, composite: true, composites: { client: { [realmClientId(realm)]: [...contained] } } };
  });
}

export function realmClientId(realm: string): string {
  return `${realm}-realm`;
}

/** Equal for the ids of a realm's client and of its roles, and for no other realm's. */
export function realmClientKey(id: string): string {
  return id.slice(0, SHARED);
}

/** The representation of `master` with the missing clients that represent these realms, and their roles. */
export function withRealmClients(master: RealmRepresentation, realms: readonly string[]): RealmRepresentation {
  const known = new Set(master.clients?.map(({ clientId }) => clientId));
  const clients = realms.map(realmClientOf).filter(({ clientId }) => !known.has(clientId));
  const roles = realms.map((realm): [string, RoleRepresentation[]] => {
    const clientId = realmClientId(realm);
    const there = master.roles?.client?.[clientId] ?? [];
    const lacking = rolesOf(realm).filter(({ name }) => !there.some((role) => role.name === name));
    return [clientId, [...there, ...lacking]];
  });
  return {
    ...master,
    clients: [...(master.clients ?? []), ...clients],
    roles: { ...master.roles, client: { ...master.roles?.client, ...Object.fromEntries(roles) } },
  };
}
