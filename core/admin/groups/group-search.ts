import type { Realm } from '../../model/realm.js';
import { ATTRIBUTE_QUERY, parseAttributeQuery } from '../attribute-query.js';
import type { AdminCall } from '../operation.js';
import { type AdminQuery, pageOf, type QueryParameter } from '../query.js';
import { briefGroup, countOf, fullGroup, groupAccess } from './group-representation.js';
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

type Shown = Partial<ReturnType<typeof fullGroup>> & { subGroups: object[] };

/** The groups that a request matches, in the API's form. */
export function foundGroups(call: AdminCall): object[] {
  const { realm, query } = call;
  const access = groupAccess(call);
  const full = query.boolean('briefRepresentation') === false;
  const counted = query.boolean('subGroupsCount') !== false;
  const shown = (placed: GroupWithPath): Shown => ({
    ...(full ? fullGroup(placed) : briefGroup(placed)),
    ...(counted ? countOf(placed) : {}),
    ...access,
  });
  const page = pageOf(matching(realm, query), query.page(undefined));
  if (query.boolean('populateHierarchy') === false) return page.map(shown);
  const tree = new Map<GroupWithPath, Shown>();
  const roots: Shown[] = [];
  const place = (placed: GroupWithPath): Shown => {
    const known = tree.get(placed);
    if (known !== undefined) return known;
    const group = shown(placed);
    tree.set(placed, group);
    if (placed.parent === undefined) roots.push(group);
    else place(placed.parent).subGroups.push(group);
    return group;
  };
  for (const placed of page) place(placed);
  return roots;
}

export function countGroups(realm: Realm, query: AdminQuery): number {
  // As in Keycloak, a search counts groups at any depth.
  if (query.string('search')) return matching(realm, query).length;
  return query.boolean('top') === true ? topLevel(realm).length : groupsById(realm).size;
}

function matching(realm: Realm, query: AdminQuery): readonly GroupWithPath[] {
  const all = [...groupsById(realm).values()];
  if ((query.string('q') ?? '') !== '') {
    // Pairs with an empty key are ignored. If none is left, every group at any depth matches.
    const attributes = [...parseAttributeQuery(query)].filter(([name]) => name !== '');
    return all.filter(({ group }) =>
      attributes.every(([name, value]) => {
        const own = group.attributes ?? {};
        return Object.hasOwn(own, name) && (own[name] ?? []).includes(value);
      }),
    );
  }
  const text = query.string('search')?.trim();
  if (text === undefined) return topLevel(realm);
  if (query.boolean('exact') === true) return all.filter(({ group }) => group.name === text);
  const part = text.toLowerCase();
  return all.filter(({ group }) => group.name.toLowerCase().includes(part));
}

/** The direct subgroups that match a request, by the beginning of the name or by the whole name. */
export function foundChildren(call: AdminCall, parent: GroupWithPath): object[] {
  const { realm, query } = call;
  const text = query.string('search')?.trim() ?? '';
  const start = text.toLowerCase();
  const fits =
    query.boolean('exact') === true && text !== ''
      ? (name: string) => name === text
      : (name: string) => name.toLowerCase().startsWith(start);
  const children = [...groupsById(realm).values()].filter(
    (placed) => placed.parent === parent && fits(placed.group.name),
  );
  const shown = query.boolean('briefRepresentation') === true ? briefGroup : fullGroup;
  const counted = query.boolean('subGroupsCount') !== false;
  const access = groupAccess(call);
  return pageOf(children, query.page(10)).map((child) => ({
    ...shown(child),
    ...(counted ? countOf(child) : {}),
    ...access,
  }));
}

function topLevel(realm: Realm): GroupWithPath[] {
  return [...groupsById(realm).values()].filter(({ parent }) => parent === undefined);
}
