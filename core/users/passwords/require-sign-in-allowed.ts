import { OAuthError } from '@keyhost/spi';
import type { Realm } from '../../model/realm.js';
import type { User } from '../../model/user.js';
import type { LoginFailures } from './login-failures.js';

/**
 * Checks a user wherever a sign-in is exchanged for tokens: authorization codes, device codes, the password grant,
 * grants of plugins. Minutes may pass between a login and its tokens. Not for refreshes, or a stranger's wrong guesses
 * could end sessions. Reads the store only in a realm with brute-force detection.
 * @throws OAuthError `invalid_grant` if the user is disabled, or locked by failed logins
 */
export async function requireSignInAllowed(failures: LoginFailures, realm: Realm, user: User): Promise<void> {
  if (!user.enabled) throw new OAuthError('invalid_grant', 'User disabled', { eventError: 'user_disabled' });
  if (!realm.bruteForceProtected || !(await failures.state(realm, user.id)).locked) return;
  throw new OAuthError('invalid_grant', 'User temporarily disabled', { eventError: 'user_temporarily_disabled' });
}
