import { defined } from '../model/defined.js';
import type { GroupRepresentation, RealmRepresentation, RoleRepresentation } from '../model/representation.js';
import type { NameEffects } from './edit-effects.js';

type Lists = Record<string, string[]>;
type Mapping = NonNullable<RealmRepresentation['scopeMappings']>[number];

/**
 * Replaces a client ID everywhere in the realm, and in the roles, consents and service account of users. Without
 * `newClientId` the references are removed; the caller removes the client itself.
 */
export function replaceClientId(
  draft: RealmRepresentation,
  effects: NameEffects,
  { id, clientId: formerClientId }: { readonly id: string; readonly clientId: string },
  newClientId?: string,
): void {
  if (draft.roles?.client !== undefined) draft.roles.client = withKey(draft.roles.client, formerClientId, newClientId);
  for (const role of allRoles(draft))
    changeComposites(role, ({ realm, client }) => [realm, withKey(client, formerClientId, newClientId)]);
  eachGroup(draft.groups, (group) => {
    if (group.clientRoles !== undefined) group.clientRoles = withKey(group.clientRoles, formerClientId, newClientId);
  });
  if (draft.clientScopeMappings !== undefined) {
    draft.clientScopeMappings = withKey(draft.clientScopeMappings, formerClientId, newClientId);
  }
  eachMappingList(draft, (mappings) =>
    mappings.flatMap((mapping) => {
      if (mapping.client !== formerClientId) return [mapping];
      return newClientId === undefined ? [] : [{ ...mapping, client: newClientId }];
    }),
  );
  for (const { impersonation } of draft.clients ?? []) {
    if (impersonation?.audiences !== undefined)
      impersonation.audiences = withName(impersonation.audiences, formerClientId, newClientId);
  }
  effects.names.push({ what: 'client', id, from: formerClientId, ...defined({ to: newClientId }) });
}

/** Renames a role in composites, groups, scope mappings and users. Without `newName` it is removed there. */
export function replaceRoleName(
  draft: RealmRepresentation,
  effects: NameEffects,
  { clientId, name: formerName }: { readonly clientId: string | undefined; readonly name: string },
  newName?: string,
): void {
  const renameInLists = (lists: Lists) =>
    clientId === undefined ? lists : withNameIn(lists, clientId, formerName, newName);
  const renameInNames = (names: string[]) => (clientId === undefined ? withName(names, formerName, newName) : names);
  for (const role of allRoles(draft)) {
    changeComposites(role, ({ realm, client }) => [renameInNames(realm), renameInLists(client)]);
  }
  eachGroup(draft.groups, (group) => {
    if (group.realmRoles !== undefined) group.realmRoles = renameInNames(group.realmRoles);
    if (group.clientRoles !== undefined) group.clientRoles = renameInLists(group.clientRoles);
  });
  const renameInMappings = (mappings: Mapping[]) =>
    mappings
      .map((mapping) => ({ ...mapping, roles: withName(mapping.roles, formerName, newName) }))
      .filter(({ roles }) => roles.length > 0);
  if (clientId === undefined) {
    if (draft.scopeMappings !== undefined) draft.scopeMappings = renameInMappings(draft.scopeMappings);
  } else if (draft.clientScopeMappings !== undefined) {
    draft.clientScopeMappings = Object.fromEntries(
      Object.entries(draft.clientScopeMappings).map(([mappedClientId, mappings]) => [
        mappedClientId,
        mappedClientId === clientId ? renameInMappings(mappings) : mappings,
      ]),
    );
  }
  effects.names.push({ what: 'role', from: formerName, ...defined({ clientId, to: newName }) });
}

/**
 * Renames a client scope in the lists of clients and of the realm, in scope mappings and in consents. Without `newName`
 * it is removed there.
 */
export function replaceScopeName(
  draft: RealmRepresentation,
  effects: NameEffects,
  formerName: string,
  newName?: string,
): void {
  for (const client of draft.clients ?? []) {
    for (const key of ['defaultClientScopes', 'optionalClientScopes'] as const) {
      const names = client[key];
      if (names !== undefined) client[key] = withName(names, formerName, newName);
    }
  }
  for (const key of ['defaultDefaultClientScopes', 'defaultOptionalClientScopes'] as const) {
    const names = draft[key];
    if (names !== undefined) draft[key] = withName(names, formerName, newName);
  }
  eachMappingList(draft, (mappings) =>
    mappings.flatMap((mapping) => {
      if (mapping.clientScope !== formerName) return [mapping];
      return newName === undefined ? [] : [{ ...mapping, clientScope: newName }];
    }),
  );
  effects.names.push({ what: 'clientScope', from: formerName, ...defined({ to: newName }) });
}

function allRoles({ roles, defaultRole }: RealmRepresentation): RoleRepresentation[] {
  return [
    ...(roles?.realm ?? []),
    ...Object.values(roles?.client ?? {}).flat(),
    ...(defaultRole === undefined ? [] : [defaultRole]),
  ];
}

function changeComposites(
  role: RoleRepresentation,
  change: (composites: { realm: string[]; client: Lists }) => [realm: string[], client: Lists],
): void {
  if (role.composites === undefined) return;
  const [realm, client] = change({ realm: role.composites.realm ?? [], client: role.composites.client ?? {} });
  role.composites = {
    ...role.composites,
    ...(role.composites.realm === undefined ? {} : { realm }),
    ...(role.composites.client === undefined ? {} : { client }),
  };
  role.composite = realm.length > 0 || Object.values(client).some((names) => names.length > 0);
}

function eachGroup(groups: readonly GroupRepresentation[] | undefined, visit: (group: GroupRepresentation) => void) {
  for (const group of groups ?? []) {
    visit(group);
    eachGroup(group.subGroups, visit);
  }
}

function eachMappingList(draft: RealmRepresentation, change: (mappings: Mapping[]) => Mapping[]): void {
  if (draft.scopeMappings !== undefined) draft.scopeMappings = change(draft.scopeMappings);
  if (draft.clientScopeMappings === undefined) return;
  draft.clientScopeMappings = Object.fromEntries(
    Object.entries(draft.clientScopeMappings).map(([clientId, mappings]) => [clientId, change(mappings)]),
  );
}

function withKey<T>(record: Readonly<Record<string, T>>, from: string, to: string | undefined): Record<string, T> {
  return Object.fromEntries(
    Object.entries(record).flatMap(([key, value]) => {
      if (key !== from) return [[key, value]];
      return to === undefined ? [] : [[to, value]];
    }),
  );
}

function withName(names: readonly string[], from: string, to: string | undefined): string[] {
  return names.flatMap((name) => (name === from ? (to === undefined ? [] : [to]) : [name]));
}

function withNameIn(lists: Readonly<Lists>, key: string, from: string, to: string | undefined): Lists {
  return Object.fromEntries(
    Object.entries(lists)
      .map(([listKey, names]): [string, string[]] => [listKey, listKey === key ? withName(names, from, to) : names])
      .filter(([listKey, names]) => listKey !== key || names.length > 0),
  );
}
