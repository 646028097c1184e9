import type { AuthenticationContext } from '@keyhost/spi';
import type { HostSession } from '../../../registry/sessions/host-session.js';
import { RESET_CREDENTIALS } from '../../links/browser-link-logins.js';

/** True if the user has followed the mailed link. The flow must not change credentials before that. */
export function hasFollowedLink(
  { caller }: HostSession,
  { user, provenBefore }: Pick<AuthenticationContext, 'user' | 'provenBefore'>,
): boolean {
  return caller.login?.link === RESET_CREDENTIALS && user !== undefined && provenBefore;
}
