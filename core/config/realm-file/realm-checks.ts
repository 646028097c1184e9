import { serviceAccountUsername } from '../../model/built-in-names.js';
import type { GroupRepresentation, RealmRepresentation, RoleRepresentation } from '../../model/representation.js';
import { didYouMean } from '../did-you-mean.js';
import type { JsonPath } from '../json/json-document.js';
import { checkClient } from './client-checks.js';
import type { HiddenNames } from './hidden-names.js';
import { checkIdentityProviders } from './identity-provider-checks.js';
import { LEVEL_NAMES, levelNamesProblem } from './level-names.js';
import { checkRealmAttributes } from './realm-attributes.js';
import { type Complain, RealmNames } from './realm-names.js';

const REQUIREMENTS = ['REQUIRED', 'ALTERNATIVE', 'CONDITIONAL', 'DISABLED'];

/**
 * Checks the names in a realm file. The object that a name refers to must exist, and the names and IDs of objects must
 * be unique.
 * @param hidden further names that the realm may have
 */
export function checkRealm(realm: RealmRepresentation, complain: Complain, hidden?: HiddenNames): void {
  const names = new RealmNames(realm, hidden);
  const { clients = [], clientScopes = [], roles = {}, groups = [] } = realm;
  checkUnique(clients, ({ clientId }) => clientId, ['clients'], 'clientId', 'client', complain);
  checkUnique(clients, ({ id }) => id, ['clients'], 'id', 'client id', complain);
  checkUnique(clientScopes, ({ name }) => name, ['clientScopes'], 'name', 'client scope', complain);
  checkUnique(clientScopes, ({ id }) => id, ['clientScopes'], 'id', 'client scope id', complain);
  checkUnique(roles.realm, ({ name }) => name, ['roles', 'realm'], 'name', 'realm role', complain);
  const roleIds = new Set<string>();
  checkUnique(roles.realm, ({ id }) => id, ['roles', 'realm'], 'id', 'role id', complain, roleIds);
  for (const [clientId, ofClient] of Object.entries(roles.client ?? {})) {
    const path = ['roles', 'client', clientId];
    names.checkClient(clientId, path, complain);
    checkUnique(ofClient, ({ name }) => name, path, 'name', `role of ${clientId}`, complain);
    checkUnique(ofClient, ({ id }) => id, path, 'id', 'role id', complain, roleIds);
    for (const [index, role] of ofClient.entries()) checkComposites(role, [...path, index], names, complain);
  }
  for (const [index, role] of (roles.realm ?? []).entries()) {
    checkComposites(role, ['roles', 'realm', index], names, complain);
  }
  if (realm.defaultRole !== undefined) checkComposites(realm.defaultRole, ['defaultRole'], names, complain);
  for (const [index, client] of clients.entries()) checkClient(client, ['clients', index], names, complain);
  for (const [index, { name, attributes }] of clientScopes.entries()) {
    if (/\s/.test(name)) complain(['clientScopes', index, 'name'], 'must be a word without spaces');
    if (attributes?.['is.dynamic.scope'] !== 'true') continue;
    if (/^[^\s*]+\*$/.test(attributes['dynamic.scope.regexp'] ?? '')) continue;
    const path = ['clientScopes', index, 'attributes', 'dynamic.scope.regexp'];
    complain(path, 'must be a pattern such as "read:*" for a dynamic scope');
  }
  for (const key of ['defaultDefaultClientScopes', 'defaultOptionalClientScopes'] as const) {
    for (const [index, name] of (realm[key] ?? []).entries()) names.checkScope(name, [key, index], complain);
  }
  checkFlows(realm, names, complain);
  checkIdentityProviders(realm, names, complain);
  checkScopeMappings(realm, names, complain);
  checkGroups(groups, ['groups'], names, complain);
  for (const [index, path] of (realm.defaultGroups ?? []).entries()) {
    names.checkGroup(path, ['defaultGroups', index], complain);
  }
  const levels = levelNamesProblem(realm.attributes?.[LEVEL_NAMES] ?? '');
  if (levels !== undefined) complain(['attributes', LEVEL_NAMES], levels);
  checkRealmAttributes(realm.attributes ?? {}, complain);
}

/**
 * Checks the users of each file of one realm: names and addresses are unique across all files, and the names that they
 * use exist.
 */
export class UserChecks {
  readonly #names: RealmNames;
  readonly #emailsUnique: boolean;
  readonly #ids = new Set<string>();
  readonly #usernames = new Set<string>();
  readonly #emails = new Set<string>();
  readonly #serviceAccounts = new Set<string>();
  /** Accounts at identity providers that users are linked to, as `<alias> <user ID>`. */
  readonly #accounts = new Set<string>();
  readonly #serviceAccountNames = new Set<string>();

  constructor(realm: RealmRepresentation, hidden?: HiddenNames) {
    this.#names = new RealmNames(realm, hidden);
    this.#emailsUnique = realm.duplicateEmailsAllowed !== true;
    for (const { clientId, serviceAccountsEnabled } of realm.clients ?? []) {
      if (serviceAccountsEnabled === true) this.#serviceAccountNames.add(serviceAccountUsername(clientId));
    }
  }

