import { REALM_MANAGEMENT_ROLES } from '../../model/built-in-names.js';
import { claimPath } from '../../model/claim-path.js';
import type { ProtocolMapperRepresentation, RealmRepresentation } from '../../model/representation.js';
import { type Role, RoleGraph } from '../../model/roles.js';
import { mappedRole } from '../../realms/mapped-role.js';
import { type Admin, forbiddenError, isAdminRole } from '../admin.js';

/*
 * A protocol mapper can put administration roles into tokens of users who do not have them. This host checks the user's
 * own roles, but other consumers of its tokens trust the claims. So creating a mapper requires the roles that it emits.
 * The same applies to giving a client, or the realm's new clients, a scope with such mappers.
 */

/**
 * The administration roles that a mapper emits. `any` means arbitrary values, taken from a user, a session or a group.
 */
type EmittedRoles = readonly Role[] | 'any';
type Realm = Pick<RealmRepresentation, 'realm' | 'roles'>;

/** The claim with the plain names of realm and client roles, for applications that do not read `realm_access`. */
const ROLES_CLAIM = 'roles';
const ADMIN_ROLE_NAMES: readonly string[] = [...REALM_MANAGEMENT_ROLES, 'realm-admin'];

/**
 * Returns every mapper that can put an administration role into a token. The key is the mapper's position and its
 * configuration. Mappers of another protocol are included, because changing their protocol must be checked too.
 */
export function mappersEmittingAdminRoles(
  realm: RealmRepresentation,
): ReadonlyMap<string, ProtocolMapperRepresentation> {
  const graph = new LazyRoles(realm);
  const emitting = new Map<string, ProtocolMapperRepresentation>();
  /** @returns true if one of the mappers emits an administration role */
  const addEmitting = (position: readonly string[], mappers: readonly ProtocolMapperRepresentation[] = []): boolean => {
    const matches = mappers.filter((mapper) => emitsAnyRole(emittedRoles(graph, mapper)));
    for (const mapper of matches) emitting.set(keyOf(position, mapper), mapper);
    return matches.length > 0;
  };
  for (const client of realm.clients ?? []) {
    addEmitting(['client', String(client.clientId), protocolOf(client)], client.protocolMappers);
  }
  const defaults = [...(realm.defaultDefaultClientScopes ?? []), ...(realm.defaultOptionalClientScopes ?? [])];
  for (const scope of realm.clientScopes ?? []) {
    const { name, protocolMappers } = scope;
    if (!addEmitting(['client scope', String(name), protocolOf(scope)], protocolMappers)) continue;
    // Making the scope a default one already required these roles, and anyone may create the clients that then get it.
    if (defaults.includes(String(name))) addEmitting(['default client scope', String(name)], protocolMappers);
    else
      for (const client of realm.clients ?? []) {
        const { clientId, defaultClientScopes = [], optionalClientScopes = [] } = client;
        if ([...defaultClientScopes, ...optionalClientScopes].includes(String(name)))
          addEmitting(['scope of client', String(clientId), protocolOf(client), String(name)], protocolMappers);
      }
  }
  return emitting;
}

/**
 * The key of a mapper: its position and its configuration. Names may contain any character, and two mappers may share
 * an ID.
 */
function keyOf(position: readonly string[], mapper: ProtocolMapperRepresentation): string {
  const { protocolMapper, config = {} } = mapper;
  return JSON.stringify([
    position,
    protocolOf(mapper),
    protocolMapper,
    Object.entries(config).sort(([a], [b]) => (a < b ? -1 : 1)),
  ]);
}

function protocolOf({ protocol = 'openid-connect' }: { readonly protocol?: string }): string {
  return protocol;
}

/**
 * Checks new mappers.
 * @throws HostError 403 if a mapper emits a role that it did not emit before, and that the caller lacks
 */
export function requireRightsOfEmittedRoles(
  admin: Pick<Admin, 'covers' | 'isRealmAdmin'>,
  before: ReadonlyMap<string, ProtocolMapperRepresentation>,
  after: RealmRepresentation,
): void {
  const graph = new LazyRoles(after);
  for (const [key, mapper] of mappersEmittingAdminRoles(after)) {
    if (before.has(key)) continue;
    const emitted = emittedRoles(graph, mapper);
    const isCovered =
      emitted === 'any' ? admin.isRealmAdmin(after.realm) : admin.covers({ name: after.realm }, emitted);
    if (!isCovered) throw forbiddenError();
  }
}

function emitsAnyRole(emitted: EmittedRoles): boolean {
  return emitted === 'any' || emitted.length > 0;
}

