import type { ActionToken, ActionTokenContext, Refusal } from '@keyhost/spi';
import type { MailedLinks } from '../../action-tokens/mailed-links.js';
import type { HostSession } from '../../registry/sessions/host-session.js';
import type { Users } from '../../users/users.js';

/**
 * The checks of every mailed link, in Keycloak's order: the browser has no session of another user, the email is still
 * the user's, and the link is the newest of its type.
 *
 * @param staleMessage message for a link whose email is no longer the user's
 */
export async function verifyMailedLink(
  { users, links, session }: { users: Users; links: MailedLinks; session: HostSession },
  token: ActionToken,
  context: ActionTokenContext,
  staleMessage: string,
): Promise<Refusal | undefined> {
  const other = await context.browserUser();
  if (other !== undefined && other.id !== context.user.id) {
    const message = 'differentUserAuthenticated';
    return { error: 'different_user_authenticated', message, params: [other.username] };
  }
  if (String(token.claims.eml).toLowerCase() !== (context.user.email ?? '').toLowerCase()) {
    return { error: 'invalid_email', message: staleMessage };
  }
  const realm = session.compiledRealm;
  const user = await users.byId(realm, context.user.id);
  const standing = user === undefined ? 'absent' : await links.validity(realm, user, token);
  return standing === 'good' ? undefined : { error: 'expired_code', message: 'expiredActionTokenNoSessionMessage' };
}

/** Following a mailed link proves access to the mailbox. */
export async function markEmailVerified(users: Users, session: HostSession, userId: string): Promise<void> {
  await users.change(session.compiledRealm, userId, (draft) => {
    draft.emailVerified = true;
    draft.requiredActions = (draft.requiredActions ?? []).filter((alias) => alias !== 'VERIFY_EMAIL');
  });
}
