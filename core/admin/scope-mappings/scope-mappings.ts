import type { RealmRepresentation } from '../../model/representation.js';
import { type Role, RoleGraph } from '../../model/roles.js';
import { type RoleWithClient, rolesOf } from '../roles/role-with-client.js';
import type { ScopeOwner } from '../scope-owners.js';

type Mapping = NonNullable<RealmRepresentation['scopeMappings']>[number];

/** The mapped roles of a client or client scope: realm roles (`clientId` undefined) or the roles of one client. */
export function mappedRoles(
  realm: RealmRepresentation,
  owner: ScopeOwner,
  clientId: string | undefined,
): RoleWithClient[] {
  const names = new Set(
    mappingsOf(realm, clientId)
      .filter((mapping) => mapping[owner.kind] === owner.name)
      .flatMap(({ roles }) => roles),
  );
  return rolesOf(realm, clientId)
    .filter(({ name }) => names.has(name))
    .map((role) => ({ clientId, role }));
}

/** The client IDs of clients that have mapped roles. */
export function mappedClientIds(realm: RealmRepresentation, owner: ScopeOwner): string[] {
  return Object.entries(realm.clientScopeMappings ?? {})
    .filter(([, mappings]) => mappings.some((mapping) => mapping[owner.kind] === owner.name))
    .map(([clientId]) => clientId);
}

/**
 * Returns a predicate that is true for roles that tokens of the client, or with the client scope, may contain
 * (Keycloak's `hasScope`). They may contain the mapped roles, and the roles that these contain. A client also allows
 * its own roles, and with `fullScopeAllowed` every role.
 */
export function createScopeFilter(realm: RealmRepresentation, owner: ScopeOwner): (role: RoleWithClient) => boolean {
  if (owner.hasFullScope) return () => true;
  const graph = new RoleGraph(realm.roles);
  const findRoles = (clientId: string | undefined, names: readonly string[]): Role[] =>
    clientId === undefined ? graph.find(names) : graph.find([], { [clientId]: names });
  const containers = [undefined, ...mappedClientIds(realm, owner)];
  const direct = containers.flatMap((clientId) =>
    findRoles(
      clientId,
      mappedRoles(realm, owner, clientId).map(({ role }) => role.name),
    ),
  );
  if (owner.kind === 'client') direct.push(...(graph.clients.get(owner.name)?.values() ?? []));
  const scope = RoleGraph.expand(direct);
  return ({ clientId, role }) => findRoles(clientId, [role.name]).some((candidate) => scope.has(candidate));
}

/** Maps a role to a client or client scope. */
export function mapRole(
  draft: RealmRepresentation,
  owner: ScopeOwner,
  { clientId, role: { name } }: RoleWithClient,
): void {
  const mappings = mappingsOf(draft, clientId);
  const existingMapping = mappings.find((mapping) => mapping[owner.kind] === owner.name);
  if (existingMapping === undefined)
    setMappings(draft, clientId, [...mappings, { [owner.kind]: owner.name, roles: [name] }]);
  else existingMapping.roles = [...new Set([...existingMapping.roles, name])];
}

export function unmapRole(
  draft: RealmRepresentation,
  owner: ScopeOwner,
  { clientId, role: { name } }: RoleWithClient,
): void {
  const mappings = mappingsOf(draft, clientId).map((mapping) =>
    mapping[owner.kind] === owner.name
      ? { ...mapping, roles: mapping.roles.filter((other) => other !== name) }
      : mapping,
  );
  setMappings(
    draft,
    clientId,
    mappings.filter(({ roles }) => roles.length > 0),
  );
}

function mappingsOf(realm: RealmRepresentation, clientId: string | undefined): readonly Mapping[] {
  if (clientId === undefined) return realm.scopeMappings ?? [];
  const clientMappings = realm.clientScopeMappings ?? {};
  return Object.hasOwn(clientMappings, clientId) ? (clientMappings[clientId] ?? []) : [];
}

function setMappings(draft: RealmRepresentation, clientId: string | undefined, mappings: Mapping[]): void {
  if (clientId === undefined) draft.scopeMappings = mappings;
  else draft.clientScopeMappings = { ...draft.clientScopeMappings, [clientId]: mappings };
}
