import { randomUUID } from 'node:crypto';
import {
  ACCOUNT_CONSOLE,
  BUILT_IN_CLIENT_ROLES,
  DEFAULT_CLIENT_SCOPES,
  DEFAULT_ROLE_COMPOSITES,
  DEFAULT_SAML_SCOPES,
  OPTIONAL_CLIENT_SCOPES,
  REALM_MANAGEMENT_COMPOSITES,
  REALM_MANAGEMENT_ROLES,
} from '../../model/built-in-names.js';
import { defaultRoleName } from '../../model/default-role-name.js';
import { MASTER_REALM } from '../../model/realm.js';
import type {
  GroupRepresentation,
  ProtocolMapperRepresentation,
  RealmRepresentation,
  RoleRepresentation,
} from '../../model/representation.js';
import { withoutBuiltInFlows } from '../flows/running-flows.js';
import { ownComponents } from '../own-components.js';
import { BUILT_IN_CLIENT_SCOPES } from './built-in-client-scopes.js';
import { missingClients } from './built-in-clients.js';
import { withClientDefaults } from './new-client-defaults.js';

const OFFLINE_ACCESS = 'offline_access';

/** Roles that contain others, as in Keycloak. */
const COMPOSITES: Readonly<Record<string, readonly string[]>> = {
  ...REALM_MANAGEMENT_COMPOSITES,
  'realm-admin': REALM_MANAGEMENT_ROLES,
  'manage-account': ['manage-account-links'],
  'manage-consent': ['view-consent'],
};

/**
 * Adds everything that Keycloak adds to each realm: IDs, built-in clients with their roles, the default role, the
 * default client scopes. Other members of the file stay as they are, except for flows that equal the built-in ones,
 * which are removed.
 * @param previousRealm the stored realm, whose IDs are reused
 */
export function withBuiltIns(
  representation: RealmRepresentation,
  previousRealm?: RealmRepresentation,
): RealmRepresentation {
  const realm: RealmRepresentation = withoutBuiltInFlows(representation);
  const declaredScopes = realm.clientScopes ?? [];
  const missingScopes = BUILT_IN_CLIENT_SCOPES.filter(
    ({ name }) => !declaredScopes.some((scope) => scope.name === name),
  );
  realm.clientScopes = [...structuredClone(missingScopes), ...declaredScopes];
  realm.defaultDefaultClientScopes ??= [...DEFAULT_SAML_SCOPES, ...DEFAULT_CLIENT_SCOPES];
  realm.defaultOptionalClientScopes ??= [...OPTIONAL_CLIENT_SCOPES];
  realm.clients = (realm.clients ?? []).map((client) => withClientDefaults(client, previousRealm));
  const hadConsole = realm.clients.some(({ clientId }) => clientId === ACCOUNT_CONSOLE);
  realm.clients.push(...missingClients(realm, previousRealm));
  const isOfflineScopeAdded = missingScopes.some(({ name }) => name === OFFLINE_ACCESS);
  if (isOfflineScopeAdded && (previousRealm === undefined || mapsOffline(previousRealm)))
    realm.scopeMappings = withOfflineScope(realm);
  if (!hadConsole) realm.clientScopeMappings = withConsoleScope(realm.clientScopeMappings);
  realm.roles = { ...realm.roles, realm: builtInRealmRoles(realm), client: builtInClientRoles(realm) };
  const components = ownComponents(realm, previousRealm === undefined);
  if (components !== undefined) realm.components = components;
  return withIds(realm, previousRealm);
}

function mapsOffline({ scopeMappings = [] }: RealmRepresentation): boolean {
  return scopeMappings.some(
    ({ clientScope, roles }) => clientScope === OFFLINE_ACCESS && roles.includes(OFFLINE_ACCESS),
  );
}

/**
 * Adds the scope mapping by which tokens with the scope `offline_access` may contain the role of that name. Callers
 * leave it out for a realm that was created without it.
 */
function withOfflineScope(realm: RealmRepresentation): RealmRepresentation['scopeMappings'] {
  const { scopeMappings = [] } = realm;
  if (scopeMappings.some(({ clientScope }) => clientScope === OFFLINE_ACCESS)) return scopeMappings;
  return [...scopeMappings, { clientScope: OFFLINE_ACCESS, roles: [OFFLINE_ACCESS] }];
}

/** Adds the roles that tokens for the account console may contain. */
function withConsoleScope(mappings: RealmRepresentation['clientScopeMappings']) {
  const roles = ['manage-account', 'view-groups'];
  return { ...mappings, account: [...(ownMember(mappings, 'account') ?? []), { client: ACCOUNT_CONSOLE, roles }] };
}

