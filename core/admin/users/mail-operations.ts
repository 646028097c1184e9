import { defined } from '../../model/defined.js';
import { codeOf } from '../../model/thrown.js';
import type { User } from '../../model/user.js';
import type { CalledRealm } from '../../registry/sessions/caller.js';
import type { Users } from '../../users/users.js';
import { AdminError, badRequest } from '../admin.js';
import { mailFailureReason } from '../mail-failure.js';
import type { AdminCall, AdminOperation } from '../operation.js';
import { requireRightsOfUser, requireUser } from './change-user.js';
import { USERS_TAG } from './users-tag.js';

/** An email that an admin sends to a user. */
export interface RequestedMail {
  /** The required actions of the link. Undefined: the link only verifies the email address. */
  readonly actions: readonly string[] | undefined;
  readonly clientId: string | undefined;
  readonly redirectUri: string | undefined;
  /** In seconds. Undefined: the realm's setting. */
  readonly lifespan: number | undefined;
}

export interface MailOperationParts {
  readonly users: Users;
  readonly adminMails: {
    /**
     * Sends the email.
     * @returns the problem with the request; undefined if the email was sent
     * @throws HostError `email_send_failed`. Its `cause` has the reason, and `brief` of the cause contains no text of
     * the server
     */
    send(calledRealm: CalledRealm, user: User, mail: RequestedMail): Promise<string | undefined>;
  };
}

const QUERY_WITHOUT_LIFESPAN = {
  client_id: { type: 'string', description: 'Client that the link belongs to.' },
  redirect_uri: { type: 'string', description: 'Where the last page leads to: an address of that client.' },
} as const;
const QUERY = {
  ...QUERY_WITHOUT_LIFESPAN,
  lifespan: { type: 'integer', description: 'Lifespan of the link, in seconds.' },
} as const;

/** An operation that sends an email. */
interface MailOperation extends Pick<AdminOperation, 'summary' | 'body' | 'hasOptionalBody' | 'query'> {
  readonly path: string;
  /** The error message if the email is not sent. */
  readonly failureMessage: string;
  readonly actions: (call: AdminCall) => RequestedMail['actions'];
}

/** Operations that mail links to users (Keycloak's UserResource). */
export function mailOperations({ users, adminMails }: MailOperationParts): AdminOperation[] {
  const createOperation = ({ path, failureMessage, actions, ...members }: MailOperation): AdminOperation => ({
    method: 'PUT',
    path: `/users/{userId}/${path}`,
    tag: USERS_TAG,
    roles: ['manage-users'],
    answers: { status: 204 },
    event: { resourceType: 'USER', operation: 'ACTION' },
    ...members,
    async handle(call) {
      const user = await requireUser(users, call);
      requireRightsOfUser(call.admin, call.realm, user);
      const problem = await sendMail(call, user, actions(call), failureMessage);
      if (problem !== undefined) throw badRequest(problem);
      return undefined;
    },
  });
  const sendMail = async (
    call: AdminCall,
    user: User,
    actions: readonly string[] | undefined,
    failureMessage: string,
  ) => {
    const { query } = call;
    try {
      return await adminMails.send(call, user, {
        actions,
        clientId: query.string('client_id'),
        redirectUri: query.string('redirect_uri'),
        lifespan: query.integer('lifespan'),
      });
    } catch (error) {
      if (codeOf(error) !== 'email_send_failed') throw error;
      throw new AdminError(500, {
        errorMessage: failureMessage,
        // The reason is about the mail server, so only admins who may view the realm's settings get it.
        ...(call.admin.can(call.realm.name, 'view-realm')
          ? defined({ error_description: mailFailureReason(call.admin, error) })
          : {}),
      });
    }
  };
  const actionsFailedMessage = 'Failed to send execute actions email';
  return [
    createOperation({
      path: 'execute-actions-email',
      summary: 'Send a user an email with a link to required actions',
      query: QUERY,
      body: { type: 'array', items: { type: 'string' }, maxItems: 100 },
      // As in Keycloak, an absent body is an empty list.
      hasOptionalBody: true,
      failureMessage: actionsFailedMessage,
      actions: ({ body }) => (body ?? []) as readonly string[],
    }),
    createOperation({
      path: 'reset-password-email',
      summary: 'Deprecated: execute-actions-email with UPDATE_PASSWORD, as long as the realm says',
      query: QUERY_WITHOUT_LIFESPAN,
      failureMessage: actionsFailedMessage,
      actions: () => ['UPDATE_PASSWORD'],
    }),
    createOperation({
      path: 'send-verify-email',
      summary: 'Send a user an email with a link that verifies the address',
      query: QUERY,
      failureMessage: 'Failed to send verify email',
      actions: () => undefined,
    }),
  ];
}
