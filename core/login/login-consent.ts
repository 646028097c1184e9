import type { Clock } from '../model/clock.js';
import type { User } from '../model/user.js';
import { RedirectedError } from '../oidc/authorization/authorization-request.js';
import type { DeviceCodes } from '../oidc/devices/device-codes.js';
import { shownUserCode } from '../oidc/devices/user-codes.js';
import { consentTexts, grantConsent, missingConsents } from '../sessions/consents.js';
import type { Users } from '../users/users.js';
import type { AuthenticationSessions } from './authentication-sessions.js';
import type { LoginPages } from './login-pages.js';
import { type LoginVisit, userOfVisit } from './login-visit.js';
import { requireSession } from './require-session.js';

/** The value of `waitsFor` while the consent page is shown. */
export const CONSENT = 'consent';

/** Asks users whether a client may have the requested scopes. */
export class LoginConsent {
  readonly #authentications: AuthenticationSessions;
  readonly #pages: LoginPages;
  readonly #devices: DeviceCodes;
  readonly #users: Users;
  readonly #clock: Clock;

  constructor(parts: {
    authentications: AuthenticationSessions;
    pages: LoginPages;
    devices: DeviceCodes;
    users: Users;
    clock: Clock;
  }) {
    this.#authentications = parts.authentications;
    this.#pages = parts.pages;
    this.#devices = parts.devices;
    this.#users = parts.users;
    this.#clock = parts.clock;
  }

  async ask({ exchange, authentication, client, session }: LoginVisit, user: User): Promise<void> {
    const { scope, userCode } = authentication.request;
    authentication.waitsFor = CONSENT;
    authentication.at = CONSENT;
    const page = {
      page: 'consent',
      scopes: consentTexts(exchange.realm, user, client, scope),
      username: user.username,
      userCode: userCode && shownUserCode(userCode),
    } as const;
    await this.#pages.show(exchange, authentication, client, page, { session });
  }

  /** Handles the posted consent page. @returns the user, who has agreed @throws RedirectedError or PageRefusal */
  async answered(visit: LoginVisit, agreed: boolean): Promise<User> {
    const { exchange, authentication, client } = visit;
    const { request } = authentication;
    const user = await userOfVisit(this.#users, visit);
    if (!agreed) {
      this.#authentications.remove(exchange, authentication);
      const { userCode } = request;
      const denied = userCode === undefined || (await this.#devices.deny(exchange.realm, userCode));
      throw new RedirectedError(request, denied ? 'access_denied' : 'expired_token');
    }
    requireSession(this.#authentications, visit);
    if (!client.consentRequired) return user;
    await grantConsent(this.#users, this.#clock, exchange.realm, user, client, request.scope);
    return userOfVisit(this.#users, visit);
  }
}

/** True if the user must consent before the client gets anything. */
export function mustAgree(
  { exchange: { realm }, authentication: { request }, client }: LoginVisit,
  user: User,
): boolean {
  // Always ask for a device: an attacker who sends a user the code hopes for approval unseen (RFC 8628 §5.4).
  if (request.userCode !== undefined) return true;
  if (!client.consentRequired) return false;
  return request.prompts.includes('consent') || missingConsents(realm, user, client, request.scope).length > 0;
}
