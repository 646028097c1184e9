import { OAuthError, type Session } from '@keyhost/spi';

/** The reason why a user gets no link. Only events contain it. */
export const REASONS = {
  user_not_found: 'user not found',
  user_disabled: 'the user is disabled',
  not_allowed: 'the user is an admin or a service account, and privilegedSubjects is off',
} as const;

/** The same answer for every user that gets no link. */
export class SubjectRefusedError extends OAuthError {
  readonly reason: keyof typeof REASONS;

  constructor(reason: keyof typeof REASONS) {
    super('not_found', 'User not found', { status: 404, eventError: reason });
    this.reason = reason;
  }
}

/**
 * Checks that a user may get a link. The answer to the caller does not reveal the reason; the event does.
 * @param privileged true to admit admins and service accounts, too
 * @throws SubjectRefusedError
 */
export async function admitUser({ users }: Session, userId: string, privileged: boolean): Promise<void> {
  const user = await users.byId(userId);
  if (user === undefined) throw new SubjectRefusedError('user_not_found');
  if (!user.enabled) throw new SubjectRefusedError('user_disabled');
  if (privileged) return;
  const isPrivileged = user.serviceAccountClientId !== undefined || (await users.isAdmin(userId));
  if (isPrivileged) throw new SubjectRefusedError('not_allowed');
}
