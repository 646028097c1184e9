import { REALM_MANAGEMENT_ROLES } from '../../model/built-in-names.js';
import { claimPath } from '../../model/claim-path.js';
import type { ProtocolMapperRepresentation, RealmRepresentation } from '../../model/representation.js';
import { type Role, RoleGraph } from '../../model/roles.js';
import { mappedRole } from '../../realms/mapped-role.js';
import { type Admin, forbidden, isAdminRole } from '../admin.js';

/*
 * A protocol mapper can have tokens say rights of administration that their users do not hold. This host goes by what users
 * hold; whoever else reads its tokens goes by what they say. So such a mapper is for who has the rights that it says, and
 * giving a client or the realm's new clients a scope that has one is, too.
 */

/** What a mapper has tokens say; `any`: whatever a user, a session or a group has it say. */
type Said = readonly Role[] | 'any';
type Realm = Pick<RealmRepresentation, 'realm' | 'roles'>;

/** Roles of the realm and of clients by their bare names, as applications that know no `realm_access` are told them. */
const ROLES = 'roles';
const NAMES: readonly string[] = [...REALM_MANAGEMENT_ROLES, 'realm-admin'];

/**
 * Every mapper of the realm that says rights of administration, by where it does and what it is. One of another protocol says
 * nothing, and is one of these all the same: who changes its protocol, or that of where it is, has its rights told.
 */
export function sayingMappers(realm: RealmRepresentation): ReadonlyMap<string, ProtocolMapperRepresentation> {
  const graph = new Lazy(realm);
  const found = new Map<string, ProtocolMapperRepresentation>();
  /** @returns true where one of them says a right */
  const add = (place: readonly string[], mappers: readonly ProtocolMapperRepresentation[] = []): boolean => {
    const saying = mappers.filter((mapper) => saysSomething(saidBy(graph, mapper)));
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
    // Who made it one of all new clients had the right to: those are anybody's to make.
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

/** Names may have any character, and two mappers one id: what is in one place and says the same is the same. */
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

/** @throws HostError 403 where a mapper says a right, and did not before, that the caller does not have */
export function requireCoversSaid(
  admin: Pick<Admin, 'covers' | 'mayEverything'>,
  before: ReadonlyMap<string, ProtocolMapperRepresentation>,
  after: RealmRepresentation,
): void {
  const graph = new Lazy(after);
  for (const [place, mapper] of sayingMappers(after)) {
    if (before.has(place)) continue;
    const said = saidBy(graph, mapper);
    const isCovered = said === 'any' ? admin.mayEverything(after.realm) : admin.covers({ name: after.realm }, said);
    if (!isCovered) throw forbidden();
  }
}

function saysSomething(said: Said): boolean {
  return said === 'any' || said.length > 0;
}

function saidBy(realm: Lazy, { protocolMapper, config = {} }: ProtocolMapperRepresentation): Said {
  const { role, 'new.role.name': renamed, 'claim.name': claim, 'claim.value': value } = config;
  if (protocolMapper === 'oidc-hardcoded-role-mapper') return realm.rights(role);
  if (protocolMapper === 'oidc-role-name-mapper') return realm.rights(renamed);
  if (!claim) return [];
  // For each client, and so for those whose roles are rights.
  const client = config['usermodel.clientRoleMapping.clientId'] || 'realm-management';
  const named = claim.replaceAll('${client_id}', client);
  const path = claimPath(named);
  if (protocolMapper === 'oidc-hardcoded-claim-mapper') return rightsIn(realm, path, value ?? '');
  return realm.isOfRights(path) && !showsHeld(protocolMapper, claim, config) ? 'any' : [];
}

/** Mappers of roles where Keycloak has them show what users hold. */
function showsHeld(protocolMapper: string, claim: string, config: Readonly<Record<string, string>>): boolean {
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

/** The rights among the roles that a claim with this value says. */
function rightsIn(realm: Lazy, path: readonly string[], text: string): Role[] {
  const [first = '', ...rest] = path;
  if (!['realm_access', 'resource_access', ROLES].includes(first)) return [];
  const value = parsed(text);
  if (first === ROLES) {
    return textsIn(value).flatMap((name) => [
      ...realm.rights(name),
      ...(NAMES.includes(name) ? realm.rights(`realm-management.${name}`) : []),
    ]);
  }
  if (first === 'realm_access') return textsIn(value).flatMap((name) => realm.rights(name));
  const [client] = rest;
  const all = typeof value === 'object' && value !== null ? value : {};
  const ofClients = client === undefined ? Object.entries(all) : [[client, value] as const];
  return ofClients.flatMap(([clientId, inner]) =>
    textsIn(inner).flatMap((name) => realm.rights(`${clientId}.${name}`)),
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Every text in a value, however deep, and every part of a list that is written with commas. */
function textsIn(value: unknown): string[] {
  const texts: string[] = [];
  const rest = [value];
  // No recursion: JSON within a setting has no limit of depth.
  while (rest.length > 0) {
    const part = rest.pop();
    if (typeof part === 'string') for (const one of part.split(',')) texts.push(one.trim());
    else if (typeof part === 'object' && part !== null) for (const inner of Object.values(part)) rest.push(inner);
  }
  return texts;
}

/** The roles of a realm, looked at only where a mapper names one. */
class Lazy {
  readonly #realm: Realm;
  #roles: RoleGraph | undefined;

  constructor(realm: Realm) {
    this.#realm = realm;
  }

  isOfRights([first, clientId]: readonly string[]): boolean {
    const ofMaster = isAdminRole({ name: this.#realm.realm }, { name: 'admin', clientId: undefined });
    if (first === ROLES) return true;
    if (first === 'realm_access') return ofMaster;
    if (first !== 'resource_access') return false;
    return clientId === undefined || isAdminRole({ name: this.#realm.realm }, { name: 'any', clientId });
  }

  /** The role of that name, where it carries a right; one of a realm's client in `master` need not be stored. */
  rights(name: string | undefined): Role[] {
    if (!name) return [];
    this.#roles ??= new RoleGraph(this.#realm.roles);
    const realm = { name: this.#realm.realm };
    const dot = name.lastIndexOf('.');
    const unstored = { clientId: dot > 0 ? name.slice(0, dot) : undefined, name: name.slice(dot + 1), composites: [] };
    const role = mappedRole({ roles: this.#roles }, name) ?? unstored;
    return [...RoleGraph.expand([role])].filter((one) => isAdminRole(realm, one));
  }
}
