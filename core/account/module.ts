import { Clock } from '../di/host-tokens.js';
import { adds, module } from '../di/module.js';
import { Mounts } from '../http/module.js';
import { lazyMount } from '../http/mount.js';
import { RequestEvents } from '../http/request-events.js';
import { LogoutConfirmations } from '../login/logout/logout-confirmation.js';
import { SessionEnder } from '../login/logout/session-ender.js';
import { AuthorizationCodes } from '../oidc/authorization/authorization-codes.js';
import { Pages } from '../pages/pages.js';
import { SessionFactory } from '../registry/sessions/session-factory.js';
import { BrowserSessions } from '../sessions/browser-sessions.js';
import { Store } from '../store/module.js';
import { AccessTokens } from '../tokens/access-tokens.js';
import { CredentialTypes } from '../users/credentials/credential-types.js';
import { PluginValidators } from '../users/profile/plugin-validators.js';
import { Users } from '../users/users.js';
import { ACCOUNT } from './account-session.js';

/** The account page. Its code is imported with the first request, because many hosts mostly issue tokens. */
export const account = module('account', [
  adds(Mounts, (use) => [
    lazyMount(ACCOUNT, async () => {
      const { accountEndpoint } = await import('./account-endpoint.js');
      const serve = accountEndpoint({
        account: {
          users: use(Users),
          credentialTypes: use(CredentialTypes),
          validators: use(PluginValidators),
          store: use(Store),
          clock: use(Clock),
          events: use(RequestEvents),
          pages: use(Pages),
          sessionEnder: use(SessionEnder),
        },
        browsers: use(BrowserSessions),
        codes: use(AuthorizationCodes),
        sessions: use(SessionFactory),
        accessTokens: use(AccessTokens),
        confirmations: use(LogoutConfirmations),
      });
      return (exchange, path) => serve(exchange, path.slice(ACCOUNT.length) || '/');
    }),
  ]),
]);