  check({ users = [] }: RealmRepresentation, complain: Complain): void {
    checkUnique(users, ({ id }) => id, ['users'], 'id', 'user id', complain, this.#ids);
    const username = 'username';
    checkUnique(users, (user) => user.username.toLowerCase(), ['users'], username, username, complain, this.#usernames);
    if (this.#emailsUnique) {
      const address = ({ email }: { email?: string }) => email?.toLowerCase() || undefined;
      checkUnique(users, address, ['users'], 'email', 'email address', complain, this.#emails);
    }
    const ofClient = 'serviceAccountClientId';
    checkUnique(
      users,
      (user) => user[ofClient],
      ['users'],
      ofClient,
      'service account of',
      complain,
      this.#serviceAccounts,
    );
    for (const [index, user] of users.entries()) {
      const path = ['users', index];
      for (const [linkIndex, { identityProvider, userId }] of (user.federatedIdentities ?? []).entries()) {
        const account = `${identityProvider} ${userId}`;
        if (this.#accounts.has(account)) {
          complain(
            [...path, 'federatedIdentities', linkIndex, 'userId'],
            `the account ${account} is linked to two users`,
          );
        }
        this.#accounts.add(account);
      }
      this.#names.checkRoles(user, path, complain);
      for (const [groupIndex, group] of (user.groups ?? []).entries()) {
        this.#names.checkGroup(group, [...path, 'groups', groupIndex], complain);
      }
      const owner = user.serviceAccountClientId;
      if (owner !== undefined) this.#names.checkClient(owner, [...path, ofClient], complain);
      else if (this.#serviceAccountNames.has(user.username.toLowerCase())) {
        complain([...path, username], `is the name of a service account: "${ofClient}" is required`);
      }
    }
  }
}

function checkFlows(realm: RealmRepresentation, names: RealmNames, complain: Complain): void {
  for (const [index, { authenticationExecutions = [] }] of (realm.authenticationFlows ?? []).entries()) {
    for (const [executionIndex, { requirement }] of authenticationExecutions.entries()) {
      if (requirement === undefined || REQUIREMENTS.includes(requirement)) continue;
      const path = ['authenticationFlows', index, 'authenticationExecutions', executionIndex, 'requirement'];
      complain(path, `must be one of ${REQUIREMENTS.join(', ')}`, didYouMean(requirement.toUpperCase(), REQUIREMENTS));
    }
  }
  checkUnique(realm.authenticationFlows, ({ alias }) => alias, ['authenticationFlows'], 'alias', 'flow', complain);
  checkUnique(realm.authenticationFlows, ({ id }) => id, ['authenticationFlows'], 'id', 'flow id', complain);
  for (const key of ['browserFlow', 'directGrantFlow', 'registrationFlow', 'firstBrokerLoginFlow'] as const) {
    const name = realm[key];
    if (name !== undefined) names.checkFlow(name, [key], complain);
  }
}

function checkScopeMappings(realm: RealmRepresentation, names: RealmNames, complain: Complain): void {
  const checkHolder = ({ client, clientScope }: { client?: string; clientScope?: string }, path: JsonPath) => {
    if (client !== undefined) names.checkClient(client, [...path, 'client'], complain);
    if (clientScope !== undefined) names.checkScope(clientScope, [...path, 'clientScope'], complain);
  };
  for (const [index, mapping] of (realm.scopeMappings ?? []).entries()) {
    const path = ['scopeMappings', index];
    checkHolder(mapping, path);
    names.checkRealmRoles(mapping.roles, [...path, 'roles'], complain);
  }
  for (const [clientId, mappings] of Object.entries(realm.clientScopeMappings ?? {})) {
    const ofClient = ['clientScopeMappings', clientId];
    const isKnown = names.checkClient(clientId, ofClient, complain);
    for (const [index, mapping] of mappings.entries()) {
      checkHolder(mapping, [...ofClient, index]);
      if (isKnown) names.checkRolesOf(clientId, mapping.roles, [...ofClient, index, 'roles'], complain);
    }
  }
}

function checkComposites(role: RoleRepresentation, path: JsonPath, names: RealmNames, complain: Complain): void {
  names.checkRealmRoles(role.composites?.realm, [...path, 'composites', 'realm'], complain);
  names.checkClientRoles(role.composites?.client, [...path, 'composites', 'client'], complain);
}

/**
 * The maximum nesting of groups. It is far below the depth at which the realm's file would be too deeply nested to be
 * read again.
 */
const GROUP_LEVELS = 50;

function checkGroups(
  groups: readonly GroupRepresentation[],
  path: JsonPath,
  names: RealmNames,
  complain: Complain,
  ids: Set<string> = new Set(),
): void {
  if (groups.length > 0 && (path.length + 1) / 2 > GROUP_LEVELS) {
    complain([...path, 0], `must be nested at most ${GROUP_LEVELS} levels deep`);
    return;
  }
  checkUnique(groups, ({ name }) => name, path, 'name', 'group', complain);
  checkUnique(groups, ({ id }) => id, path, 'id', 'group id', complain, ids);
  for (const [index, group] of groups.entries()) {
    names.checkRoles(group, [...path, index], complain);
    checkGroups(group.subGroups ?? [], [...path, index, 'subGroups'], names, complain, ids);
  }
}

function checkUnique<T>(
  items: readonly T[] | undefined,
  key: (item: T) => string | undefined,
  path: JsonPath,
  member: string,
  noun: string,
  complain: Complain,
  seen: Set<string> = new Set(),
): void {
  for (const [index, item] of (items ?? []).entries()) {
    const value = key(item);
    if (value === undefined) continue;
    if (seen.has(value)) complain([...path, index, member], `the ${noun} "${value}" is used twice`);
    seen.add(value);
  }
}
