import type { RealmRepresentation } from '../../model/representation.js';
import type { RealmEdits } from '../../realms/realm-edits.js';
import { type AdminCall, type AdminOperation, ok } from '../operation.js';
import { briefGroup } from './group-representation.js';
import {
  type GroupWithPath,
  groupsById,
  groupsWithPaths,
  groupWithId,
  requireCoveredGroup,
} from './group-with-path.js';

/** `/default-groups`: the groups that every new user joins. */
export function defaultGroupOperations({ edits }: { readonly edits: RealmEdits }): AdminOperation[] {
  const writing = {
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
        const places = new Set(realm.representation.defaultGroups);
        return ok([...groupsById(realm).values()].filter(({ place }) => places.has(place)).map(briefGroup));
      },
    },
    {
      ...writing,
      method: 'PUT',
      summary: 'Make a group a default group; not one with rights that the caller does not have',
      event: { resourceType: 'GROUP', operation: 'CREATE' },
      handle: (call) => changed(edits, call, (places, { place }) => [...new Set([...places, place])]),
    },
    {
      ...writing,
      method: 'DELETE',
      summary: 'Make a group no default group',
      event: { resourceType: 'GROUP' },
      handle: (call) => changed(edits, call, (places, { place }) => places.filter((other) => other !== place)),
    },
  ];
}

async function changed(
  edits: RealmEdits,
  call: AdminCall,
  change: (places: readonly string[], group: GroupWithPath) => RealmRepresentation['defaultGroups'],
): Promise<undefined> {
  const { realm, admin, params } = call;
  await edits.edit(realm.name, (draft) => {
    const group = groupWithId(groupsWithPaths(draft), params.groupId, 'Group not found');
    requireCoveredGroup(admin, draft, group);
    draft.defaultGroups = change(draft.defaultGroups ?? [], group) ?? [];
  });
  return undefined;
}
