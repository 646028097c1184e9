import { defined } from '../../model/defined.js';
import type { RealmRepresentation, RoleRepresentation } from '../../model/representation.js';
import { RoleGraph } from '../../model/roles.js';
import { notFoundError } from '../admin.js';
import { builtInDescription } from './built-in-description.js';

/** A role, and the client to which it belongs. */
export interface RoleWithClient {
  /** Undefined for a realm role. */
  readonly clientId: string | undefined;
  readonly role: RoleRepresentation;
}

/** The stored roles of the realm, or of one of its clients. */
export function rolesOf({ roles }: RealmRepresentation, clientId: string | undefined): readonly RoleRepresentation[] {
  if (clientId === undefined) return roles?.realm ?? [];
  return roles?.client !== undefined && Object.hasOwn(roles.client, clientId) ? (roles.client[clientId] ?? []) : [];
}

export function setRolesOf(
  draft: RealmRepresentation,
  clientId: string | undefined,
  roles: RoleRepresentation[],
): void {
  if (clientId === undefined) draft.roles = { ...draft.roles, realm: roles };
  else draft.roles = { ...draft.roles, client: { ...draft.roles?.client, [clientId]: roles } };
}

/** Finds a role by its name. @throws AdminError 404 */
export function requireRole(draft: RealmRepresentation, clientId: string | undefined, name: string): RoleWithClient {
  const role = rolesOf(draft, clientId).find((candidate) => candidate.name === name);
  if (role === undefined) throw notFoundError('Could not find role');
  return { clientId, role };
}

/** All roles of the realm by ID. */
export function rolesById({ roles }: RealmRepresentation): ReadonlyMap<string, RoleWithClient> {
  const lists: [string | undefined, readonly RoleRepresentation[]][] = [
    [undefined, roles?.realm ?? []],
    ...Object.entries(roles?.client ?? {}),
  ];
  return new Map(
    lists.flatMap(([clientId, list]) =>
      list.map((role): [string, RoleWithClient] => [role.id ?? '', { clientId, role }]),
    ),
  );
}

/** The roles that a role contains directly. */
export function compositesOf(draft: RealmRepresentation, { role }: RoleWithClient): RoleWithClient[] {
  const names = role.composites ?? {};
  const lists: [string | undefined, readonly string[]][] = [
    [undefined, names.realm ?? []],
    ...Object.entries(names.client ?? {}),
  ];
  return lists.flatMap(([clientId, containedNames]) => {
    const set = new Set(containedNames);
    return rolesOf(draft, clientId)
      .filter(({ name }) => set.has(name))
      .map((contained) => ({ clientId, role: contained }));
  });
}

/** Returns a function that finds the compiled role of a representation, for a realm that is not compiled yet. */
export function createRoleLookup(
  draft: RealmRepresentation,
): (roleWithClient: RoleWithClient) => ReturnType<RoleGraph['find']> {
  const graph = new RoleGraph(draft.roles);
  return ({ clientId, role }) =>
    clientId === undefined ? graph.find([role.name]) : graph.find([], { [clientId]: [role.name] });
}

export function isComposite({ composites }: RoleRepresentation): boolean {
  const nameLists = [composites?.realm ?? [], ...Object.values(composites?.client ?? {})];
  return nameLists.some(({ length }) => length > 0);
}

/** Returns a function that converts a role to Keycloak's RoleRepresentation. With `brief`, attributes are left out. */
export function createRoleConverter(
  realm: RealmRepresentation,
): (roleWithClient: RoleWithClient, brief?: boolean) => object {
  const clientUuids = new Map((realm.clients ?? []).map(({ clientId, id }) => [clientId, id]));
  return ({ clientId, role }, brief = false) => {
    const { id, name, description = builtInDescription(realm, { clientId, role }) } = role;
    return {
      id,
      name,
      ...defined({ description }),
      composite: isComposite(role),
      clientRole: clientId !== undefined,
      containerId: clientId === undefined ? realm.id : clientUuids.get(clientId),
      ...(brief ? {} : { attributes: role.attributes ?? {} }),
    };
  };
}

/** True if the name or description contains the text, in upper or lower case. Without a text, everything matches. */
export function roleMatches({ name, description = '' }: RoleRepresentation, search: string | undefined): boolean {
  if (search === undefined) return true;
  const text = search.trim().toLowerCase();
  return name.toLowerCase().includes(text) || description.toLowerCase().includes(text);
}

export const byName = (a: { role: { name: string } }, b: { role: { name: string } }) =>
  a.role.name < b.role.name ? -1 : 1;
