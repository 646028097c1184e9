import type { ActionToken, ActionTokenContext, Refusal } from '@keyhost/spi';
import type { MailedLinks } from '../../action-tokens/mailed-links.js';
import type { HostSession } from '../../registry/sessions/host-session.js';
import type { Users } from '../../users/users.js';

/**
 * Checks a mailed link, in Keycloak's order. The browser must not be signed in as another user. The email must still be
 * the user's, and the link must be the newest of its type.
 * @param staleMessage the message for a link whose email is no longer the user's
 */
export async function verifyMailedLink(
  { users, links, session }: { users: Users; links: MailedLinks; session: HostSession },
  token: ActionToken,
  context: ActionTokenContext,
  staleMessage: string,
): Promise<Refusal | undefined> {
  const browserUser = await context.browserUser();
  if (browserUser !== undefined && browserUser.id !== context.user.id) {
    const message = 'differentUserAuthenticated';
    return { error: 'different_user_authenticated', message, params: [browserUser.username] };
  }
  if (String(token.claims.eml).toLowerCase() !== (context.user.email ?? '').toLowerCase()) {
    return { error: 'invalid_email', message: staleMessage };
  }
  const realm = session.compiledRealm;
  const user = await users.byId(realm, context.user.id);
  const validity = user === undefined ? 'absent' : await links.validity(realm, user, token);
  return validity === 'good' ? undefined : { error: 'expired_code', message: 'expiredActionTokenNoSessionMessage' };
}

/** Marks the user's email as verified, because following a mailed link proves access to the mailbox. */
export async function markEmailVerified(users: Users, session: HostSession, userId: string): Promise<void> {
  await users.change(session.compiledRealm, userId, (draft) => {
    draft.emailVerified = true;
    draft.requiredActions = (draft.requiredActions ?? []).filter((alias) => alias !== 'VERIFY_EMAIL');
  });
}
