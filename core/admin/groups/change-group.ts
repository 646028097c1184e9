import { defined } from '../../model/defined.js';
import type { GroupRepresentation, RealmRepresentation } from '../../model/representation.js';
import type { EditEffects } from '../../realms/edit-effects.js';
import type { RealmEdits } from '../../realms/realm-edits.js';
import { badRequest, conflictError, notFoundError } from '../admin.js';
import type { AdminCall } from '../operation.js';
import {
  childrenOf,
  type GroupWithPath,
  groupsWithPaths,
  requireGroup,
  requireRightsOfGroup,
  withPath,
} from './group-with-path.js';

/** A group in a request. Null means absent. */
interface GroupInput {
  readonly name?: string | null;
  readonly description?: string | null;
  readonly attributes?: Readonly<Record<string, string[] | null>> | null;
}

/** Creates a group. @throws AdminError 400, 404 for the parent, 409 */
export function createGroup(
  edits: RealmEdits,
  call: AdminCall,
  id: string,
  parentId: string | undefined,
): Promise<GroupWithPath> {
  const input = call.body as GroupInput;
  const name = requireName(input.name);
  return edits.edit(call.realm.name, (draft) => {
    const parent = parentId === undefined ? undefined : requireGroup(groupsWithPaths(draft), parentId);
    const group: GroupRepresentation = { id, name };
    requireFreeName(draft, parent, group);
    setMembers(group, input);
    childrenOf(draft, parent).push(group);
    return withPath(group, parent);
  });
}

/** Changes a group. @throws AdminError 400, 403, 404, 409 */
export function updateGroup(edits: RealmEdits, call: AdminCall): Promise<void> {
  const input = call.body as GroupInput;
  return edits.edit(call.realm.name, (draft, effects) => {
    const target = requireGroup(groupsWithPaths(draft), call.params.groupId);
    requireRightsOfGroup(call.admin, draft, target);
    // As in Keycloak, missing `attributes` are left unchanged, but a missing `description` is removed.
    delete target.group.description;
    setMembers(target.group, input);
    const name = requireName(input.name);
    if (name === target.group.name) return;
    target.group.name = name;
    requireFreeName(draft, target.parent, target.group, 'Sibling');
    updateReferences(draft, effects, target.storedPath, withPath(target.group, target.parent).storedPath);
  });
}

/**
 * Moves a group. Members get the roles of the new parents and lose those of the old ones, so a move can grant rights.
 * @throws AdminError 400, 403, 404, 409
 */
export function moveGroup(edits: RealmEdits, call: AdminCall, id: string, parentId: string | undefined): Promise<void> {
  return edits.edit(call.realm.name, (draft, effects) => {
    const groups = groupsWithPaths(draft);
    const movedGroup = groups.get(id);
    if (movedGroup === undefined) throw notFoundError('Could not find child by id');
    const parent = parentId === undefined ? undefined : requireGroup(groups, parentId);
    if (parent === movedGroup.parent) return;
    for (let ancestor = parent; ancestor !== undefined; ancestor = ancestor.parent) {
      if (ancestor === movedGroup) throw badRequest('A group cannot be moved below itself');
    }
    for (const group of [movedGroup, parent]) if (group !== undefined) requireRightsOfGroup(call.admin, draft, group);
    requireFreeName(draft, parent, movedGroup.group);
    const siblings = childrenOf(draft, movedGroup.parent);
    siblings.splice(siblings.indexOf(movedGroup.group), 1);
    childrenOf(draft, parent).push(movedGroup.group);
    updateReferences(draft, effects, movedGroup.storedPath, withPath(movedGroup.group, parent).storedPath);
  });
}

/** Removes a group with its subgroups. @throws AdminError 403, 404 */
export function removeGroup(edits: RealmEdits, call: AdminCall): Promise<void> {
  return edits.edit(call.realm.name, (draft, effects) => {
    const removedGroup = requireGroup(groupsWithPaths(draft), call.params.groupId);
    requireRightsOfGroup(call.admin, draft, removedGroup);
    const siblings = childrenOf(draft, removedGroup.parent);
    siblings.splice(siblings.indexOf(removedGroup.group), 1);
    updateReferences(draft, effects, removedGroup.storedPath);
    const { id, name } = removedGroup.group;
    call.setEventDetails({ eventRepresentation: { id, name, subGroups: [] } });
  });
}

/** Updates all references to a group's path. Without `to`, it removes them. */
function updateReferences(draft: RealmRepresentation, effects: EditEffects, from: string, to?: string): void {
  effects.names.push(defined({ what: 'group' as const, from, to }));
  draft.defaultGroups = draft.defaultGroups?.flatMap((path) => {
    if (path !== from && !path.startsWith(`${from}/`)) return [path];
    return to === undefined ? [] : [to + path.slice(from.length)];
  });
}

function setMembers(group: GroupRepresentation, { description, attributes }: GroupInput): void {
  if (typeof description === 'string') group.description = description;
  if (!attributes) return;
  const lists = Object.entries(attributes).flatMap(([name, values]) =>
    values === null || name === '__proto__' ? [] : [[name, values]],
  );
  group.attributes = Object.fromEntries(lists);
}

function requireName(input: string | null | undefined): string {
  const name = input?.trim() ?? '';
  if (name === '') throw badRequest('Group name is missing');
  return name;
}

function requireFreeName(
  draft: RealmRepresentation,
  parent: GroupWithPath | undefined,
  group: GroupRepresentation,
  kind = parent === undefined ? 'Top level' : 'Sibling',
): void {
  const isTaken = childrenOf(draft, parent).some((other) => other !== group && other.name === group.name);
  if (!isTaken) return;
  throw conflictError(`${kind} group named '${group.name}' already exists.`);
}
