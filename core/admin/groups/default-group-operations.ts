import type { RealmRepresentation } from '../../model/representation.js';
import type { RealmEdits } from '../../realms/realm-edits.js';
import { type AdminCall, type AdminOperation, ok } from '../operation.js';
import { briefGroup } from './group-representation.js';
import {
  type GroupWithPath,
  groupsById,
  groupsWithPaths,
  requireGroup,
  requireRightsOfGroup,
} from './group-with-path.js';

/** Operations on the default groups, which every new user joins. */
export function defaultGroupOperations({ edits }: { readonly edits: RealmEdits }): AdminOperation[] {
  const writeOperation = {
    path: '/default-groups/{groupId}',
    tag: 'Realms Admin',
    roles: ['manage-realm'],
    answers: { status: 204 },
  } as const;
  return [
    {
      method: 'GET',
      path: '/default-groups',
      tag: 'Realms Admin',
      summary: 'The default groups',
      roles: ['view-realm'],
      answers: { status: 200, body: { type: 'array', items: { $ref: 'GroupRepresentation' } } },
      handle({ realm }) {
        const paths = new Set(realm.representation.defaultGroups);
        return ok([...groupsById(realm).values()].filter(({ storedPath }) => paths.has(storedPath)).map(briefGroup));
      },
    },
    {
      ...writeOperation,
      method: 'PUT',
      summary: 'Make a group a default group; not one with rights that the caller does not have',
      event: { resourceType: 'GROUP', operation: 'CREATE' },
      handle: (call) =>
        changeDefaultGroups(edits, call, (paths, { storedPath }) => [...new Set([...paths, storedPath])]),
    },
    {
      ...writeOperation,
      method: 'DELETE',
      summary: 'Make a group no default group',
      event: { resourceType: 'GROUP' },
      handle: (call) =>
        changeDefaultGroups(edits, call, (paths, { storedPath }) => paths.filter((other) => other !== storedPath)),
    },
  ];
}

async function changeDefaultGroups(
  edits: RealmEdits,
  call: AdminCall,
  change: (paths: readonly string[], group: GroupWithPath) => RealmRepresentation['defaultGroups'],
): Promise<undefined> {
  const { realm, admin, params } = call;
  await edits.edit(realm.name, (draft) => {
    const group = requireGroup(groupsWithPaths(draft), params.groupId, 'Group not found');
    requireRightsOfGroup(admin, draft, group);
    draft.defaultGroups = change(draft.defaultGroups ?? [], group) ?? [];
  });
  return undefined;
}
