import { randomUUID } from 'node:crypto';
import type { ProviderRegistry } from '../../registry/generations/registry.js';
import type { LoginFailures } from '../../users/passwords/login-failures.js';
import type { PluginValidators } from '../../users/profile/plugin-validators.js';
import type { Users } from '../../users/users.js';
import { notFoundError } from '../admin.js';
import { assignableActions } from '../authentication/required-action-operations.js';
import { managementPermissions } from '../management-permissions.js';
import { type AdminOperation, created, ok } from '../operation.js';
import { PAGING } from '../query.js';
import { endOtherSessions, type SessionEnder } from '../sessions/session-ender.js';
import { USER_MEMBERS } from '../strict-representations.js';
import { mapYielding } from '../yielding-loops.js';
import { applyUserInput, droppedActions, droppedAttributes, requireValidAttributes } from './apply-user-input.js';
import { changeUser, requireRightsOfUser, requireUser } from './change-user.js';
import { type PasswordParts, prepareCredentials } from './credential-input.js';
import { linkRepresentations } from './federated-identity-operations.js';
import { countUsers, searchUsers } from './find-users.js';
import { createUser } from './new-user.js';
import { toPasswordError } from './password-refused.js';
import { profileMetadata } from './profile-metadata.js';
import { USER_BODY, type UserInput } from './user-input.js';
import { AFTER_PARAMETER, USER_FILTERS } from './user-query.js';
import { briefUser, fullUser } from './user-representation.js';
import { USERS_TAG } from './users-tag.js';

export interface UserOperationParts extends PasswordParts {
  readonly users: Users;
  readonly validators: PluginValidators;
  readonly registry: ProviderRegistry;
  readonly failures: LoginFailures;
  readonly sessionEnder: SessionEnder;
}

export const BRIEF_PARAMETER = {
  type: 'boolean',
  description: 'Without attributes, required actions and not-before.',
} as const;
/** Roles of which a caller needs one to query users. */
export const QUERY_USERS_ROLES = ['view-users', 'query-users'];

