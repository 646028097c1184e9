import type { MapperModel } from '../model/client-scope.js';
import type { Realm } from '../model/realm.js';
import type { RoleNames } from '../model/roles.js';

const ROLE_NAME_MAPPER = 'oidc-role-name-mapper';
const HARDCODED_ROLE_MAPPER = 'oidc-hardcoded-role-mapper';

type RoleKey = Readonly<{ clientId: string | undefined; name: string }>;

/**
 * Applies the role mappers (Keycloak's RoleNameMapper and HardcodedRole) for all mappers that write roles into tokens.
 * First roles are renamed in the order of the realm file, then roles are added. This changes tokens only and grants no
 * rights: this host checks the roles that its users hold.
 */
export function applyRoleMappers(realm: Realm, roles: RoleNames, mappers: readonly MapperModel[]): RoleNames {
  const namesByClient = new Map<string | undefined, Set<string>>([[undefined, new Set(roles.realm)]]);
  for (const [clientId, names] of Object.entries(roles.clients)) namesByClient.set(clientId, new Set(names));
  const add = ({ clientId, name }: RoleKey) => {
    const names = namesByClient.get(clientId);
    if (names === undefined) namesByClient.set(clientId, new Set([name]));
    else names.add(name);
  };
  for (const { providerId, config } of mappers) {
    const { role, 'new.role.name': newName } = config;
    if (providerId !== ROLE_NAME_MAPPER || !role || !newName) continue;
    const oldRole = roleKeyOf(realm, role);
    if (namesByClient.get(oldRole.clientId)?.delete(oldRole.name) === true) add(roleKeyOf(realm, newName));
  }
  for (const { providerId, config } of mappers) {
    if (providerId === HARDCODED_ROLE_MAPPER && config.role) add(roleKeyOf(realm, config.role));
  }
  const clients = [...namesByClient].flatMap(([clientId, names]): [string, readonly string[]][] =>
    clientId === undefined || names.size === 0 ? [] : [[clientId, Object.freeze([...names])]],
  );
  return Object.freeze({
    realm: Object.freeze([...(namesByClient.get(undefined) ?? [])]),
    clients: Object.freeze(Object.fromEntries(clients)),
  });
}

/** The mappers of a selection that change the roles in tokens. */
export function roleMappers(mappers: readonly MapperModel[]): readonly MapperModel[] {
  return mappers.filter(({ providerId }) => providerId === ROLE_NAME_MAPPER || providerId === HARDCODED_ROLE_MAPPER);
}

/**
 * Splits `clientId.role` at the longest client ID that exists. If there is none, a realm role may have the dot in its
 * name. If there is no such role either, the last dot separates, as in Keycloak (parseRole), so tokens may contain
 * roles of clients that do not exist.
 */
function roleKeyOf({ clients, roles }: Realm, text: string): RoleKey {
  for (let dot = text.lastIndexOf('.'); dot > 0; dot = text.lastIndexOf('.', dot - 1)) {
    const clientId = text.slice(0, dot);
    if (clients.has(clientId)) return { clientId, name: text.slice(dot + 1) };
  }
  const dot = text.lastIndexOf('.');
  if (dot < 1 || roles.find([text]).length > 0) return { clientId: undefined, name: text };
  return { clientId: text.slice(0, dot), name: text.slice(dot + 1) };
}
