import { defined } from '../../model/defined.js';
import type { GroupRepresentation, RealmRepresentation } from '../../model/representation.js';
import type { EditEffects, RealmEdits } from '../../realms/realm-edits.js';
import { badRequest, conflict, notFound } from '../admin.js';
import type { AdminCall } from '../operation.js';
import { childrenOf, groupWithId, type PlacedGroup, placedGroups, requireCoveredGroup } from './placed-group.js';

/** A group as it is sent: what is null was not said. */
interface SentGroup {
  readonly name?: string | null;
  readonly description?: string | null;
  readonly attributes?: Readonly<Record<string, string[] | null>> | null;
}

/** @throws AdminError 400, 404 for the parent, 409 */
export function createGroup(
  edits: RealmEdits,
  call: AdminCall,
  id: string,
  parentId: string | undefined,
): Promise<PlacedGroup> {
  const sent = call.body as SentGroup;
  const name = checkedName(sent.name);
  return edits.edit(call.realm.name, (draft) => {
    const parent = parentId === undefined ? undefined : groupWithId(placedGroups(draft), parentId);
    const group: GroupRepresentation = { id, name };
    requireFreeName(draft, parent, group);
    describe(group, sent);
    childrenOf(draft, parent).push(group);
    return { group, path: `${parent?.path ?? ''}/${name}`, parent };
  });
}

/** @throws AdminError 400, 403, 404, 409 */
export function updateGroup(edits: RealmEdits, call: AdminCall): Promise<void> {
  const sent = call.body as SentGroup;
  return edits.edit(call.realm.name, (draft, effects) => {
    const placed = groupWithId(placedGroups(draft), call.params.groupId);
    requireCoveredGroup(call.admin, draft, placed);
    describe(placed.group, sent);
    const name = checkedName(sent.name);
    if (name === placed.group.name) return;
    placed.group.name = name;
    requireFreeName(draft, placed.parent, placed.group, 'Sibling');
    carryPath(draft, effects, placed.path, `${placed.parent?.path ?? ''}/${name}`);
  });
}

/**
 * Members get the roles of the groups that theirs comes to stand below, and lose those that it leaves: a move is a grant.
 * @throws AdminError 400, 403, 404, 409
 */
export function moveGroup(edits: RealmEdits, call: AdminCall, id: string, parentId: string | undefined): Promise<void> {
  return edits.edit(call.realm.name, (draft, effects) => {
    const groups = placedGroups(draft);
    const placed = groups.get(id);
    if (placed === undefined) throw notFound('Could not find child by id');
    const parent = parentId === undefined ? undefined : groupWithId(groups, parentId);
    if (parent === placed.parent) return;
    for (let above = parent; above !== undefined; above = above.parent) {
      if (above === placed) throw badRequest('A group cannot be moved below itself');
    }
    for (const group of [placed, parent]) if (group !== undefined) requireCoveredGroup(call.admin, draft, group);
    requireFreeName(draft, parent, placed.group);
    const siblings = childrenOf(draft, placed.parent);
    siblings.splice(siblings.indexOf(placed.group), 1);
    childrenOf(draft, parent).push(placed.group);
    carryPath(draft, effects, placed.path, `${parent?.path ?? ''}/${placed.group.name}`);
  });
}

/** @throws AdminError 403, 404 */
export function removeGroup(edits: RealmEdits, call: AdminCall): Promise<void> {
  return edits.edit(call.realm.name, (draft, effects) => {
    const placed = groupWithId(placedGroups(draft), call.params.groupId);
    requireCoveredGroup(call.admin, draft, placed);
    const siblings = childrenOf(draft, placed.parent);
    siblings.splice(siblings.indexOf(placed.group), 1);
    carryPath(draft, effects, placed.path);
  });
}

/** Carries a path into everything that names it; without `to` the names go. */
function carryPath(draft: RealmRepresentation, effects: EditEffects, from: string, to?: string): void {
  effects.names.push(defined({ what: 'group' as const, from, to }));
  draft.defaultGroups = draft.defaultGroups?.flatMap((path) => {
    if (path !== from && !path.startsWith(`${from}/`)) return [path];
    return to === undefined ? [] : [to + path.slice(from.length)];
  });
}

function describe(group: GroupRepresentation, { description, attributes }: SentGroup): void {
  if (typeof description === 'string') group.description = description;
  if (!attributes) return;
  const lists = Object.entries(attributes).flatMap(([name, values]) =>
    values === null || name === '__proto__' ? [] : [[name, values]],
  );
  group.attributes = Object.fromEntries(lists);
}

/** A slash would make the paths of two groups alike. */
function checkedName(sent: string | null | undefined): string {
  const name = sent?.trim() ?? '';
  if (name === '') throw badRequest('Group name is missing');
  if (name.includes('/')) throw badRequest('name: must not contain a slash');
  return name;
}

function requireFreeName(
  draft: RealmRepresentation,
  parent: PlacedGroup | undefined,
  group: GroupRepresentation,
  kind = parent === undefined ? 'Top level' : 'Sibling',
): void {
  const taken = childrenOf(draft, parent).some((other) => other !== group && other.name === group.name);
  if (!taken) return;
  throw conflict(`${kind} group named '${group.name}' already exists.`);
}
