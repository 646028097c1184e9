import type { Exchange } from '../http/exchange.js';
import type { RequestEvents } from '../http/request-events.js';
import type { Clock } from '../model/clock.js';
import type { User } from '../model/user.js';
import type { BrowserSessions } from '../sessions/browser-sessions.js';
import { newUserSession } from '../sessions/new-user-session.js';
import type { Store, UserSessionRecord } from '../store/store.js';

/** The `authMethod` of an impersonated session. */
const AUTH_METHOD = 'impersonate';

/** Keycloak's notes of an impersonated session. */
const IMPERSONATOR_ID = 'IMPERSONATOR_ID';
const IMPERSONATOR_USERNAME = 'IMPERSONATOR_USERNAME';

/** Signs an admin's browser in as a user, as Keycloak's `UserResource.impersonate` does. */
export class Impersonation {
  readonly #parts: ImpersonationParts;

  constructor(parts: ImpersonationParts) {
    this.#parts = parts;
  }

  /**
   * Starts a session of the user and sets its cookies in the browser. The caller must check the admin's rights.
   * @param exchange in the user's realm
   */
  async start(exchange: Exchange, user: User, impersonator: { realmName: string; user: User }): Promise<void> {
    const { store, clock, browsers, events } = this.#parts;
    const { realm, ip } = exchange;
    const notes = { [IMPERSONATOR_ID]: impersonator.user.id, [IMPERSONATOR_USERNAME]: impersonator.user.username };
    const sessionStart = { userId: user.id, ipAddress: ip, authMethod: AUTH_METHOD, notes };
    const session = newUserSession(realm, sessionStart, clock.now());
    const event = {
      type: 'IMPERSONATE',
      userId: user.id,
      sessionId: session.id,
      details: { impersonator_realm: impersonator.realmName, impersonator: impersonator.user.username },
    };
    await events.emitWithChange(
      exchange,
      () => event,
      () => store.sessions.start(session),
    );
    await browsers.setCookies(exchange, session);
  }
}

interface ImpersonationParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly browsers: BrowserSessions;
  readonly events: RequestEvents;
}

/** True if an admin started this session as the user, and the user has not signed in since. */
export function wasImpersonated({
  authMethod,
  authTime,
  startedAt,
}: Pick<UserSessionRecord, 'authMethod' | 'authTime' | 'startedAt'>): boolean {
  const started = Math.floor(startedAt / 1000);
  return authMethod === AUTH_METHOD && (authTime ?? started) <= started;
}
