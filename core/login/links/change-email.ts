import type { HostSession } from '../../registry/sessions/host-session.js';

import type { Users } from '../../users/users.js';

/**
 * Changes the user's email, and invalidates the links that were mailed before. If emails are usernames, the username
 * changes too.
 * @param options.done the required action that this completes
 * @returns `exists` if another user has the email
 */
export async function changeEmail(
  users: Users,
  session: HostSession,
  userId: string,
  email: string,
  { verified, done }: { readonly verified: boolean; readonly done?: string | undefined },
): Promise<'changed' | 'exists'> {
  const realm = session.compiledRealm;
  const updatedUser = await users.change(realm, userId, (draft) => {
    const isNewEmail = (draft.email ?? '').toLowerCase() !== email;
    draft.email = email;
    if (realm.settings.registrationEmailAsUsername) draft.username = email;
    draft.emailVerified = verified || (!isNewEmail && draft.emailVerified === true);
    if (isNewEmail) draft.linksNotBefore = session.clock.now();
    const completedActions = verified ? [done, 'VERIFY_EMAIL'] : [done];
    draft.requiredActions = (draft.requiredActions ?? []).filter((alias) => !completedActions.includes(alias));
  });
  return updatedUser !== undefined && 'exists' in updatedUser ? 'exists' : 'changed';
}
