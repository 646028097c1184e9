import type { Plugin } from '@keyhost/spi';
import type { MailedLinks } from '../../action-tokens/mailed-links.js';
import type { Users } from '../../users/users.js';
import type { AuthenticationSessions } from '../authentication-sessions.js';
import type { SessionEnder } from '../logout/session-ender.js';
import { executeActions } from './execute-actions.js';
import { loginLink } from './login-link.js';
import type { LoginLinks } from './login-links.js';
import { resetCredentials } from './reset-credentials.js';
import { updateEmailLink } from './update-email-link.js';
import { verifyEmailLink } from './verify-email-link.js';

export interface ActionTokenServices {
  readonly users: Users;
  readonly links: MailedLinks;
  readonly sessionEnder: SessionEnder;
  readonly loginLinks: LoginLinks;
  readonly authentications: AuthenticationSessions;
}

/** Keycloak's action tokens, registered through the same SPI as those of plugins. */
export function builtInActionTokens(services: ActionTokenServices): Plugin {
  return {
    name: 'keyhost-action-tokens',
    api: 1,
    providers: [
      resetCredentials(services),
      verifyEmailLink(services),
      executeActions(services),
      updateEmailLink(services),
      loginLink(services),
    ],
  };
}
