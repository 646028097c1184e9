import type { HostSession } from '../../registry/sessions/host-session.js';

import type { Users } from '../../users/users.js';

/**
 * Changes the user's email. A new email invalidates the links that were mailed before. If emails are usernames, the
 * username changes too.
 * @param options.verified false: a new email is unverified
 * @param options.completedAction the required action that the change completes
 * @returns `exists` if another user has the email
 */
export async function changeEmail(
  users: Users,
  session: HostSession,
  userId: string,
  email: string,
  { verified, completedAction }: { readonly verified: boolean; readonly completedAction?: string | undefined },
): Promise<'changed' | 'exists'> {
  const realm = session.compiledRealm;
  const updatedUser = await users.change(realm, userId, (draft) => {
    const isNewEmail = (draft.email ?? '').toLowerCase() !== email;
    draft.email = email;
    if (realm.settings.registrationEmailAsUsername) draft.username = email;
    draft.emailVerified = verified || (!isNewEmail && draft.emailVerified === true);
    if (isNewEmail) draft.linksNotBefore = session.clock.now();
    const completedActions = verified ? [completedAction, 'VERIFY_EMAIL'] : [completedAction];
    draft.requiredActions = (draft.requiredActions ?? []).filter((alias) => !completedActions.includes(alias));
  });
  return updatedUser !== undefined && 'exists' in updatedUser ? 'exists' : 'changed';
}
