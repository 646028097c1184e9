import { REALM_MANAGEMENT_ROLES } from '../../model/built-in-names.js';
import { claimPath } from '../../model/claim-path.js';
import type { ProtocolMapperRepresentation, RealmRepresentation } from '../../model/representation.js';
import { type Role, RoleGraph } from '../../model/roles.js';
import { mappedRole } from '../../realms/mapped-role.js';
import { type Admin, forbidden, isAdminRole } from '../admin.js';

/*
 * A protocol mapper can put administration roles into tokens of users who do not hold them. This host checks the user's
 * own roles, but other readers of its tokens trust the claims. So creating a mapper requires the roles that it emits.
 * The same applies to giving a client, or the realm's new clients, a scope with a mapper of this kind.
 */

/**
 * The administration roles that a mapper emits. `any`: it emits arbitrary values, taken from a user, a session or a
 * group.
 */
type EmittedRoles = readonly Role[] | 'any';
type Realm = Pick<RealmRepresentation, 'realm' | 'roles'>;

/** The claim with bare names of realm and client roles, for applications that do not read `realm_access`. */
const ROLES = 'roles';
const NAMES: readonly string[] = [...REALM_MANAGEMENT_ROLES, 'realm-admin'];

/**
 * Every mapper that can put an administration role into a token, keyed by its position and its configuration. Mappers
 * of another protocol are included: changing their protocol must be checked too.
 */
export function mappersEmittingAdminRoles(
  realm: RealmRepresentation,
): ReadonlyMap<string, ProtocolMapperRepresentation> {
  const graph = new LazyRoles(realm);
  const found = new Map<string, ProtocolMapperRepresentation>();
  /** @returns true if one of the mappers emits an administration role */
  const add = (place: readonly string[], mappers: readonly ProtocolMapperRepresentation[] = []): boolean => {
    const saying = mappers.filter((mapper) => emitsAnyRole(emittedRoles(graph, mapper)));
    for (const mapper of saying) found.set(keyOf(place, mapper), mapper);
    return saying.length > 0;
  };
  for (const client of realm.clients ?? []) {
    add(['client', String(client.clientId), protocolOf(client)], client.protocolMappers);
  }
  const defaults = [...(realm.defaultDefaultClientScopes ?? []), ...(realm.defaultOptionalClientScopes ?? [])];
  for (const scope of realm.clientScopes ?? []) {
    const { name, protocolMappers } = scope;
    if (!add(['client scope', String(name), protocolOf(scope)], protocolMappers)) continue;
    // Making it a default scope already required these roles; anyone may create the clients that then get it.
    if (defaults.includes(String(name))) add(['default client scope', String(name)], protocolMappers);
    else
      for (const client of realm.clients ?? []) {
        const { clientId, defaultClientScopes = [], optionalClientScopes = [] } = client;
        if ([...defaultClientScopes, ...optionalClientScopes].includes(String(name)))
          add(['scope of client', String(clientId), protocolOf(client), String(name)], protocolMappers);
      }
  }
  return found;
}

/**
 * Names may contain any character, and two mappers may share an ID. So the key is the position and the configuration.
 */
function keyOf(place: readonly string[], mapper: ProtocolMapperRepresentation): string {
  const { protocolMapper, config = {} } = mapper;
  return JSON.stringify([
    place,
    protocolOf(mapper),
    protocolMapper,
    Object.entries(config).sort(([a], [b]) => (a < b ? -1 : 1)),
  ]);
}

function protocolOf({ protocol = 'openid-connect' }: { readonly protocol?: string }): string {
  return protocol;
}

/** @throws HostError 403 if a mapper emits a role that it did not emit before, and that the caller lacks */
export function requireCoversEmittedRoles(
  admin: Pick<Admin, 'covers' | 'isRealmAdmin'>,
  before: ReadonlyMap<string, ProtocolMapperRepresentation>,
  after: RealmRepresentation,
): void {
  const graph = new LazyRoles(after);
  for (const [place, mapper] of mappersEmittingAdminRoles(after)) {
    if (before.has(place)) continue;
    const said = emittedRoles(graph, mapper);
    const isCovered = said === 'any' ? admin.isRealmAdmin(after.realm) : admin.covers({ name: after.realm }, said);
    if (!isCovered) throw forbidden();
  }
}

function emitsAnyRole(said: EmittedRoles): boolean {
  return said === 'any' || said.length > 0;
}

