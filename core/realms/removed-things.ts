import { BUILT_IN_CLIENTS, BUILT_IN_SCOPES } from '../config/realm-names.js';
import type { GroupRepresentation, RealmRepresentation, RoleRepresentation } from '../model/representation.js';

/** What a merge removed, by name. */
interface Removed {
  readonly clients: ReadonlySet<string>;
  readonly realmRoles: ReadonlySet<string>;
  /** `client role`, both encoded. */
  readonly clientRoles: ReadonlySet<string>;
  readonly scopes: ReadonlySet<string>;
  /** Paths. */
  readonly groups: ReadonlySet<string>;
}

type RoleLists = Record<string, string[]>;

/**
 * The realm without what refers to things that it had before: an edit may have put a role of the file into a group of its
 * own, and the file then dropped the role. As in Keycloak, what refers to a removed thing goes with it. What a file may
 * name without declaring it stays.
 */
export function withoutRemoved(after: RealmRepresentation, before: RealmRepresentation): RealmRepresentation {
  const removed = removedThings(before, after);
  if (Object.values(removed).every((names: ReadonlySet<string>) => names.size === 0)) return after;
  const left = <T>(list: readonly T[] | undefined, isGone: (item: T) => boolean) =>
    list?.filter((item) => !isGone(item));
  const roleLists = (lists: RoleLists | undefined) =>
    lists &&
    Object.fromEntries(
      Object.entries(lists)
        .filter(([client]) => !removed.clients.has(client))
        .map(([client, roles]) => [client, roles.filter((role) => !removed.clientRoles.has(clientRole(client, role)))]),
    );
  const realmRoles = (roles: string[] | undefined) => left(roles, (role) => removed.realmRoles.has(role));
  const role = (item: RoleRepresentation): RoleRepresentation =>
    set(item, {
      composites:
        item.composites &&
        set(item.composites, { realm: realmRoles(item.composites.realm), client: roleLists(item.composites.client) }),
    });
  const group = (item: GroupRepresentation): GroupRepresentation =>
    set(item, {
      realmRoles: realmRoles(item.realmRoles),
      clientRoles: roleLists(item.clientRoles),
      subGroups: item.subGroups?.map(group),
    });
  const scopes = (names: string[] | undefined) => left(names, (name) => removed.scopes.has(name));
  type Mapping = { client?: string; clientScope?: string; roles: string[] };
  const mappings = (list: Mapping[] | undefined, kept: (role: string) => boolean) =>
    left(list, ({ client = '', clientScope = '' }) => removed.clients.has(client) || removed.scopes.has(clientScope))
      ?.map((mapping) => ({ ...mapping, roles: mapping.roles.filter(kept) }))
      .filter(({ roles }) => roles.length > 0);
  const ofClients = Object.entries(after.roles?.client ?? {}).filter(([client]) => !removed.clients.has(client));
  return set(after, {
    roles: after.roles && {
      ...after.roles,
      ...(after.roles.realm === undefined ? {} : { realm: after.roles.realm.map(role) }),
      client: Object.fromEntries(ofClients.map(([client, list]) => [client, list.map(role)])),
    },
    defaultRole: after.defaultRole && role(after.defaultRole),
    groups: after.groups?.map(group),
    defaultGroups: left(after.defaultGroups, (path) => removed.groups.has(path)),
    defaultDefaultClientScopes: scopes(after.defaultDefaultClientScopes),
    defaultOptionalClientScopes: scopes(after.defaultOptionalClientScopes),
    scopeMappings: mappings(after.scopeMappings, (name) => !removed.realmRoles.has(name)),
    clientScopeMappings:
      after.clientScopeMappings &&
      Object.fromEntries(
        Object.entries(after.clientScopeMappings)
          .filter(([client]) => !removed.clients.has(client))
          .map(([client, list]) => [
            client,
            mappings(list, (name) => !removed.clientRoles.has(clientRole(client, name))) ?? [],
          ]),
      ),
    clients: after.clients?.map((client) =>
      set(client, {
        defaultClientScopes: scopes(client.defaultClientScopes),
        optionalClientScopes: scopes(client.optionalClientScopes),
        impersonation:
          client.impersonation &&
          set(client.impersonation, {
            audiences: left(client.impersonation.audiences, (audience) => removed.clients.has(audience)),
          }),
      }),
    ),
  });
}

/** The object with these members, without those that are undefined. */
function set<T extends object>(item: T, members: { [K in keyof T]?: T[K] | undefined }): T {
  const known = Object.entries(members).filter(([, value]) => value !== undefined);
  return { ...item, ...Object.fromEntries(known) };
}

function removedThings(before: RealmRepresentation, after: RealmRepresentation): Removed {
  const gone = (names: (realm: RealmRepresentation) => readonly string[], builtIn: readonly string[] = []) => {
    const left = new Set([...names(after), ...builtIn]);
    return new Set(names(before).filter((name) => !left.has(name)));
  };
  return {
    clients: gone(({ clients = [] }) => clients.map(({ clientId }) => clientId), BUILT_IN_CLIENTS),
    realmRoles: gone(({ roles }) => (roles?.realm ?? []).map(({ name }) => name)),
    clientRoles: gone(({ roles }) =>
      Object.entries(roles?.client ?? {}).flatMap(([client, list]) => list.map(({ name }) => clientRole(client, name))),
    ),
    scopes: gone(({ clientScopes = [] }) => clientScopes.map(({ name }) => name), BUILT_IN_SCOPES),
    groups: gone(({ groups = [] }) => groups.flatMap((group) => paths(group, ''))),
  };
}

function paths({ name, subGroups = [] }: GroupRepresentation, parent: string): string[] {
  const path = `${parent}/${name}`;
  return [path, ...subGroups.flatMap((group) => paths(group, path))];
}

function clientRole(client: string, role: string): string {
  return `${encodeURIComponent(client)} ${encodeURIComponent(role)}`;
}
