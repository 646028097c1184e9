import type {
  ClientRepresentation,
  GroupRepresentation,
  RealmRepresentation,
  RoleRepresentation,
} from '../model/representation.js';
import type { JsonPath } from './json-document.js';
import { didYouMean } from './schema-check.js';

export type Complain = (path: JsonPath, message: string, suggestion?: string) => void;

/** What exists in a realm without being in its file. */
const BUILT_IN_SCOPES = [
  ...['profile', 'email', 'address', 'phone', 'roles', 'web-origins', 'acr', 'basic', 'offline_access'],
  ...['microprofile-jwt', 'organization', 'service_account', 'role_list', 'saml_organization'],
];
const BUILT_IN_CLIENTS = [
  'account',
  'account-console',
  'admin-cli',
  'broker',
  'realm-management',
  'security-admin-console',
];

/** The checks that look across a realm file: names that are used must exist, names that identify must be unique. */
export function checkRealm(realm: RealmRepresentation, complain: Complain): void {
  const names = new RealmNames(realm);
  unique(realm.clients, ({ clientId }) => clientId, ['clients'], 'clientId', 'client', complain);
  unique(realm.clients, ({ id }) => id, ['clients'], 'id', 'client id', complain);
  unique(realm.clientScopes, ({ name }) => name, ['clientScopes'], 'name', 'client scope', complain);
  unique(realm.roles?.realm, ({ name }) => name, ['roles', 'realm'], 'name', 'realm role', complain);
  for (const [clientId, roles] of Object.entries(realm.roles?.client ?? {})) {
    unique(roles, ({ name }) => name, ['roles', 'client', clientId], 'name', `role of ${clientId}`, complain);
  }
  for (const [index, client] of (realm.clients ?? []).entries())
    checkClient(client, ['clients', index], names, complain);
  for (const [index, scope] of (realm.clientScopes ?? []).entries()) {
    if (scope.attributes?.['is.dynamic.scope'] !== 'true') continue;
    const pattern = scope.attributes['dynamic.scope.regexp'];
    if (pattern === undefined || !/^[^\s*]+\*$/.test(pattern)) {
      complain(
        ['clientScopes', index, 'attributes', 'dynamic.scope.regexp'],
        'a dynamic scope needs a pattern such as "read:*"',
      );
    }
  }
  for (const key of ['defaultDefaultClientScopes', 'defaultOptionalClientScopes'] as const) {
    for (const [index, name] of (realm[key] ?? []).entries()) names.scope(name, [key, index], complain);
  }
  for (const [index, role] of (realm.roles?.realm ?? []).entries())
    composites(role, ['roles', 'realm', index], names, complain);
  for (const [clientId, roles] of Object.entries(realm.roles?.client ?? {})) {
    for (const [index, role] of roles.entries())
      composites(role, ['roles', 'client', clientId, index], names, complain);
  }
  for (const [index, group] of (realm.groups ?? []).entries()) checkGroup(group, ['groups', index], names, complain);
  for (const [index, path] of (realm.defaultGroups ?? []).entries())
    names.group(path, ['defaultGroups', index], complain);
}

/** Users: unique names and addresses, and roles and groups that exist. */
export function checkUsers(realm: RealmRepresentation, complain: Complain): void {
  const { users = [] } = realm;
  const names = new RealmNames(realm);
  unique(users, ({ id }) => id, ['users'], 'id', 'user id', complain);
  unique(users, ({ username }) => username.toLowerCase(), ['users'], 'username', 'username', complain);
  if (realm.duplicateEmailsAllowed !== true) {
    unique(users, ({ email }) => email?.toLowerCase() || undefined, ['users'], 'email', 'e-mail address', complain);
  }
  for (const [index, user] of users.entries()) {
    names.roles(user, ['users', index], complain);
    for (const [at, path] of (user.groups ?? []).entries()) names.group(path, ['users', index, 'groups', at], complain);
    const owner = user.serviceAccountClientId;
    if (owner !== undefined) names.client(owner, ['users', index, 'serviceAccountClientId'], complain);
  }
}

/** The names that a realm file may use. */
class RealmNames {
  readonly #scopes: Set<string>;
  readonly #clients: Set<string>;
  readonly #realmRoles: Set<string>;
  readonly #clientRoles: Map<string, Set<string>>;
  readonly #groups = new Set<string>();

  constructor(realm: RealmRepresentation) {
    this.#scopes = new Set([...BUILT_IN_SCOPES, ...(realm.clientScopes ?? []).map(({ name }) => name)]);
    this.#clients = new Set([...BUILT_IN_CLIENTS, ...(realm.clients ?? []).map(({ clientId }) => clientId)]);
    const defaults = [
      'offline_access',
      'uma_authorization',
      `default-roles-${realm.realm.toLowerCase()}`,
      'admin',
      'create-realm',
    ];
    this.#realmRoles = new Set([...defaults, ...(realm.roles?.realm ?? []).map(({ name }) => name)]);
    const ofClients = Object.entries(realm.roles?.client ?? {});
    this.#clientRoles = new Map(ofClients.map(([id, roles]) => [id, new Set(roles.map(({ name }) => name))]));
    const walk = (group: GroupRepresentation, parent: string) => {
      const path = `${parent}/${group.name}`;
      this.#groups.add(path);
      for (const child of group.subGroups ?? []) walk(child, path);
    };
    for (const group of realm.groups ?? []) walk(group, '');
  }

