import type {
  ClientRepresentation,
  GroupRepresentation,
  RealmRepresentation,
  RoleRepresentation,
} from '../../model/representation.js';
import { clientResponse } from '../clients/client-response.js';
import type { StoredClient } from '../clients/find-client.js';
import { fullGroup } from '../groups/group-representation.js';
import { type GroupWithPath, withPath } from '../groups/group-with-path.js';
import { createRoleConverter } from '../roles/role-with-client.js';

type Roles = NonNullable<RealmRepresentation['roles']>;
type Mappings = NonNullable<RealmRepresentation['scopeMappings']>;

/** Roles as in Keycloak's export: the members of the API, and the names of their composites. */
export function exportedRoles(realm: RealmRepresentation): Roles {
  const toView = createRoleConverter(realm);
  const exportAll = (clientId: string | undefined, roles: readonly RoleRepresentation[] = []) =>
    roles.map((role) => {
      const exportedRole = toView({ clientId, role }) as RoleRepresentation;
      return exportedRole.composite === true ? { ...exportedRole, composites: exportedComposites(role) } : exportedRole;
    });
  const { realm: realmRoles, client = {} } = realm.roles ?? {};
  const clientRoles = Object.entries(client).map(
    ([clientId, roles]) => [clientId, exportAll(clientId, roles)] as const,
  );
  return { realm: exportAll(undefined, realmRoles), client: Object.fromEntries(clientRoles) };
}

function exportedComposites({ composites: { realm = [], client = {} } = {} }: RoleRepresentation) {
  const clientComposites = Object.entries(client).filter(([, names]) => names.length > 0);
  return {
    ...(realm.length > 0 ? { realm } : {}),
    ...(clientComposites.length > 0 ? { client: Object.fromEntries(clientComposites) } : {}),
  };
}

/** Clients as in Keycloak's API, without the caller's rights. */
export function exportedClients(realm: RealmRepresentation): ClientRepresentation[] {
  return (realm.clients ?? []).map((client) => {
    const { access: _, ...exported } = clientResponse(realm, client as StoredClient, true);
    return exported as ClientRepresentation;
  });
}

/** Groups with their paths and subgroups. */
export function exportedGroups({ groups = [] }: RealmRepresentation): GroupRepresentation[] {
  const exportAll = (
    siblings: readonly GroupRepresentation[],
    parent: GroupWithPath | undefined,
  ): GroupRepresentation[] =>
    siblings.map((group) => {
      const entry = withPath(group, parent);
      return { ...group, ...fullGroup(entry), subGroups: exportAll(group.subGroups ?? [], entry) };
    });
  return exportAll(groups, undefined);
}

/**
 * Returns non-empty scope mappings, those of clients first; undefined if there are none. Keycloak leaves out the others
 * too.
 */
export function exportedMappings({
  scopeMappings,
  clientScopeMappings = {},
}: Pick<RealmRepresentation, 'scopeMappings' | 'clientScopeMappings'>) {
  const exportMappings = (mappings: Mappings = []) => {
    const nonEmpty = mappings.filter(({ roles = [] }) => roles.length > 0);
    const isOfScope = ({ client }: Mappings[number]) => client === undefined;
    return nonEmpty.length === 0
      ? undefined
      : [...nonEmpty.filter((mapping) => !isOfScope(mapping)), ...nonEmpty.filter(isOfScope)];
  };
  const clientMappings = Object.entries(clientScopeMappings).flatMap(([clientId, mappings]) => {
    const exported = exportMappings(mappings);
    return exported === undefined ? [] : [[clientId, exported] as const];
  });
  return {
    scopeMappings: exportMappings(scopeMappings),
    clientScopeMappings: clientMappings.length === 0 ? undefined : Object.fromEntries(clientMappings),
  };
}

/** Client scopes, without empty mapper lists. */
export function exportedScopes({ clientScopes }: RealmRepresentation): RealmRepresentation['clientScopes'] {
  return clientScopes?.map(({ protocolMappers, ...scope }) => ({
    ...scope,
    ...(protocolMappers !== undefined && protocolMappers.length > 0 ? { protocolMappers } : {}),
  }));
}
