import type { RealmRepresentation } from '../../model/representation.js';
import { type Role, RoleGraph } from '../../model/roles.js';
import { type RoleWithClient, rolesOf } from '../roles/role-with-client.js';
import type { ScopeOwner } from '../scope-holders.js';

type Mapping = NonNullable<RealmRepresentation['scopeMappings']>[number];

/** The mapped roles of a client or client scope: realm roles (`clientId` undefined) or the roles of one client. */
export function mappedRoles(
  realm: RealmRepresentation,
  held: ScopeOwner,
  clientId: string | undefined,
): RoleWithClient[] {
  const names = new Set(
    mappingsOf(realm, clientId)
      .filter((mapping) => mapping[held.kind] === held.name)
      .flatMap(({ roles }) => roles),
  );
  return rolesOf(realm, clientId)
    .filter(({ name }) => names.has(name))
    .map((role) => ({ clientId, role }));
}

/** The client IDs whose roles are mapped. */
export function mappedClientIds(realm: RealmRepresentation, held: ScopeOwner): string[] {
  return Object.entries(realm.clientScopeMappings ?? {})
    .filter(([, mappings]) => mappings.some((mapping) => mapping[held.kind] === held.name))
    .map(([clientId]) => clientId);
}

/**
 * Returns a predicate: may tokens of that client or client scope contain a role (Keycloak's `hasScope`)? Such roles are
 * mapped, or contained in a mapped role. A client also allows its own roles, and with `fullScopeAllowed` every role.
 */
export function scopeFilter(realm: RealmRepresentation, held: ScopeOwner): (placed: RoleWithClient) => boolean {
  if (held.hasFullScope) return () => true;
  const graph = new RoleGraph(realm.roles);
  const found = (clientId: string | undefined, names: readonly string[]): Role[] =>
    clientId === undefined ? graph.find(names) : graph.find([], { [clientId]: names });
  const places = [undefined, ...mappedClientIds(realm, held)];
  const direct = places.flatMap((clientId) =>
    found(
      clientId,
      mappedRoles(realm, held, clientId).map(({ role }) => role.name),
    ),
  );
  if (held.kind === 'client') direct.push(...(graph.clients.get(held.name)?.values() ?? []));
  const all = RoleGraph.expand(direct);
  return ({ clientId, role }) => found(clientId, [role.name]).some((one) => all.has(one));
}

/** Maps a role to a client or client scope. */
export function mapRole(
  draft: RealmRepresentation,
  held: ScopeOwner,
  { clientId, role: { name } }: RoleWithClient,
): void {
  const mappings = mappingsOf(draft, clientId);
  const own = mappings.find((mapping) => mapping[held.kind] === held.name);
  if (own === undefined) setMappings(draft, clientId, [...mappings, { [held.kind]: held.name, roles: [name] }]);
  else own.roles = [...new Set([...own.roles, name])];
}

export function unmapRole(
  draft: RealmRepresentation,
  held: ScopeOwner,
  { clientId, role: { name } }: RoleWithClient,
): void {
  const mappings = mappingsOf(draft, clientId).map((mapping) =>
    mapping[held.kind] === held.name ? { ...mapping, roles: mapping.roles.filter((other) => other !== name) } : mapping,
  );
  setMappings(
    draft,
    clientId,
    mappings.filter(({ roles }) => roles.length > 0),
  );
}

function mappingsOf(realm: RealmRepresentation, clientId: string | undefined): readonly Mapping[] {
  if (clientId === undefined) return realm.scopeMappings ?? [];
  const ofClients = realm.clientScopeMappings ?? {};
  return Object.hasOwn(ofClients, clientId) ? (ofClients[clientId] ?? []) : [];
}

function setMappings(draft: RealmRepresentation, clientId: string | undefined, mappings: Mapping[]): void {
  if (clientId === undefined) draft.scopeMappings = mappings;
  else draft.clientScopeMappings = { ...draft.clientScopeMappings, [clientId]: mappings };
}
