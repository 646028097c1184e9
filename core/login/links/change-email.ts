import type { HostSession } from '../../registry/sessions/session.js';

import type { Users } from '../../users/users.js';

/**
 * Gives the user another address; links that were mailed until now die. Where addresses are names, the name goes with it.
 * @param options.done a required action that is done with it
 * @returns `exists` when somebody else has it
 */
export async function changeEmail(
  users: Users,
  session: HostSession,
  userId: string,
  email: string,
  { verified, done }: { readonly verified: boolean; readonly done?: string | undefined },
): Promise<'changed' | 'exists'> {
  const realm = session.compiledRealm;
  const changed = await users.change(realm, userId, (draft) => {
    const isOther = (draft.email ?? '').toLowerCase() !== email;
    draft.email = email;
    if (realm.settings.registrationEmailAsUsername) draft.username = email;
    draft.emailVerified = verified || (!isOther && draft.emailVerified === true);
    if (isOther) draft.linksNotBefore = session.clock.now();
    const settled = verified ? [done, 'VERIFY_EMAIL'] : [done];
    draft.requiredActions = (draft.requiredActions ?? []).filter((alias) => !settled.includes(alias));
  });
  return changed !== undefined && 'exists' in changed ? 'exists' : 'changed';
}
