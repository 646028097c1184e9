import { isObject } from '../../model/is-object.js';
import type { RealmRepresentation } from '../../model/representation.js';
import { didYouMean } from '../did-you-mean.js';
import type { JsonPath } from '../json/json-document.js';
import type { Complain } from './realm-names.js';
import { KNOWN_KEYS } from './schema/file-schema.js';

type CheckMembers = (item: Readonly<Record<string, unknown>>, path: JsonPath) => void;

/**
 * Reports keys that look like a misspelled known key. Other unknown keys are allowed, because Keycloak or a plugin may
 * use them; they are added to `unknownKeys`.
 */
export function checkKeys(realm: RealmRepresentation, complain: Complain, unknownKeys: string[]): void {
  const checkItem = (item: unknown, kind: keyof typeof KNOWN_KEYS, path: JsonPath, inner?: CheckMembers) => {
    if (!isObject(item)) return;
    const knownKeys = KNOWN_KEYS[kind];
    for (const key of Object.keys(item)) {
      if (knownKeys.includes(key)) continue;
      const suggestion = didYouMean(key, knownKeys, 2);
      if (suggestion === undefined) unknownKeys.push([...path, key].join('.'));
      else complain([...path, key], 'unknown key', suggestion);
    }
    inner?.(item, path);
  };
  const checkItems = (items: unknown, kind: keyof typeof KNOWN_KEYS, path: JsonPath, inner?: CheckMembers) => {
    if (!Array.isArray(items)) return;
    for (const [index, item] of items.entries()) checkItem(item, kind, [...path, index], inner);
  };
  const checkItemsByName = (lists: unknown, kind: keyof typeof KNOWN_KEYS, path: JsonPath, inner?: CheckMembers) => {
    if (!isObject(lists)) return;
    for (const [name, items] of Object.entries(lists)) checkItems(items, kind, [...path, name], inner);
  };
  const checkMappers: CheckMembers = ({ protocolMappers }, path) =>
    checkItems(protocolMappers, 'protocolMapper', [...path, 'protocolMappers']);
  const checkClientMembers: CheckMembers = (client, path) => {
    checkMappers(client, path);
    const overrides = 'authenticationFlowBindingOverrides';
    checkItem(client[overrides], 'flowOverrides', [...path, overrides]);
  };
  const checkExecutions: CheckMembers = ({ authenticationExecutions }, path) =>
    checkItems(authenticationExecutions, 'execution', [...path, 'authenticationExecutions']);
  const checkRoleMembers: CheckMembers = (role, path) =>
    checkItem(role.composites, 'composites', [...path, 'composites']);
  const checkSubGroups: CheckMembers = (group, path) =>
    checkItems(group.subGroups, 'group', [...path, 'subGroups'], checkSubGroups);
  const checkCredentials: CheckMembers = (user, path) =>
    checkItems(user.credentials, 'credential', [...path, 'credentials']);
  checkItem(realm, 'realm', [], () => {
    checkItems(realm.requiredActions, 'requiredAction', ['requiredActions']);
    checkItem(realm.smtpServer, 'smtpServer', ['smtpServer']);
    checkItems(realm.clients, 'client', ['clients'], checkClientMembers);
    checkItems(realm.authenticationFlows, 'flow', ['authenticationFlows'], checkExecutions);
    checkItems(realm.clientScopes, 'clientScope', ['clientScopes'], checkMappers);
    checkItems(realm.users, 'user', ['users'], checkCredentials);
    checkItem(realm.roles, 'roles', ['roles'], ({ realm: ofRealm, client }, path) => {
      checkItems(ofRealm, 'role', [...path, 'realm'], checkRoleMembers);
      checkItemsByName(client, 'role', [...path, 'client'], checkRoleMembers);
    });
    checkItem(realm.defaultRole, 'role', ['defaultRole'], checkRoleMembers);
    checkItems(realm.groups, 'group', ['groups'], checkSubGroups);
    checkItems(realm.scopeMappings, 'scopeMapping', ['scopeMappings']);
    checkItemsByName(realm.clientScopeMappings, 'scopeMapping', ['clientScopeMappings']);
    checkItemsByName(realm.components, 'component', ['components']);
  });
}
