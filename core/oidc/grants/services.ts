import { HostError } from '@keyhost/spi';
import type { Client } from '../../model/client.js';
import type { User } from '../../model/user.js';
import type { HostSession } from '../../registry/sessions/host-session.js';
import type { TokenSessions } from '../../sessions/token-sessions.js';
import type { AccessTokens } from '../../tokens/access-tokens.js';
import type { References } from '../../tokens/method-references.js';
import type { RefreshTokens } from '../../tokens/refresh-tokens.js';
import type { LoginFailures } from '../../users/passwords/login-failures.js';
import type { Users } from '../../users/users.js';
import type { AuthorizationCodes } from '../authorization/authorization-codes.js';
import type { DeviceCodes } from '../devices/device-codes.js';

/** Authenticates the user of a password grant; the login's flows implement it. */
export interface DirectGrant {
  /**
   * @param form the token request's parameters, without the client's credentials
   * @returns the user, and the notes of the login
   * @throws OAuthError `invalid_grant`
   */
  authenticate(
    session: HostSession,
    client: Client,
    form: Readonly<Record<string, string>>,
  ): Promise<{ user: User; notes: Readonly<Record<string, string>>; references: References }>;
}

/** The services of built-in grants. Plugins' grants get the session only. */
export interface GrantServices {
  readonly users: Users;
  readonly failures: LoginFailures;
  readonly directGrant: DirectGrant;
  readonly accessTokens: AccessTokens;
  readonly refreshTokens: RefreshTokens;
  readonly tokenSessions: TokenSessions;
  readonly codes: AuthorizationCodes;
  readonly devices: DeviceCodes;
}

/** The compiled client that authenticated in this session. */
export function clientOf(session: HostSession, clientId: string): Client {
  const client = session.compiledRealm.clients.get(clientId);
  if (client === undefined) throw new HostError('client_unknown', 'the authenticated client is gone');
  return client;
}
