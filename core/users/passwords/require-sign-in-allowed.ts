import { OAuthError } from '@keyhost/spi';
import type { Realm } from '../../model/realm.js';
import type { User } from '../../model/user.js';
import type { LoginFailures } from './login-failures.js';

/**
 * Checks the user again before a login is exchanged for tokens: by an authorization code, a device code, the password
 * grant, or a plugin's grant. Minutes may pass between a login and its tokens. Do not call it for refreshes: otherwise
 * a stranger's wrong guesses could end sessions. It reads the store only in a realm with brute-force detection.
 * @throws OAuthError `invalid_grant` if the user is disabled, or locked by failed logins
 */
export async function requireSignInAllowed(failures: LoginFailures, realm: Realm, user: User): Promise<void> {
  if (!user.enabled) throw new OAuthError('invalid_grant', 'User disabled', { eventError: 'user_disabled' });
  if (!realm.bruteForceProtected || !(await failures.state(realm, user.id)).isLocked) return;
  throw new OAuthError('invalid_grant', 'User temporarily disabled', { eventError: 'user_temporarily_disabled' });
}
