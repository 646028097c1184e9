import { defined } from '../../model/defined.js';
import type { User } from '../../model/user.js';
import type { Users } from '../../users/users.js';
import { forbiddenError } from '../admin.js';
import { briefGroup, fullGroup } from '../groups/group-representation.js';
import { type GroupWithPath, groupsById, requireGroup, rolesOfGroup } from '../groups/group-with-path.js';
import { type AdminCall, type AdminOperation, ok } from '../operation.js';
import { PAGING, pageOf } from '../query.js';
import { changeUser, requireUser } from './change-user.js';
import { USERS_TAG } from './users-tag.js';

const SEARCH = { type: 'string', description: 'A part of the name.' } as const;

/** Operations on the groups of a user. Adding a user to a group grants the group's roles. */
export function userGroupOperations({ users }: { readonly users: Users }): AdminOperation[] {
  const membershipOperation = {
    path: '/users/{userId}/groups/{groupId}',
    tag: USERS_TAG,
    roles: ['manage-users'],
    answers: { status: 204 },
  } as const;
  return [
    {
      method: 'GET',
      path: '/users/{userId}/groups',
      tag: USERS_TAG,
      summary: 'The groups of a user',
      roles: ['view-users'],
      query: {
        search: SEARCH,
        briefRepresentation: { type: 'boolean', description: 'Without attributes and roles; default: true.' },
        ...PAGING,
      },
      answers: { status: 200, body: { type: 'array', items: { $ref: 'GroupRepresentation' } } },
      async handle(call) {
        const toRepresentation = call.query.boolean('briefRepresentation') === false ? fullGroup : briefGroup;
        const groups = groupsOf(call, await requireUser(users, call));
        return ok(pageOf(groups, call.query.page('all')).map(toRepresentation));
      },
    },
    {
      method: 'GET',
      path: '/users/{userId}/groups/count',
      tag: USERS_TAG,
      summary: 'The number of groups of a user',
      roles: ['view-users'],
      query: { search: SEARCH },
      answers: { status: 200, body: { type: 'object', properties: { count: { type: 'integer' } } } },
      handle: async (call) => ok({ count: groupsOf(call, await requireUser(users, call)).length }),
    },
    {
      ...membershipOperation,
      method: 'PUT',
      summary: 'Add a user to a group',
      event: { resourceType: 'GROUP_MEMBERSHIP', operation: 'CREATE' },
      handle: (call) => changeGroups(users, call, (groupPaths, groupPath) => [...new Set([...groupPaths, groupPath])]),
    },
    {
      ...membershipOperation,
      method: 'DELETE',
      summary: 'Remove a user from a group',
      event: { resourceType: 'GROUP_MEMBERSHIP' },
      handle: (call) =>
        changeGroups(users, call, (groupPaths, groupPath) => groupPaths.filter((other) => other !== groupPath)),
    },
  ];
}

function groupsOf({ realm, query }: AdminCall, user: User): GroupWithPath[] {
  const groupPaths = new Set(user.groups(realm));
  const text = query.string('search')?.toLowerCase() ?? '';
  return [...groupsById(realm).values()].filter(
    ({ storedPath, group }) => groupPaths.has(storedPath) && group.name.toLowerCase().includes(text),
  );
}

async function changeGroups(
  users: Users,
  call: AdminCall,
  change: (groupPaths: readonly string[], groupPath: string) => string[],
): Promise<undefined> {
  const { realm, admin, params } = call;
  const group = requireGroup(groupsById(realm), params.groupId, 'Group not found');
  if (!admin.covers(realm, rolesOfGroup(realm.roles, group))) throw forbiddenError();
  await changeUser(users, call, (draft) => {
    const before = draft.groups ?? [];
    draft.groups = change(before, group.storedPath);
    const { username, email } = draft;
    call.setEventDetails({
      unchanged: draft.groups.length === before.length,
      eventRepresentation: fullGroup(group),
      texts: defined({ email, username }),
    });
  });
  return undefined;
}
