import type { Realm } from '../../model/realm.js';
import { ATTRIBUTE_QUERY, attributeQuery } from '../attribute-query.js';
import type { AdminCall } from '../operation.js';
import { type AdminQuery, pageOf, type QueryParameter } from '../query.js';
import { briefGroup, countOf, fullGroup, groupAccess } from './group-representation.js';
import { groupsById, type PlacedGroup } from './placed-group.js';

export const GROUP_FILTERS = {
  search: { type: 'string', description: 'Part of the name, at any depth.' },
  exact: { type: 'boolean', description: 'The search must match the whole name.' },
  q: ATTRIBUTE_QUERY,
  populateHierarchy: {
    type: 'boolean',
    description: 'Include the parents of matching groups; default: true.',
  },
  subGroupsCount: { type: 'boolean', description: 'Include the number of subgroups; default: true.' },
} as const satisfies Record<string, QueryParameter>;

type Shown = Partial<ReturnType<typeof fullGroup>> & { subGroups: object[] };

/** The groups that a request asks for, as they are shown. */
export function foundGroups(call: AdminCall): object[] {
  const { realm, query } = call;
  const access = groupAccess(call);
  const full = query.boolean('briefRepresentation') === false;
  const counted = query.boolean('subGroupsCount') !== false;
  const shown = (placed: PlacedGroup): Shown => ({
    ...(full ? fullGroup(placed) : briefGroup(placed)),
    ...(counted ? countOf(placed) : {}),
    ...access,
  });
  const page = pageOf(matching(realm, query), query.page(undefined));
  if (query.boolean('populateHierarchy') === false) return page.map(shown);
  const tree = new Map<PlacedGroup, Shown>();
  const roots: Shown[] = [];
  const place = (placed: PlacedGroup): Shown => {
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
  if (query.boolean('top') === true) return topLevel(realm).length;
  return query.string('search') === undefined ? groupsById(realm).size : matching(realm, query).length;
}

function matching(realm: Realm, query: AdminQuery): readonly PlacedGroup[] {
  const all = [...groupsById(realm).values()];
  if ((query.string('q') ?? '') !== '') {
    // A key without a name says nothing, and a `q` that says nothing means every group at any depth.
    const attributes = [...attributeQuery(query)].filter(([name]) => name !== '');
    return all.filter(({ group }) =>
      attributes.every(([name, value]) => {
        const own = group.attributes ?? {};
        return Object.hasOwn(own, name) && (own[name] ?? []).includes(value);
      }),
    );
  }
  const text = query.string('search')?.trim().toLowerCase();
  if (text === undefined) return topLevel(realm);
  const exact = query.boolean('exact') === true;
  return all.filter(({ group }) => {
    const name = group.name.toLowerCase();
    return exact ? name === text : name.includes(text);
  });
}

function topLevel(realm: Realm): PlacedGroup[] {
  return [...groupsById(realm).values()].filter(({ parent }) => parent === undefined);
}
