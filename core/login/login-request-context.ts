import type { Exchange } from '../http/exchange.js';
import type { Client } from '../model/client.js';
import type { User } from '../model/user.js';
import { PageRefusal } from '../oidc/authorization/authorization-request.js';
import type { HostSession } from '../registry/sessions/host-session.js';
import type { BrowserSession } from '../sessions/browser-sessions.js';
import type { Users } from '../users/users.js';
import type { HostAuthenticationSession } from './authentication-sessions.js';

/** The context of one request in an authentication session. */
export interface LoginRequestContext {
  readonly exchange: Exchange;
  readonly authentication: HostAuthenticationSession;
  readonly client: Client;
  readonly session: HostSession;
  /** The browser's existing user session; always undefined in a registration, which creates a new user. */
  readonly browser: BrowserSession | undefined;
}

/**
 * The login's user.
 * @throws PageRefusal if the user was disabled or deleted in the meantime
 */
export async function userOfLogin(
  users: Users,
  { exchange, authentication, client }: LoginRequestContext,
): Promise<User> {
  const { userId } = authentication;
  const user = userId === undefined ? undefined : await users.byId(exchange.realm, userId);
  if (user?.enabled === true) return user;
  throw new PageRefusal('user_disabled', { key: 'accountDisabledMessage' }, { client });
}
