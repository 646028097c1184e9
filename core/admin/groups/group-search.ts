import type { Realm } from '../../model/realm.js';
import { ATTRIBUTE_QUERY, parseAttributeQuery } from '../attribute-query.js';
import type { AdminCall } from '../operation.js';
import { type AdminQuery, pageOf, type QueryParameter } from '../query.js';
import { briefGroup, fullGroup, groupAccess, subGroupCount } from './group-representation.js';
import { type GroupWithPath, groupsById } from './group-with-path.js';

export const GROUP_FILTERS = {
  search: { type: 'string', description: 'Part of the name, at any depth.' },
  exact: { type: 'boolean', description: 'The search must be the whole name, also in upper and lower case.' },
  q: ATTRIBUTE_QUERY,
  populateHierarchy: {
    type: 'boolean',
    description: 'Include the parents of matching groups; default: true.',
  },
  subGroupsCount: { type: 'boolean', description: 'Include the number of subgroups; default: true.' },
} as const satisfies Record<string, QueryParameter>;

type GroupResponse = Partial<ReturnType<typeof fullGroup>> & { subGroups: object[] };

/** The groups that match a request, as in Keycloak's API. */
export function searchGroups(call: AdminCall): object[] {
  const { realm, query } = call;
  const access = groupAccess(call);
  const isFull = query.boolean('briefRepresentation') === false;
  const hasCounts = query.boolean('subGroupsCount') !== false;
  const toResponse = (entry: GroupWithPath): GroupResponse => ({
    ...(isFull ? fullGroup(entry) : briefGroup(entry)),
    ...(hasCounts ? subGroupCount(entry) : {}),
    ...access,
  });
  const page = pageOf(matchingGroups(realm, query), query.page('all'));
  if (query.boolean('populateHierarchy') === false) return page.map(toResponse);
  const tree = new Map<GroupWithPath, GroupResponse>();
  const roots: GroupResponse[] = [];
  const addToTree = (entry: GroupWithPath): GroupResponse => {
    const existing = tree.get(entry);
    if (existing !== undefined) return existing;
    const group = toResponse(entry);
    tree.set(entry, group);
    if (entry.parent === undefined) roots.push(group);
    else addToTree(entry.parent).subGroups.push(group);
    return group;
  };
  for (const entry of page) addToTree(entry);
  return roots;
}

export function countGroups(realm: Realm, query: AdminQuery): number {
  // As in Keycloak, a search counts groups at any depth.
  if (query.string('search')) return matchingGroups(realm, query).length;
  return query.boolean('top') === true ? topLevelGroups(realm).length : groupsById(realm).size;
}

function matchingGroups(realm: Realm, query: AdminQuery): readonly GroupWithPath[] {
  const groups = [...groupsById(realm).values()];
  if ((query.string('q') ?? '') !== '') {
    // Pairs with an empty key are ignored. If no other pairs exist, every group at any depth matches.
    const attributes = [...parseAttributeQuery(query)].filter(([name]) => name !== '');
    return groups.filter(({ group }) =>
      attributes.every(([name, value]) => {
        const groupAttributes = group.attributes ?? {};
        return Object.hasOwn(groupAttributes, name) && (groupAttributes[name] ?? []).includes(value);
      }),
    );
  }
  const text = query.string('search')?.trim();
  if (text === undefined) return topLevelGroups(realm);
  if (query.boolean('exact') === true) return groups.filter(({ group }) => group.name === text);
  const part = text.toLowerCase();
  return groups.filter(({ group }) => group.name.toLowerCase().includes(part));
}

/** The direct subgroups that match a request, by the whole name or its beginning. */
export function searchChildren(call: AdminCall, parent: GroupWithPath): object[] {
  const { realm, query } = call;
  const text = query.string('search')?.trim() ?? '';
  const start = text.toLowerCase();
  const matchesName =
    query.boolean('exact') === true && text !== ''
      ? (name: string) => name === text
      : (name: string) => name.toLowerCase().startsWith(start);
  const children = [...groupsById(realm).values()].filter(
    (entry) => entry.parent === parent && matchesName(entry.group.name),
  );
  const toResponse = query.boolean('briefRepresentation') === true ? briefGroup : fullGroup;
  const hasCounts = query.boolean('subGroupsCount') !== false;
  const access = groupAccess(call);
  return pageOf(children, query.page(10)).map((child) => ({
    ...toResponse(child),
    ...(hasCounts ? subGroupCount(child) : {}),
    ...access,
  }));
}

function topLevelGroups(realm: Realm): GroupWithPath[] {
  return [...groupsById(realm).values()].filter(({ parent }) => parent === undefined);
}