function emittedRoles(realm: LazyRoles, { protocolMapper, config = {} }: ProtocolMapperRepresentation): EmittedRoles {
  const { role, 'new.role.name': newName, 'claim.name': claim, 'claim.value': value } = config;
  if (protocolMapper === 'oidc-hardcoded-role-mapper') return realm.adminRolesOf(role);
  if (protocolMapper === 'oidc-role-name-mapper') return realm.adminRolesOf(newName);
  if (!claim) return [];
  // Without a configured client, a mapper emits the roles of every client, including `realm-management`.
  const client = config['usermodel.clientRoleMapping.clientId'] || 'realm-management';
  const claimName = claim.replaceAll('${client_id}', client);
  const path = claimPath(claimName);
  if (protocolMapper === 'oidc-hardcoded-claim-mapper') return adminRolesIn(realm, path, value ?? '');
  return realm.isRoleClaim(path) && !emitsOnlyHeldRoles(protocolMapper, claim, config) ? 'any' : [];
}

/** True for role mappers in Keycloak's default configuration, which emit only roles that their users have. */
function emitsOnlyHeldRoles(protocolMapper: string, claim: string, config: Readonly<Record<string, string>>): boolean {
  const clientId = config['usermodel.clientRoleMapping.clientId'];
  switch (protocolMapper) {
    case 'oidc-usermodel-realm-role-mapper':
      return ['realm_access.roles', ROLES_CLAIM].includes(claim) && !config['usermodel.realmRoleMapping.rolePrefix'];
    case 'oidc-usermodel-client-role-mapper': {
      const isClientClaim = clientId ? claim === `resource_access.${clientId}.roles` : false;
      const isDefaultClaim = ['resource_access.${client_id}.roles', ROLES_CLAIM].includes(claim) || isClientClaim;
      return isDefaultClaim && !config['usermodel.clientRoleMapping.rolePrefix'];
    }
    default:
      return false;
  }
}

/** The administration roles that a claim with this value contains. */
function adminRolesIn(realm: LazyRoles, path: readonly string[], text: string): Role[] {
  const [first = '', ...innerPath] = path;
  if (!['realm_access', 'resource_access', ROLES_CLAIM].includes(first)) return [];
  const parsedValue = parseJsonOrText(text);
  if (first === ROLES_CLAIM) {
    return textsIn(parsedValue).flatMap((name) => [
      ...realm.adminRolesOf(name),
      ...(ADMIN_ROLE_NAMES.includes(name) ? realm.adminRolesOf(`realm-management.${name}`) : []),
    ]);
  }
  if (first === 'realm_access') return textsIn(parsedValue).flatMap((name) => realm.adminRolesOf(name));
  const [client] = innerPath;
  const byClient = typeof parsedValue === 'object' && parsedValue !== null ? parsedValue : {};
  const clientEntries = client === undefined ? Object.entries(byClient) : [[client, parsedValue] as const];
  return clientEntries.flatMap(([clientId, inner]) =>
    textsIn(inner).flatMap((name) => realm.adminRolesOf(`${clientId}.${name}`)),
  );
}

function parseJsonOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Returns the strings at any depth of a value, split at commas. */
function textsIn(value: unknown): string[] {
  const texts: string[] = [];
  const pendingValues = [value];
  // Iterative, because JSON in a setting may be nested arbitrarily deep.
  while (pendingValues.length > 0) {
    const part = pendingValues.pop();
    if (typeof part === 'string') for (const text of part.split(',')) texts.push(text.trim());
    else if (typeof part === 'object' && part !== null)
      for (const inner of Object.values(part)) pendingValues.push(inner);
  }
  return texts;
}

/** The roles of a realm, compiled only if a mapper refers to one. */
class LazyRoles {
  readonly #realm: Realm;
  #roles: RoleGraph | undefined;

  constructor(realm: Realm) {
    this.#realm = realm;
  }

  isRoleClaim([first, clientId]: readonly string[]): boolean {
    const isMaster = isAdminRole({ name: this.#realm.realm }, { name: 'admin', clientId: undefined });
    if (first === ROLES_CLAIM) return true;
    if (first === 'realm_access') return isMaster;
    if (first !== 'resource_access') return false;
    return clientId === undefined || isAdminRole({ name: this.#realm.realm }, { name: 'any', clientId });
  }

  /** The administration roles that a role contains. A role of a realm's client in `master` may not be stored yet. */
  adminRolesOf(name: string | undefined): Role[] {
    if (!name) return [];
    this.#roles ??= new RoleGraph(this.#realm.roles);
    const realm = { name: this.#realm.realm };
    const dot = name.lastIndexOf('.');
    const unstored = { clientId: dot > 0 ? name.slice(0, dot) : undefined, name: name.slice(dot + 1), composites: [] };
    const role = mappedRole({ roles: this.#roles }, name) ?? unstored;
    return [...RoleGraph.expand([role])].filter((contained) => isAdminRole(realm, contained));
  }
}
