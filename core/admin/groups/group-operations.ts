import { randomUUID } from 'node:crypto';
import type { RealmEdits } from '../../realms/realm-edits.js';
import type { CredentialTypes } from '../../users/credentials/credential-types.js';
import type { Users } from '../../users/users.js';
import { managementPermissions } from '../management-permissions.js';
import { type AdminAnswer, type AdminCall, type AdminOperation, ok } from '../operation.js';
import { PAGING } from '../query.js';
import { GROUP_MEMBERS } from '../strict-representations.js';
import { briefUser, fullUser, withoutAccess } from '../users/user-representation.js';
import { mapYielding } from '../yielding-loops.js';
import { createGroup, moveGroup, removeGroup, updateGroup } from './change-group.js';
import { fullGroup, groupAccess, subGroupCount } from './group-representation.js';
import { countGroups, GROUP_FILTERS, searchChildren, searchGroups } from './group-search.js';
import { groupsById, requireGroup } from './group-with-path.js';

export interface GroupOperationParts {
  readonly users: Users;
  readonly types: CredentialTypes;
  readonly edits: RealmEdits;
}

export const GROUPS_TAG = 'Groups';
const VIEWER_ROLES = ['view-users', 'query-groups'];
const BRIEF_PARAMETER = { type: 'boolean', description: 'Without attributes and roles.' } as const;
const GROUPS = { status: 200, body: { type: 'array', items: { $ref: 'GroupRepresentation' } } } as const;

const TEXT = { type: ['string', 'null'], maxLength: 255 } as const;
/** The members of a group that a request may contain. Roles have their own paths. */
const GROUP_BODY = {
  type: 'object',
  properties: {
    id: TEXT,
    name: TEXT,
    description: { type: ['string', 'null'] },
    attributes: {
      type: ['object', 'null'],
      additionalProperties: { type: ['array', 'null'], items: { type: 'string' } },
    },
  },
} as const;

