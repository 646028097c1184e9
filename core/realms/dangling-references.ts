import { BUILT_IN_SCOPES } from '../config/realm-file/realm-names.js';
import { BUILT_IN_CLIENTS } from '../model/built-in-names.js';
import { groupPaths } from '../model/group-path.js';
import type { RealmRepresentation } from '../model/representation.js';
import type { NameEffects } from './edit-effects.js';
import { replaceClientId, replaceRoleName, replaceScopeName } from './replace-names.js';

/**
 * Removes references to objects that a change of the realm removes. For example, an edit may have put a role of the
 * file into a group, and the new file no longer contains the role. As in Keycloak, references to a removed object are
 * removed with it, in users too: a later role of the same name is a different one. References to built-in clients and
 * scopes stay, because a file may name them without declaring them.
 */
export function withoutDanglingReferences(
  after: RealmRepresentation,
  before: RealmRepresentation,
): { representation: RealmRepresentation; effects: NameEffects } {
  const draft = structuredClone(after);
  const effects: NameEffects = { names: [], removedClients: [], removedServiceAccounts: [] };
  for (const { id = '', clientId } of removedItems(before.clients, after.clients, ({ clientId }) => clientId)) {
    if (!BUILT_IN_CLIENTS.includes(clientId)) replaceClientId(draft, effects, { id, clientId });
  }
  for (const { name } of removedItems(before.roles?.realm, after.roles?.realm, ({ name }) => name)) {
    replaceRoleName(draft, effects, { clientId: undefined, name });
  }
  for (const [clientId, roles] of Object.entries(before.roles?.client ?? {})) {
    for (const { name } of removedItems(roles, rolesOfClient(after, clientId), ({ name }) => name)) {
      replaceRoleName(draft, effects, { clientId, name });
    }
  }
  for (const { name } of removedItems(before.clientScopes, after.clientScopes, ({ name }) => name)) {
    if (!BUILT_IN_SCOPES.includes(name)) replaceScopeName(draft, effects, name);
  }
  for (const path of removedItems(groupPaths(before.groups), groupPaths(after.groups), (place) => place)) {
    if (draft.defaultGroups !== undefined) draft.defaultGroups = draft.defaultGroups.filter((place) => place !== path);
    effects.names.push({ what: 'group', from: path });
  }
  for (const { alias } of removedItems(before.identityProviders, after.identityProviders, ({ alias }) => alias)) {
    effects.names.push({ what: 'identityProvider', from: alias });
  }
  const remainingIds = new Set(after.clients?.map(({ id }) => id));
  for (const { id } of before.clients ?? []) {
    if (id !== undefined && !remainingIds.has(id)) effects.removedClients.push(id);
  }
  return { representation: draft, effects };
}

function rolesOfClient({ roles }: RealmRepresentation, clientId: string) {
  return roles?.client !== undefined && Object.hasOwn(roles.client, clientId) ? roles.client[clientId] : undefined;
}

function removedItems<T>(
  before: readonly T[] | undefined,
  after: readonly T[] | undefined,
  nameOf: (item: T) => string,
): T[] {
  const remainingNames = new Set(after?.map(nameOf));
  return (before ?? []).filter((item) => !remainingNames.has(nameOf(item)));
}
