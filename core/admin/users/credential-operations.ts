import { defined } from '../../model/defined.js';
import type { CredentialRepresentation } from '../../model/representation.js';
import type { User } from '../../model/user.js';
import { withCredentialIds } from '../../users/credentials/credential-ids.js';
import type { CredentialTypes, CredentialView } from '../../users/credentials/credential-types.js';
import type { Users } from '../../users/users.js';
import { AdminError, badRequest, notFoundError } from '../admin.js';
import { type AdminCall, type AdminOperation, ok } from '../operation.js';
import { endOtherSessions, type SessionEnder } from '../sessions/session-ender.js';
import { CREDENTIAL_MEMBERS } from '../strict-representations.js';
import { changeUser, requireRightsOfUser, requireUser } from './change-user.js';
import { type PasswordParts, preparePassword } from './credential-input.js';
import { toPasswordError } from './password-refused.js';
import { CREDENTIAL_BODY, type CredentialInput } from './user-input.js';
import { USERS_TAG } from './users-tag.js';

export interface CredentialOperationParts extends PasswordParts {
  readonly users: Users;
  readonly types: CredentialTypes;
  readonly sessionEnder: SessionEnder;
}

const LABEL_LIMIT = 255;
const LIST_PATH = '/users/{userId}/credentials';
const CREDENTIAL_PATH = `${LIST_PATH}/{credentialId}`;
/** The event of a change. It contains no credential. */
const ACTION_EVENT = { resourceType: 'USER', operation: 'ACTION' } as const;

/** Operations on the credentials of a user. They return nothing that could be used to sign in. */
export function credentialOperations(parts: CredentialOperationParts): AdminOperation[] {
  const { users, types, sessionEnder } = parts;
  const writeOperation = {
    tag: USERS_TAG,
    roles: ['manage-users'],
    answers: { status: 204 },
    event: ACTION_EVENT,
  } as const;
  return [
    {
      method: 'GET',
      path: LIST_PATH,
      tag: USERS_TAG,
      summary: 'The credentials of a user, in their order',
      roles: ['view-users'],
      answers: { status: 200, body: { type: 'array', items: { $ref: 'CredentialRepresentation' } } },
      async handle(call) {
        const user = await requireUser(users, call);
        return ok((await types.viewsOf(call.realm, user)).map(credentialResponse));
      },
    },
    {
      ...writeOperation,
      method: 'DELETE',
      path: CREDENTIAL_PATH,
      summary: 'Remove a credential',
      handle: (call) =>
        changeCredentials(parts, call, (list, position) => {
          const { id = '', type } = list[position] ?? { type: '' };
          call.setEventDetails({ texts: { credential_type: type, credential_id: id } });
          return list.toSpliced(position, 1);
        }),
    },
    {
      ...writeOperation,
      method: 'PUT',
      path: `${CREDENTIAL_PATH}/userLabel`,
      summary: 'Name a credential',
      textBody: true,
      async handle(call) {
        const label = call.body as string;
        if (label.length > LABEL_LIMIT) throw badRequest(`A label has ${LABEL_LIMIT} characters at most`);
        return changeCredentials(parts, call, (list, position) =>
          list.map((credential, index) => (index === position ? { ...credential, userLabel: label } : credential)),
        );
      },
    },
    {
      ...writeOperation,
      method: 'POST',
      path: `${CREDENTIAL_PATH}/moveToFirst`,
      summary: 'Move a credential to the first position',
      handle: (call) =>
        changeCredentials(parts, call, (list, position) => [
          ...list.slice(position, position + 1),
          ...list.toSpliced(position, 1),
        ]),
    },
    {
      ...writeOperation,
      method: 'POST',
      path: `${CREDENTIAL_PATH}/moveAfter/{newPreviousCredentialId}`,
      summary: 'Move a credential behind another',
      handle: (call) =>
        changeCredentials(parts, call, (list, position) => {
          const otherCredentials = list.toSpliced(position, 1);
          const previousIndex = otherCredentials.findIndex(({ id }) => id === call.params.newPreviousCredentialId);
          if (previousIndex < 0) throw notFoundError('Credential not found');
          return otherCredentials.toSpliced(previousIndex + 1, 0, ...list.slice(position, position + 1));
        }),
    },
    {
      ...writeOperation,
      method: 'PUT',
      path: '/users/{userId}/reset-password',
      summary: "Set a user's password; other sessions and earlier links end",
      body: CREDENTIAL_BODY,
      strict: CREDENTIAL_MEMBERS,
      ignoredMembers: ['userLabel', 'secretData', 'credentialData', 'createdDate'],
      async handle(call) {
        const { realm, admin } = call;
        const { value, temporary } = call.body as CredentialInput;
        const before = await requireUser(users, call);
        if (typeof value !== 'string') throw new AdminError(400, { error: 'No password provided' });
        if (value.trim() === '') throw new AdminError(400, { error: 'Empty password not allowed' });
        // Hashing is expensive, so check the caller's rights first.
        requireRightsOfUser(admin, realm, before);
        const owner = before.representation;
        const apply = await preparePassword(parts, realm, owner, value, temporary === true).catch((error: unknown) => {
          throw toPasswordError(error);
        });
        await endOtherSessions(sessionEnder, call, await changeUser(users, call, apply));
        return undefined;
      },
    },
    {
      ...writeOperation,
      method: 'PUT',
      path: '/users/{userId}/disable-credential-types',
      summary: 'Remove all credentials of these types',
      body: { type: 'array', maxItems: 20, items: { type: 'string' } },
      async handle(call) {
        const types = call.body as string[];
        await changeUser(users, call, (draft) => {
          const before = draft.credentials ?? [];
          draft.credentials = before.filter(({ type }) => !types.includes(type));
          call.setEventDetails({ unchanged: draft.credentials.length === before.length });
        });
        return undefined;
      },
    },
    {
      method: 'GET',
      path: '/users/{userId}/configured-user-storage-credential-types',
      tag: USERS_TAG,
      summary: 'The credential types of a user storage: none, because Keyhost has no user storage',
      roles: ['view-users'],
      answers: { status: 200, body: { type: 'array', items: { type: 'string' } } },
      async handle(call) {
        await requireUser(users, call);
        return ok([]);
      },
    },
  ];
}

async function changeCredentials(
  { users, types }: CredentialOperationParts,
  call: AdminCall,
  change: (list: readonly CredentialRepresentation[], position: number) => CredentialRepresentation[],
): Promise<undefined> {
  await changeUser(users, call, (draft, user: User) => {
    const credentials = withCredentialIds(user.id, draft.credentials ?? []);
    const position = credentials.findIndex(
      ({ id, type }) => id === call.params.credentialId && types.of(call.realm, type) !== undefined,
    );
    if (position < 0) throw notFoundError('Credential not found');
    draft.credentials = change(credentials, position);
  });
  return undefined;
}

function credentialResponse({ credential, type, label, credentialData }: CredentialView): object {
  const { id, createdDate } = credential;
  return { id, type: type.type, ...defined({ userLabel: label, createdDate, credentialData }) };
}