/** Operations on groups (Keycloak's GroupsResource and GroupResource). */
export function groupOperations({ users, edits, types }: GroupOperationParts): AdminOperation[] {
  const writeOperation = {
    tag: GROUPS_TAG,
    roles: ['manage-users'],
    event: { resourceType: 'GROUP' },
  } as const;
  return [
    {
      method: 'GET',
      path: '/groups',
      tag: GROUPS_TAG,
      summary: 'Top-level groups, or the matching groups with their parents',
      roles: VIEWER_ROLES,
      query: { ...GROUP_FILTERS, briefRepresentation: BRIEF_PARAMETER, ...PAGING },
      answers: GROUPS,
      handle: (call) => ok(searchGroups(call)),
    },
    {
      method: 'GET',
      path: '/groups/count',
      tag: GROUPS_TAG,
      summary: 'The number of groups',
      roles: VIEWER_ROLES,
      query: {
        search: GROUP_FILTERS.search,
        top: { type: 'boolean', description: 'Without a search: only top-level groups.' },
      },
      answers: { status: 200, body: { type: 'object', properties: { count: { type: 'integer' } } } },
      handle: ({ realm, query }) => ok({ count: countGroups(realm, query) }),
    },
    {
      ...writeOperation,
      method: 'POST',
      path: '/groups',
      summary: 'Create a top-level group, or move the group with this ID there',
      body: GROUP_BODY,
      strict: GROUP_MEMBERS,
      answers: { status: 201 },
      handle: (call) => createOrMove(edits, call),
    },
    {
      method: 'GET',
      path: '/groups/{groupId}',
      tag: GROUPS_TAG,
      summary: 'A group',
      roles: VIEWER_ROLES,
      etag: true,
      answers: { status: 200, body: 'GroupRepresentation' },
      handle(call) {
        const group = groupOfPath(call);
        return ok({ ...fullGroup(group), ...subGroupCount(group), ...groupAccess(call) });
      },
    },
    {
      ...writeOperation,
      method: 'PUT',
      path: '/groups/{groupId}',
      summary: 'Update a group',
      body: GROUP_BODY,
      strict: GROUP_MEMBERS,
      ignoredMembers: ['id'],
      answers: { status: 204 },
      async handle(call) {
        await updateGroup(edits, call);
        return undefined;
      },
    },
    {
      ...writeOperation,
      method: 'DELETE',
      path: '/groups/{groupId}',
      summary: 'Delete a group with its subgroups; not one with rights that the caller does not have',
      answers: { status: 204 },
      async handle(call) {
        await removeGroup(edits, call);
        return undefined;
      },
    },
    {
      method: 'GET',
      path: '/groups/{groupId}/children',
      tag: GROUPS_TAG,
      summary: 'The groups directly below a group',
      roles: VIEWER_ROLES,
      query: {
        search: { type: 'string', description: 'Beginning of the name.' },
        exact: GROUP_FILTERS.exact,
        subGroupsCount: GROUP_FILTERS.subGroupsCount,
        briefRepresentation: BRIEF_PARAMETER,
        ...PAGING,
      },
      answers: GROUPS,
      handle: (call) => ok(searchChildren(call, groupOfPath(call))),
    },
    {
      ...writeOperation,
      method: 'POST',
      path: '/groups/{groupId}/children',
      summary: 'Create a group below a group, or move the group with this ID there',
      body: GROUP_BODY,
      strict: GROUP_MEMBERS,
      answers: { status: 201, body: 'GroupRepresentation' },
      handle: (call) => createOrMove(edits, call, call.params.groupId),
    },
    {
      method: 'GET',
      path: '/groups/{groupId}/members',
      tag: GROUPS_TAG,
      summary: 'The users in a group, ordered by username',
      roles: ['view-users'],
      query: { briefRepresentation: BRIEF_PARAMETER, ...PAGING },
      answers: { status: 200, body: { type: 'array', items: { $ref: 'UserRepresentation' } } },
      async handle(call) {
        const { realm, admin, query } = call;
        const toRepresentation = query.boolean('briefRepresentation') === true ? briefUser : fullUser(types);
        const holds = { kind: 'group', name: groupOfPath(call).storedPath } as const;
        const members = await users.find(realm, { holds, ...query.page() });
        return ok(
          await mapYielding(realm.name, members, (user) => withoutAccess(toRepresentation(admin, realm, user))),
        );
      },
    },
    {
      method: 'GET',
      path: '/group-by-path/{path*}',
      tag: GROUPS_TAG,
      summary: 'The group with that path',
      roles: VIEWER_ROLES,
      answers: { status: 200, body: 'GroupRepresentation' },
      handle({ realm, params }) {
        const group = groupAtPath(realm, params.path ?? '');
        return ok({ ...fullGroup(group), ...subGroupCount(group) });
      },
    },
    ...managementPermissions(
      {
        path: '/groups/{groupId}/management/permissions',
        tag: GROUPS_TAG,
        view: VIEWER_ROLES,
        manage: ['manage-users'],
      },
      (call) => void groupOfPath(call),
    ),
  ];
}

function groupOfPath({ realm, params }: AdminCall) {
  return requireGroup(groupsById(realm), params.groupId);
}

function groupAtPath(realm: AdminCall['realm'], path: string) {
  const storedPath = realm.findGroupPath(`/${path.replace(/^\/+/, '')}`);
  const group = [...groupsById(realm).values()].find((candidate) => candidate.storedPath === storedPath);
  return group ?? requireGroup(new Map(), undefined, 'Group path does not exist');
}

/** Creates a group. As in Keycloak, a POST with the ID of an existing group moves that group instead. */
async function createOrMove(edits: RealmEdits, call: AdminCall, parentId?: string): Promise<AdminAnswer> {
  const { id } = call.body as { id?: string | null };
  if (id) {
    const ignoredNames = Object.keys(call.body as object).filter((name) => name !== 'id');
    call.setEventDetails({ operationType: 'UPDATE', ignoredNames });
    await moveGroup(edits, call, id, parentId);
    return undefined;
  }
  const groupId = randomUUID();
  call.setEventDetails({ created: parentId === undefined ? groupId : `/groups/${groupId}` });
  const group = await createGroup(edits, call, groupId, parentId);
  return parentId === undefined
    ? { status: 201 }
    : { status: 201, body: { ...fullGroup(group), ...subGroupCount(group) } };
}
