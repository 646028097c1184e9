import { codeOf } from '../../model/thrown.js';
import type { User } from '../../model/user.js';
import type { CalledRealm } from '../../registry/sessions/session.js';
import type { Users } from '../../users/users.js';
import { AdminError, badRequest } from '../admin.js';
import type { AdminCall, AdminOperation } from '../operation.js';
import { requireCovered, userOf } from './change-user.js';
import { USERS_TAG } from './users-tag.js';

/** What an admin has a user mailed. */
export interface RequestedMail {
  /** Required actions; undefined: only the address is verified. */
  readonly actions: readonly string[] | undefined;
  readonly clientId: string | undefined;
  readonly redirectUri: string | undefined;
  /** Seconds; undefined: as the realm says. */
  readonly lifespan: number | undefined;
}

export interface MailOperationParts {
  readonly users: Users;
  readonly adminMails: {
    /**
     * @returns what is wrong with the request
     * @throws HostError `email_send_failed`
     */
    send(called: CalledRealm, user: User, mail: RequestedMail): Promise<string | undefined>;
  };
}

const QUERY = {
  client_id: { type: 'string', description: 'Client that the link belongs to.' },
  redirect_uri: { type: 'string', description: 'Where the last page leads to: an address of that client.' },
  lifespan: { type: 'integer', description: 'Lifespan of the link, in seconds.' },
} as const;

/** Mails with links for users (Keycloak's UserResource). */
export function mailOperations({ users, adminMails }: MailOperationParts): AdminOperation[] {
  const operation = (path: string, summary: string, failed: string, actions?: object): AdminOperation => ({
    method: 'PUT',
    path: `/users/{userId}/${path}`,
    tag: USERS_TAG,
    summary,
    roles: ['manage-users'],
    query: QUERY,
    // As in Keycloak, no body is an empty list.
    ...(actions === undefined ? {} : { body: actions, mayLackBody: true }),
    answers: { status: 204 },
    event: { resourceType: 'USER', operation: 'ACTION' },
    async handle(call) {
      const user = await userOf(users, call);
      requireCovered(call.admin, call.realm, user);
      const asked = (call.body ?? []) as readonly string[];
      const problem = await sent(call, user, actions === undefined ? undefined : asked, failed);
      if (problem !== undefined) throw badRequest(problem);
      return undefined;
    },
  });
  const sent = async (call: AdminCall, user: User, actions: readonly string[] | undefined, failed: string) => {
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
      throw new AdminError(500, { errorMessage: failed });
    }
  };
  const actions = { type: 'array', items: { type: 'string' }, maxItems: 100 };
  return [
    operation(
      'execute-actions-email',
      'Send a user an email with a link to required actions',
      'Failed to send execute actions email',
      actions,
    ),
    operation(
      'send-verify-email',
      'Send a user an email with a link that verifies the address',
      'Failed to send verify email',
    ),
  ];
}
