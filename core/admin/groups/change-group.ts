import { defined } from '../../model/defined.js';
import type { GroupRepresentation, RealmRepresentation } from '../../model/representation.js';
import type { EditEffects, RealmEdits } from '../../realms/realm-edits.js';
import { badRequest, conflict, notFound } from '../admin.js';
import type { AdminCall } from '../operation.js';
import {
  childrenOf,
  type GroupWithPath,
  groupsWithPaths,
  groupWithId,
  requireCoveredGroup,
  withPath,
} from './group-with-path.js';

/** A group in a request. Null means absent. */
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
): Promise<GroupWithPath> {
  const sent = call.body as SentGroup;
  const name = checkedName(sent.name);
  return edits.edit(call.realm.name, (draft) => {
    const parent = parentId === undefined ? undefined : groupWithId(groupsWithPaths(draft), parentId);
    const group: GroupRepresentation = { id, name };
    requireFreeName(draft, parent, group);
    describe(group, sent);
    childrenOf(draft, parent).push(group);
    return withPath(group, parent);
  });
}

/** @throws AdminError 400, 403, 404, 409 */
export function updateGroup(edits: RealmEdits, call: AdminCall): Promise<void> {
  const sent = call.body as SentGroup;
  return edits.edit(call.realm.name, (draft, effects) => {
    const found = groupWithId(groupsWithPaths(draft), call.params.groupId);
    requireCoveredGroup(call.admin, draft, found);
    // Like Keycloak: without `attributes` the old ones stay, without `description` it is removed.
    delete found.group.description;
    describe(found.group, sent);
    const name = checkedName(sent.name);
    if (name === found.group.name) return;
    found.group.name = name;
    requireFreeName(draft, found.parent, found.group, 'Sibling');
    updateReferences(draft, effects, found.place, withPath(found.group, found.parent).place);
  });
}

/**
 * Moves a group. Members get the roles of its new parents and lose those of the old ones, so a move can grant rights.
 * @throws AdminError 400, 403, 404, 409
 */
export function moveGroup(edits: RealmEdits, call: AdminCall, id: string, parentId: string | undefined): Promise<void> {
  return edits.edit(call.realm.name, (draft, effects) => {
    const groups = groupsWithPaths(draft);
    const found = groups.get(id);
    if (found === undefined) throw notFound('Could not find child by id');
    const parent = parentId === undefined ? undefined : groupWithId(groups, parentId);
    if (parent === found.parent) return;
    for (let above = parent; above !== undefined; above = above.parent) {
      if (above === found) throw badRequest('A group cannot be moved below itself');
    }
    for (const group of [found, parent]) if (group !== undefined) requireCoveredGroup(call.admin, draft, group);
    requireFreeName(draft, parent, found.group);
    const siblings = childrenOf(draft, found.parent);
    siblings.splice(siblings.indexOf(found.group), 1);
    childrenOf(draft, parent).push(found.group);
    updateReferences(draft, effects, found.place, withPath(found.group, parent).place);
  });
}

/** @throws AdminError 403, 404 */
export function removeGroup(edits: RealmEdits, call: AdminCall): Promise<void> {
  return edits.edit(call.realm.name, (draft, effects) => {
    const found = groupWithId(groupsWithPaths(draft), call.params.groupId);
    requireCoveredGroup(call.admin, draft, found);
    const siblings = childrenOf(draft, found.parent);
    siblings.splice(siblings.indexOf(found.group), 1);
    updateReferences(draft, effects, found.place);
    const { id, name } = found.group;
    call.setEventDetails({ eventRepresentation: { id, name, subGroups: [] } });
  });
}

/** Updates all references to a group's path; without `to` it removes them. */
function updateReferences(draft: RealmRepresentation, effects: EditEffects, from: string, to?: string): void {
  effects.names.push(defined({ what: 'group' as const, from, to }));
  draft.defaultGroups = draft.defaultGroups?.flatMap((place) => {
    if (place !== from && !place.startsWith(`${from}/`)) return [place];
    return to === undefined ? [] : [to + place.slice(from.length)];
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

function checkedName(sent: string | null | undefined): string {
  const name = sent?.trim() ?? '';
  if (name === '') throw badRequest('Group name is missing');
  return name;
}

function requireFreeName(
  draft: RealmRepresentation,
  parent: GroupWithPath | undefined,
  group: GroupRepresentation,
  kind = parent === undefined ? 'Top level' : 'Sibling',
): void {
  const taken = childrenOf(draft, parent).some((other) => other !== group && other.name === group.name);
  if (!taken) return;
  throw conflict(`${kind} group named '${group.name}' already exists.`);
}
