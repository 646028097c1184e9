import { isObject } from '../../model/is-object.js';
import type { RealmRepresentation } from '../../model/representation.js';
import { didYouMean } from '../did-you-mean.js';
import type { JsonPath } from '../json/json-document.js';
import type { Complain } from './realm-names.js';
import { KNOWN_KEYS } from './schema/file-schema.js';

type Inner = (item: Readonly<Record<string, unknown>>, path: JsonPath) => void;

/** A near miss of a known key is a mistake. Any other unknown key belongs to Keycloak or the owner, and stays. */
export function checkKeys(realm: RealmRepresentation, complain: Complain, unknown: string[]): void {
  const look = (item: unknown, kind: keyof typeof KNOWN_KEYS, path: JsonPath, inner?: Inner) => {
    if (!isObject(item)) return;
    const known = KNOWN_KEYS[kind];
    for (const key of Object.keys(item)) {
      if (known.includes(key)) continue;
      const near = didYouMean(key, known, 2);
      if (near === undefined) unknown.push([...path, key].join('.'));
      else complain([...path, key], 'unknown key', near);
    }
    inner?.(item, path);
  };
  const each = (items: unknown, kind: keyof typeof KNOWN_KEYS, path: JsonPath, inner?: Inner) => {
    if (!Array.isArray(items)) return;
    for (const [index, item] of items.entries()) look(item, kind, [...path, index], inner);
  };
  const eachOfAll = (lists: unknown, kind: keyof typeof KNOWN_KEYS, path: JsonPath, inner?: Inner) => {
    if (!isObject(lists)) return;
    for (const [name, items] of Object.entries(lists)) each(items, kind, [...path, name], inner);
  };
  const mappers: Inner = ({ protocolMappers }, path) =>
    each(protocolMappers, 'protocolMapper', [...path, 'protocolMappers']);
  const ofClient: Inner = (client, path) => {
    mappers(client, path);
    const overrides = 'authenticationFlowBindingOverrides';
    look(client[overrides], 'flowOverrides', [...path, overrides]);
  };
  const executions: Inner = ({ authenticationExecutions }, path) =>
    each(authenticationExecutions, 'execution', [...path, 'authenticationExecutions']);
  const ofRole: Inner = (role, path) => look(role.composites, 'composites', [...path, 'composites']);
  const subGroups: Inner = (group, path) => each(group.subGroups, 'group', [...path, 'subGroups'], subGroups);
  const credentials: Inner = (user, path) => each(user.credentials, 'credential', [...path, 'credentials']);
  look(realm, 'realm', [], () => {
    each(realm.requiredActions, 'requiredAction', ['requiredActions']);
    look(realm.smtpServer, 'smtpServer', ['smtpServer']);
    each(realm.clients, 'client', ['clients'], ofClient);
    each(realm.authenticationFlows, 'flow', ['authenticationFlows'], executions);
    each(realm.clientScopes, 'clientScope', ['clientScopes'], mappers);
    each(realm.users, 'user', ['users'], credentials);
    look(realm.roles, 'roles', ['roles'], ({ realm: ofRealm, client }, path) => {
      each(ofRealm, 'role', [...path, 'realm'], ofRole);
      eachOfAll(client, 'role', [...path, 'client'], ofRole);
    });
    look(realm.defaultRole, 'role', ['defaultRole'], ofRole);
    each(realm.groups, 'group', ['groups'], subGroups);
    each(realm.scopeMappings, 'scopeMapping', ['scopeMappings']);
    eachOfAll(realm.clientScopeMappings, 'scopeMapping', ['clientScopeMappings']);
    eachOfAll(realm.components, 'component', ['components']);
  });
}