/** Operations on users (Keycloak's UsersResource and UserResource). */
export function userOperations(parts: UserOperationParts): AdminOperation[] {
  const { users, failures, sessionEnder } = parts;
  return [
    {
      method: 'GET',
      path: '/users',
      tag: USERS_TAG,
      summary: 'Matching users, ordered by username; empty for callers with only query-users',
      roles: QUERY_USERS_ROLES,
      query: { ...USER_FILTERS, briefRepresentation: BRIEF_PARAMETER, ...PAGING, ...AFTER_PARAMETER },
      answers: { status: 200, body: { type: 'array', items: { $ref: 'UserRepresentation' } } },
      async handle(call) {
        const { realm, admin, query } = call;
        const toRepresentation = query.boolean('briefRepresentation') === true ? briefUser : fullUser(parts.types);
        return ok(
          await mapYielding(realm.name, await searchUsers(users, call), (user) => toRepresentation(admin, realm, user)),
        );
      },
    },
    {
      method: 'POST',
      path: '/users',
      tag: USERS_TAG,
      summary: 'Create a user; the ID and roles of the request are ignored',
      roles: ['manage-users'],
      body: USER_BODY,
      strict: USER_MEMBERS,
      answers: { status: 201 },
      event: { resourceType: 'USER' },
      async handle(call) {
        const id = randomUUID();
        const answer = created(call, id);
        await createUser(parts, call, id);
        return answer;
      },
    },
    {
      method: 'GET',
      path: '/users/count',
      tag: USERS_TAG,
      summary:
        'How many users match: exact up to 10,000. Beyond that it may be an estimate; the header `Keyhost-Count: estimated` says so',
      roles: QUERY_USERS_ROLES,
      query: USER_FILTERS,
      answers: { status: 200, body: { type: 'integer' } },
      async handle(call) {
        const { count, isEstimate } = await countUsers(users, call);
        return { status: 200, body: count, ...(isEstimate ? { headers: { 'Keyhost-Count': 'estimated' } } : {}) };
      },
    },
    {
      method: 'GET',
      path: '/users/{userId}',
      tag: USERS_TAG,
      summary: 'A user',
      roles: ['view-users'],
      etag: withoutProfileMetadata,
      query: { userProfileMetadata: { type: 'boolean', description: 'Include metadata for forms.' } },
      answers: { status: 200, body: 'UserRepresentation' },
      async handle(call) {
        const user = await requireUser(users, call);
        const federatedIdentities = linkRepresentations(user.representation);
        const links = federatedIdentities.length > 0 ? { federatedIdentities } : {};
        const withMetadata = call.query.boolean('userProfileMetadata') === true;
        return ok({
          ...fullUser(parts.types)(call.admin, call.realm, user),
          ...links,
          ...(withMetadata ? { userProfileMetadata: profileMetadata(call.realm, user) } : {}),
        });
      },
    },
    {
      method: 'PUT',
      path: '/users/{userId}',
      tag: USERS_TAG,
      summary: 'Update a user; absent members stay, and attributes replace all attributes',
      roles: ['manage-users'],
      body: USER_BODY,
      strict: USER_MEMBERS,
      ignoredMembers: ['groups', 'federatedIdentities'],
      answers: { status: 204 },
      event: { resourceType: 'USER' },
      async handle(call) {
        const { realm, admin, body } = call;
        const input = body as UserInput;
        const before = await requireUser(users, call);
        // Hashing is expensive, so check the caller's rights first.
        requireRightsOfUser(admin, realm, before);
        const actions = assignableActions(parts.registry, realm);
        const attributes = droppedAttributes(input, before.representation.attributes, realm, admin);
        call.setEventDetails({ ignored: [...attributes, ...droppedActions(input, actions)] });
        if (parts.validators.isUsedIn(realm)) {
          const candidate = structuredClone(before.representation);
          applyUserInput(candidate, input, realm, actions, admin);
          await requireValidAttributes(parts.validators, realm, before, candidate, admin);
        }
        const credentials = input.credentials ?? [];
        const apply = await prepareCredentials(parts, realm, before.representation, credentials).catch(
          (error: unknown) => {
            throw toPasswordError(error);
          },
        );
        const user = await changeUser(users, call, (draft) => {
          const { email } = draft;
          applyUserInput(draft, input, realm, actions, admin);
          // A link proves that its holder can read the mails of the old address, so all links are revoked.
          if (draft.email !== email) draft.linksNotBefore = parts.clock.now();
          apply(draft);
        });
        if (input.enabled === true) await failures.reset(realm, user);
        if (credentials.length > 0) await endOtherSessions(sessionEnder, call, user);
        return undefined;
      },
    },
    {
      method: 'DELETE',
      path: '/users/{userId}',
      tag: USERS_TAG,
      summary: 'Delete a user; their sessions end',
      roles: ['manage-users'],
      answers: { status: 204 },
      event: { resourceType: 'USER' },
      async handle(call) {
        const { realm, admin } = call;
        const user = await requireUser(users, call);
        requireRightsOfUser(admin, realm, user);
        await users.requireRemovable(realm, user);
        call.setEventDetails({ eventRepresentation: { id: user.id, username: user.username } });
        await sessionEnder.endAll(realm, { userId: user.id });
        if (!(await users.remove(realm, user.id))) throw notFoundError('User not found');
        await failures.reset(realm, user);
        return undefined;
      },
    },
    ...managementPermissions({
      path: '/users-management-permissions',
      tag: USERS_TAG,
      view: ['manage-realm'],
      manage: ['manage-realm'],
    }),
  ];
}

/** Removes the metadata that GET may add, so that the ETag does not depend on `userProfileMetadata`. */
function withoutProfileMetadata(body: unknown): unknown {
  if (!Object.hasOwn(body as object, 'userProfileMetadata')) return body;
  const { userProfileMetadata: _, ...user } = body as { userProfileMetadata: unknown };
  return user;
}
