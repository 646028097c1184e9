import type { MapperModel } from '../model/client-scope.js';
import type { Realm } from '../model/realm.js';
import type { RoleNames } from '../model/roles.js';

const RENAME = 'oidc-role-name-mapper';
const HARDCODED = 'oidc-hardcoded-role-mapper';

type Place = Readonly<{ clientId: string | undefined; name: string }>;

/**
 * Applies the role mappers for all mappers that show roles (Keycloak's RoleNameMapper and HardcodedRole). First roles
 * are renamed in the order of the realm file, then roles are added. This changes tokens only and grants no rights: this
 * host checks the roles that its users hold.
 */
export function applyRoleMappers(realm: Realm, roles: RoleNames, mappers: readonly MapperModel[]): RoleNames {
  const all = new Map<string | undefined, Set<string>>([[undefined, new Set(roles.realm)]]);
  for (const [clientId, names] of Object.entries(roles.clients)) all.set(clientId, new Set(names));
  const add = ({ clientId, name }: Place) => {
    const names = all.get(clientId);
    if (names === undefined) all.set(clientId, new Set([name]));
    else names.add(name);
  };
  for (const { providerId, config } of mappers) {
    const { role, 'new.role.name': renamed } = config;
    if (providerId !== RENAME || !role || !renamed) continue;
    const from = placeOf(realm, role);
    if (all.get(from.clientId)?.delete(from.name) === true) add(placeOf(realm, renamed));
  }
  for (const { providerId, config } of mappers) {
    if (providerId === HARDCODED && config.role) add(placeOf(realm, config.role));
  }
  const clients = [...all].flatMap(([clientId, names]): [string, readonly string[]][] =>
    clientId === undefined || names.size === 0 ? [] : [[clientId, Object.freeze([...names])]],
  );
  return Object.freeze({
    realm: Object.freeze([...(all.get(undefined) ?? [])]),
    clients: Object.freeze(Object.fromEntries(clients)),
  });
}

/** The mappers of a selection that change which roles are shown. */
export function roleMappers(mappers: readonly MapperModel[]): readonly MapperModel[] {
  return mappers.filter(({ providerId }) => providerId === RENAME || providerId === HARDCODED);
}

/**
 * Splits `clientId.role` by the longest client ID that exists. Otherwise a realm role may have the dot in its name.
 * Otherwise the last dot separates, as in Keycloak (parseRole), so tokens may show roles of clients that do not exist.
 */
function placeOf({ clients, roles }: Realm, text: string): Place {
  for (let dot = text.lastIndexOf('.'); dot > 0; dot = text.lastIndexOf('.', dot - 1)) {
    const clientId = text.slice(0, dot);
    if (clients.has(clientId)) return { clientId, name: text.slice(dot + 1) };
  }
  const dot = text.lastIndexOf('.');
  if (dot < 1 || roles.find([text]).length > 0) return { clientId: undefined, name: text };
  return { clientId: text.slice(0, dot), name: text.slice(dot + 1) };
}
