import { REALM_MANAGEMENT_COMPOSITES, REALM_MANAGEMENT_ROLES } from '../model/built-in-names.js';
import { derivedId } from '../model/derived-id.js';
import type { ClientRepresentation, RealmRepresentation, RoleRepresentation } from '../model/representation.js';

/** The number of characters that the IDs of a realm's client and of its roles share. */
const SHARED_ID_LENGTH = 24;

/**
 * The client in `master` that represents another realm, as Keycloak creates it: its roles are rights over that realm.
 */
export function realmClientOf(realm: string): ClientRepresentation & { readonly id: string } {
  return {
    // Derived, so that it is always the same.
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
const ROLE_ID_ENDS = new Map(
  REALM_MANAGEMENT_ROLES.map((name) => [name, derivedId('realm-client-role', name).slice(SHARED_ID_LENGTH)]),
);

function rolesOf(realm: string): RoleRepresentation[] {
  const sharedPrefix = derivedId('realm-client', realm).slice(0, SHARED_ID_LENGTH);
  return REALM_MANAGEMENT_ROLES.map((name) => {
    const role = { id: `${sharedPrefix}${ROLE_ID_ENDS.get(name)}`, name };
    const containedNames = REALM_MANAGEMENT_COMPOSITES[name];
    if (containedNames === undefined) return role;
    return { ...role, composite: true, composites: { client: { [realmClientId(realm)]: [...containedNames] } } };
  });
}

export function realmClientId(realm: string): string {
  return `${realm}-realm`;
}

/** The name of the realm that a client `<realm>-realm` represents. */
export function realmOfClient(clientId: string): string {
  return clientId.replace(/-realm$/, '');
}

/** Returns the part of an ID that a realm's client shares with its roles, and with nothing of another realm. */
export function realmClientKey(id: string): string {
  return id.slice(0, SHARED_ID_LENGTH);
}

/** Returns the representation of `master`, with the missing clients that represent these realms, and their roles. */
export function withRealmClients(master: RealmRepresentation, realms: readonly string[]): RealmRepresentation {
  const knownClientIds = new Set(master.clients?.map(({ clientId }) => clientId));
  const clients = realms.map(realmClientOf).filter(({ clientId }) => !knownClientIds.has(clientId));
  const roles = realms.map((realm): [string, RoleRepresentation[]] => {
    const clientId = realmClientId(realm);
    const existingRoles = master.roles?.client?.[clientId] ?? [];
    const missingRoles = rolesOf(realm).filter(({ name }) => !existingRoles.some((role) => role.name === name));
    return [clientId, [...existingRoles, ...missingRoles]];
  });
  return {
    ...master,
    clients: [...(master.clients ?? []), ...clients],
    roles: { ...master.roles, client: { ...master.roles?.client, ...Object.fromEntries(roles) } },
  };
}