  scope(name: string, path: JsonPath, complain: Complain): void {
    exists(name, this.#scopes, 'client scope', path, complain);
  }

  client(name: string, path: JsonPath, complain: Complain): void {
    exists(name, this.#clients, 'client', path, complain);
  }

  group(name: string, path: JsonPath, complain: Complain): void {
    exists(name, this.#groups, 'group', path, complain);
  }

  roles(
    holder: { realmRoles?: string[]; clientRoles?: Record<string, string[]> },
    path: JsonPath,
    complain: Complain,
  ): void {
    this.realmRoles(holder.realmRoles, [...path, 'realmRoles'], complain);
    this.clientRoles(holder.clientRoles, [...path, 'clientRoles'], complain);
  }

  realmRoles(names: readonly string[] | undefined, path: JsonPath, complain: Complain): void {
    for (const [index, name] of (names ?? []).entries())
      exists(name, this.#realmRoles, 'realm role', [...path, index], complain);
  }

  clientRoles(lists: Readonly<Record<string, string[]>> | undefined, path: JsonPath, complain: Complain): void {
    for (const [clientId, names] of Object.entries(lists ?? {})) {
      this.client(clientId, [...path, clientId], complain);
      // The roles of built-in clients exist by themselves, in the version that runs.
      if (BUILT_IN_CLIENTS.includes(clientId)) continue;
      const known = this.#clientRoles.get(clientId) ?? new Set<string>();
      for (const [index, name] of names.entries()) {
        exists(name, known, `role of ${clientId}`, [...path, clientId, index], complain);
      }
    }
  }
}

function checkClient(client: ClientRepresentation, path: JsonPath, names: RealmNames, complain: Complain): void {
  for (const key of ['defaultClientScopes', 'optionalClientScopes'] as const) {
    for (const [index, name] of (client[key] ?? []).entries()) names.scope(name, [...path, key, index], complain);
  }
  for (const [index, uri] of (client.redirectUris ?? []).entries()) {
    const problem = redirectUriProblem(uri);
    if (problem !== undefined) complain([...path, 'redirectUris', index], problem);
  }
  const { impersonation } = client;
  if (impersonation === undefined) return;
  if (impersonation.enabled === true && (client.publicClient === true || client.bearerOnly === true)) {
    complain([...path, 'impersonation'], 'only a confidential client may impersonate');
  }
  for (const [index, audience] of (impersonation.audiences ?? []).entries()) {
    names.client(audience, [...path, 'impersonation', 'audiences', index], complain);
  }
}

/** What is wrong with a registered redirect URI; undefined: nothing. `*` alone is Keycloak's and stays possible. */
export function redirectUriProblem(uri: string): string | undefined {
  if (uri === '*' || uri === '+' || uri === '-') return undefined;
  if (/^\s*(javascript|data|vbscript):/i.test(uri)) return 'this scheme is not allowed in a redirect URI';
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
  if (/[\u0000-\u0020\u007f\\]/.test(uri)) return 'a redirect URI has no blanks, backslashes or control characters';
  if (uri.includes('#')) return 'a redirect URI has no fragment';
  const star = uri.indexOf('*');
  if (star >= 0 && (star !== uri.length - 1 || !/^([a-z][a-z0-9+.-]*:\/\/[^/*]+)?\/.*\*$/i.test(uri))) {
    return '"*" may only end the path of a redirect URI';
  }
  return undefined;
}

function composites(role: RoleRepresentation, path: JsonPath, names: RealmNames, complain: Complain): void {
  names.realmRoles(role.composites?.realm, [...path, 'composites', 'realm'], complain);
  names.clientRoles(role.composites?.client, [...path, 'composites', 'client'], complain);
}

function checkGroup(group: GroupRepresentation, path: JsonPath, names: RealmNames, complain: Complain): void {
  names.roles(group, path, complain);
  unique(group.subGroups, ({ name }) => name, [...path, 'subGroups'], 'name', 'group', complain);
  for (const [index, child] of (group.subGroups ?? []).entries())
    checkGroup(child, [...path, 'subGroups', index], names, complain);
}

function unique<T>(
  items: readonly T[] | undefined,
  key: (item: T) => string | undefined,
  path: JsonPath,
  member: string,
  what: string,
  complain: Complain,
): void {
  const seen = new Set<string>();
  for (const [index, item] of (items ?? []).entries()) {
    const value = key(item);
    if (value === undefined) continue;
    if (seen.has(value)) complain([...path, index, member], `the ${what} "${value}" stands here twice`);
    seen.add(value);
  }
}

function exists(name: string, known: ReadonlySet<string>, what: string, path: JsonPath, complain: Complain): void {
  if (!known.has(name)) complain(path, `there is no ${what} "${name}"`, didYouMean(name, [...known]));
}
