import { defined } from '../model/defined.js';
import type { GroupRepresentation, RealmRepresentation, RoleRepresentation } from '../model/representation.js';
import type { NameEffects } from './realm-edits.js';

type Lists = Record<string, string[]>;
type Mapping = NonNullable<RealmRepresentation['scopeMappings']>[number];

/**
 * Carries a new clientId into everything that names the client, its users' roles and consents and its service account
 * included. Without `to` the names go: what is left to do is to take the client itself out.
 */
export function carryClientId(
  draft: RealmRepresentation,
  effects: NameEffects,
  { id, clientId: from }: { readonly id: string; readonly clientId: string },
  to?: string,
): void {
  if (draft.roles?.client !== undefined) draft.roles.client = withKey(draft.roles.client, from, to);
  for (const role of allRoles(draft)) changeComposites(role, ({ realm, client }) => [realm, withKey(client, from, to)]);
  eachGroup(draft.groups, (group) => {
    if (group.clientRoles !== undefined) group.clientRoles = withKey(group.clientRoles, from, to);
  });
  if (draft.clientScopeMappings !== undefined) {
    draft.clientScopeMappings = withKey(draft.clientScopeMappings, from, to);
  }
  eachMappingList(draft, (mappings) =>
    mappings.flatMap((mapping) => {
      if (mapping.client !== from) return [mapping];
      return to === undefined ? [] : [{ ...mapping, client: to }];
    }),
  );
  for (const { impersonation } of draft.clients ?? []) {
    if (impersonation?.audiences !== undefined) impersonation.audiences = withName(impersonation.audiences, from, to);
  }
  effects.names.push({ what: 'client', id, from, ...defined({ to }) });
}

/** Renames a role in composites, groups, scope mappings and users; without `to`, removes it there. */
export function carryRoleName(
  draft: RealmRepresentation,
  effects: NameEffects,
  { clientId, name: from }: { readonly clientId: string | undefined; readonly name: string },
  to?: string,
): void {
  const inLists = (lists: Lists) => (clientId === undefined ? lists : withNameIn(lists, clientId, from, to));
  const inNames = (names: string[]) => (clientId === undefined ? withName(names, from, to) : names);
  for (const role of allRoles(draft)) {
    changeComposites(role, ({ realm, client }) => [inNames(realm), inLists(client)]);
  }
  eachGroup(draft.groups, (group) => {
    if (group.realmRoles !== undefined) group.realmRoles = inNames(group.realmRoles);
    if (group.clientRoles !== undefined) group.clientRoles = inLists(group.clientRoles);
  });
  const renamed = (mappings: Mapping[]) =>
    mappings
      .map((mapping) => ({ ...mapping, roles: withName(mapping.roles, from, to) }))
      .filter(({ roles }) => roles.length > 0);
  if (clientId === undefined) {
    if (draft.scopeMappings !== undefined) draft.scopeMappings = renamed(draft.scopeMappings);
  } else if (draft.clientScopeMappings !== undefined) {
    draft.clientScopeMappings = Object.fromEntries(
      Object.entries(draft.clientScopeMappings).map(([of, mappings]) => [
        of,
        of === clientId ? renamed(mappings) : mappings,
      ]),
    );
  }
  effects.names.push({ what: 'role', from, ...defined({ clientId, to }) });
}

/**
 * Renames a client scope in the lists of clients and of the realm, in scope mappings and consents; without `to`,
 * removes it there.
 */
export function carryScopeName(draft: RealmRepresentation, effects: NameEffects, from: string, to?: string): void {
  for (const client of draft.clients ?? []) {
    for (const key of ['defaultClientScopes', 'optionalClientScopes'] as const) {
      const names = client[key];
      if (names !== undefined) client[key] = withName(names, from, to);
    }
  }
  for (const key of ['defaultDefaultClientScopes', 'defaultOptionalClientScopes'] as const) {
    const names = draft[key];
    if (names !== undefined) draft[key] = withName(names, from, to);
  }
  eachMappingList(draft, (mappings) =>
    mappings.flatMap((mapping) => {
      if (mapping.clientScope !== from) return [mapping];
      return to === undefined ? [] : [{ ...mapping, clientScope: to }];
    }),
  );
  effects.names.push({ what: 'clientScope', from, ...defined({ to }) });
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
      .map(([of, names]): [string, string[]] => [of, of === key ? withName(names, from, to) : names])
      .filter(([of, names]) => of !== key || names.length > 0),
  );
}
