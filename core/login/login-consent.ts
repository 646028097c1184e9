import type { Clock } from '../model/clock.js';
import type { User } from '../model/user.js';
import { RedirectedError } from '../oidc/authorization/authorization-request.js';
import type { DeviceCodes } from '../oidc/devices/device-codes.js';
import { formatUserCode } from '../oidc/devices/user-codes.js';
import { consentTexts, grantConsent, missingConsents } from '../sessions/consents.js';
import type { Users } from '../users/users.js';
import type { AuthenticationSessions } from './authentication-sessions.js';
import type { LoginPages } from './login-pages.js';
import { type LoginRequestContext, userOfLogin } from './login-request-context.js';
import { requireActiveUserSession } from './require-session.js';

/** The value of `waitsFor` while the consent page is shown. */
export const CONSENT = 'consent';

/** Asks users for consent to the scopes that a client requests. */
export class LoginConsent {
  readonly #parts: {
    authentications: AuthenticationSessions;
    pages: LoginPages;
    devices: DeviceCodes;
    users: Users;
    clock: Clock;
  };

  constructor(parts: {
    authentications: AuthenticationSessions;
    pages: LoginPages;
    devices: DeviceCodes;
    users: Users;
    clock: Clock;
  }) {
    this.#parts = parts;
  }

  async showConsentPage({ exchange, authentication, client, session }: LoginRequestContext, user: User): Promise<void> {
    const { scope, userCode } = authentication.request;
    authentication.waitsFor = CONSENT;
    authentication.at = CONSENT;
    const page = {
      page: 'consent',
      scopes: consentTexts(exchange.realm, user, client, scope),
      username: user.username,
      userCode: userCode && formatUserCode(userCode),
    } as const;
    await this.#parts.pages.show(exchange, authentication, client, page, { session });
  }

  /**
   * Handles the posted consent page.
   * @returns the user, who has agreed
   * @throws RedirectedError or PageRefusal
   */
  async handleAnswer(loginContext: LoginRequestContext, hasAgreed: boolean): Promise<User> {
    const { exchange, authentication, client } = loginContext;
    const { request } = authentication;
    const user = await userOfLogin(this.#parts.users, loginContext);
    if (!hasAgreed) {
      this.#parts.authentications.remove(exchange, authentication);
      const { userCode } = request;
      const isDenied = userCode === undefined || (await this.#parts.devices.deny(exchange.realm, userCode));
      throw new RedirectedError(request, isDenied ? 'access_denied' : 'expired_token');
    }
    requireActiveUserSession(this.#parts.authentications, loginContext);
    if (!client.consentRequired) return user;
    await grantConsent(this.#parts.users, this.#parts.clock, exchange.realm, user, client, request.scope);
    return userOfLogin(this.#parts.users, loginContext);
  }
}

/** True if the user must consent before the client gets an answer. */
export function requiresConsent(
  { exchange: { realm }, authentication: { request }, client }: LoginRequestContext,
  user: User,
): boolean {
  // Always ask for a device: an attacker may have sent the user the code of the attacker's own device (RFC 8628 §5.4).
  if (request.userCode !== undefined) return true;
  if (!client.consentRequired) return false;
  return request.prompts.includes('consent') || missingConsents(realm, user, client, request.scope).length > 0;
}