function emittedRoles(realm: LazyRoles, { protocolMapper, config = {} }: ProtocolMapperRepresentation): EmittedRoles {
  const { role, 'new.role.name': renamed, 'claim.name': claim, 'claim.value': value } = config;
  if (protocolMapper === 'oidc-hardcoded-role-mapper') return realm.adminRolesOf(role);
  if (protocolMapper === 'oidc-role-name-mapper') return realm.adminRolesOf(renamed);
  if (!claim) return [];
  // Without a configured client, a mapper emits roles for every client, so also for `realm-management`.
  const client = config['usermodel.clientRoleMapping.clientId'] || 'realm-management';
  const named = claim.replaceAll('${client_id}', client);
  const path = claimPath(named);
  if (protocolMapper === 'oidc-hardcoded-claim-mapper') return rightsIn(realm, path, value ?? '');
  return realm.isRoleClaim(path) && !emitsOnlyHeldRoles(protocolMapper, claim, config) ? 'any' : [];
}

/** True for role mappers in Keycloak's default configuration, which emit only roles that users hold. */
function emitsOnlyHeldRoles(protocolMapper: string, claim: string, config: Readonly<Record<string, string>>): boolean {
  const ofClient = config['usermodel.clientRoleMapping.clientId'];
  switch (protocolMapper) {
    case 'oidc-usermodel-realm-role-mapper':
      return ['realm_access.roles', ROLES].includes(claim) && !config['usermodel.realmRoleMapping.rolePrefix'];
    case 'oidc-usermodel-client-role-mapper': {
      const isOwn = ofClient ? claim === `resource_access.${ofClient}.roles` : false;
      const isPlain = ['resource_access.${client_id}.roles', ROLES].includes(claim) || isOwn;
      return isPlain && !config['usermodel.clientRoleMapping.rolePrefix'];
    }
    default:
      return false;
  }
}

/** The administration rights among the roles in a claim with this value. */
function rightsIn(realm: LazyRoles, path: readonly string[], text: string): Role[] {
  const [first = '', ...rest] = path;
  if (!['realm_access', 'resource_access', ROLES].includes(first)) return [];
  const value = parsed(text);
  if (first === ROLES) {
    return textsIn(value).flatMap((name) => [
      ...realm.adminRolesOf(name),
      ...(NAMES.includes(name) ? realm.adminRolesOf(`realm-management.${name}`) : []),
    ]);
  }
  if (first === 'realm_access') return textsIn(value).flatMap((name) => realm.adminRolesOf(name));
  const [client] = rest;
  const all = typeof value === 'object' && value !== null ? value : {};
  const ofClients = client === undefined ? Object.entries(all) : [[client, value] as const];
  return ofClients.flatMap(([clientId, inner]) =>
    textsIn(inner).flatMap((name) => realm.adminRolesOf(`${clientId}.${name}`)),
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Every string in a value at any depth, split at commas. */
function textsIn(value: unknown): string[] {
  const texts: string[] = [];
  const rest = [value];
  // Iterative, because JSON in a setting may be nested arbitrarily deep.
  while (rest.length > 0) {
    const part = rest.pop();
    if (typeof part === 'string') for (const one of part.split(',')) texts.push(one.trim());
    else if (typeof part === 'object' && part !== null) for (const inner of Object.values(part)) rest.push(inner);
  }
  return texts;
}

/** The roles of a realm, compiled only if a mapper names one. */
class LazyRoles {
  readonly #realm: Realm;
  #roles: RoleGraph | undefined;

  constructor(realm: Realm) {
    this.#realm = realm;
  }

  isRoleClaim([first, clientId]: readonly string[]): boolean {
    const ofMaster = isAdminRole({ name: this.#realm.realm }, { name: 'admin', clientId: undefined });
    if (first === ROLES) return true;
    if (first === 'realm_access') return ofMaster;
    if (first !== 'resource_access') return false;
    return clientId === undefined || isAdminRole({ name: this.#realm.realm }, { name: 'any', clientId });
  }

  /** The rights that a named role carries. A role of a realm's client in `master` need not be stored. */
  adminRolesOf(name: string | undefined): Role[] {
    if (!name) return [];
    this.#roles ??= new RoleGraph(this.#realm.roles);
    const realm = { name: this.#realm.realm };
    const dot = name.lastIndexOf('.');
    const unstored = { clientId: dot > 0 ? name.slice(0, dot) : undefined, name: name.slice(dot + 1), composites: [] };
    const role = mappedRole({ roles: this.#roles }, name) ?? unstored;
    return [...RoleGraph.expand([role])].filter((one) => isAdminRole(realm, one));
  }
}
