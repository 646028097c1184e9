import { KEYHOST_ADMIN_CONSOLE } from './built-in-names.js';

/** The value of `about` for an admin's impersonation, which is not a sign-in of the user. */
export const IMPERSONATION = 'impersonation';
/** The value of `about` for a sign-in by the session that the browser already has. */
export const BY_SESSION = 'session';

/**
 * True if a counted LOGIN is a sign-in of a user. The admin console signs in by the browser's session with every page
 * load, which is none.
 * @param count.about how the user signed in
 */
export function isUserSignIn({ clientId, about }: { readonly clientId: string; readonly about: string }): boolean {
  return about !== IMPERSONATION && !(clientId === KEYHOST_ADMIN_CONSOLE && about === BY_SESSION);
}