/**
 * Adds an ID to everything that has none: the one in the stored realm, or else a new one.
 * @param previousRealm the stored realm
 */
export function withIds(representation: RealmRepresentation, previousRealm?: RealmRepresentation): RealmRepresentation {
  const realm: RealmRepresentation = { ...representation, id: representation.id ?? previousRealm?.id ?? randomUUID() };
  const scopes = addIds(realm.clientScopes ?? [], previousRealm?.clientScopes, ({ name }) => name);
  realm.clientScopes = withMapperIds(scopes, previousRealm?.clientScopes);
  const clients = addIds(realm.clients ?? [], previousRealm?.clients, ({ clientId }) => clientId);
  realm.clients = withMapperIds(clients, previousRealm?.clients);
  if (realm.groups !== undefined) realm.groups = withGroupIds(realm.groups, previousRealm?.groups);
  const { realm: realmRoles, client: clientRoles } = realm.roles ?? {};
  realm.roles = {
    ...realm.roles,
    realm: addIds(realmRoles ?? [], previousRealm?.roles?.realm, ({ name }) => name),
    client: Object.fromEntries(
      Object.entries(clientRoles ?? {}).map(([clientId, roles]) => [
        clientId,
        addIds(roles, ownMember(previousRealm?.roles?.client, clientId), ({ name }) => name),
      ]),
    ),
  };
  return realm;
}

/** A client ID may be the name of a member that every object inherits, such as `constructor`. */
function ownMember<T>(record: Readonly<Record<string, T>> | undefined, key: string): T | undefined {
  return record !== undefined && Object.hasOwn(record, key) ? record[key] : undefined;
}

function builtInRealmRoles(realm: RealmRepresentation): RoleRepresentation[] {
  const defaultRole = defaultRoleName(realm);
  const roles = [...(realm.roles?.realm ?? [])];
  const add = (role: RoleRepresentation) => {
    if (!roles.some(({ name }) => name === role.name)) roles.push(role);
  };
  add({ name: OFFLINE_ACCESS });
  add({ name: 'uma_authorization' });
  add({
    name: defaultRole,
    composite: true,
    composites: structuredClone(DEFAULT_ROLE_COMPOSITES),
  });
  if (realm.realm === MASTER_REALM) {
    add({ name: 'create-realm' });
    add({
      name: 'admin',
      composite: true,
      composites: { realm: ['create-realm'], client: { 'realm-management': ['realm-admin'] } },
    });
  }
  return roles;
}

function builtInClientRoles(realm: RealmRepresentation): Record<string, RoleRepresentation[]> {
  const ofClients: Record<string, RoleRepresentation[]> = { ...realm.roles?.client };
  for (const [clientId, names] of Object.entries(BUILT_IN_CLIENT_ROLES)) {
    const roles = [...(ownMember(ofClients, clientId) ?? [])];
    for (const name of names) {
      if (roles.some((role) => role.name === name)) continue;
      const contained = COMPOSITES[name];
      roles.push(
        contained === undefined
          ? { name }
          : { name, composite: true, composites: { client: { [clientId]: [...contained] } } },
      );
    }
    ofClients[clientId] = roles;
  }
  return ofClients;
}

type WithMappers = { id?: string; protocolMappers?: ProtocolMapperRepresentation[] };

function withMapperIds<T extends WithMappers>(holders: readonly T[], before: readonly T[] | undefined): T[] {
  const mappersByHolder = new Map((before ?? []).map((holder) => [holder.id, holder.protocolMappers]));
  return holders.map((holder) => {
    if (holder.protocolMappers === undefined) return holder;
    return {
      ...holder,
      protocolMappers: addIds(holder.protocolMappers, mappersByHolder.get(holder.id), ({ name }) => name),
    };
  });
}

function withGroupIds(
  groups: readonly GroupRepresentation[],
  before: readonly GroupRepresentation[] | undefined,
): GroupRepresentation[] {
  const subGroupsByName = new Map((before ?? []).map((group) => [group.name, group.subGroups]));
  return addIds(groups, before, ({ name }) => name).map((group) =>
    group.subGroups === undefined
      ? group
      : { ...group, subGroups: withGroupIds(group.subGroups, subGroupsByName.get(group.name)) },
  );
}

function addIds<T extends { id?: string }>(
  items: readonly T[],
  before: readonly T[] | undefined,
  key: (item: T) => string,
): T[] {
  const idsByKey = new Map((before ?? []).map((item) => [key(item), item.id]));
  return items.map((item) => (item.id === undefined ? { ...item, id: idsByKey.get(key(item)) ?? randomUUID() } : item));
}
