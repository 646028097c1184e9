import type { ActionToken, ActionTokenContext, Refusal } from '@keyhost/spi';
import type { MailedLinks } from '../../action-tokens/mailed-links.js';
import type { HostSession } from '../../registry/sessions/session.js';
import type { Users } from '../../users/users.js';

/**
 * What every mailed link is held against, in Keycloak's order: nobody else is logged in in the browser, the address is still
 * the user's, and it is the newest link of its kind.
 * @param staleMessage what is said of a link whose address is no longer the user's
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
  const standing = user === undefined ? 'absent' : await links.standing(realm, user, token);
  return standing === 'good' ? undefined : { error: 'expired_code', message: 'expiredActionTokenNoSessionMessage' };
}

/** Whoever follows a mailed link reads the mails of that address. */
export async function emailIsVerified(users: Users, session: HostSession, userId: string): Promise<void> {
  await users.change(session.compiledRealm, userId, (draft) => {
    draft.emailVerified = true;
    draft.requiredActions = (draft.requiredActions ?? []).filter((alias) => alias !== 'VERIFY_EMAIL');
  });
}
