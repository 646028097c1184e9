import type { Clock } from '../model/clock.js';
import { selectPermittedScope } from '../model/permitted-scope.js';
import type { User } from '../model/user.js';
import { RedirectedError } from '../oidc/authorization/authorization-request.js';
import type { BrowserSessions } from '../sessions/browser-sessions.js';
import { deviceNote } from '../sessions/device-note.js';
import { clientSessionExpiry, sessionExpiry } from '../sessions/lifespans.js';
import { newUserSession } from '../sessions/new-user-session.js';
import type { ClientSessionRecord, Store, UserSessionRecord } from '../store/store.js';
import { LEVEL_NOTE } from '../tokens/acr.js';
import { referenceNotes } from '../tokens/method-references.js';
import { claimsNote } from '../tokens/requested-claims.js';
import { LEVELS_NOTE, levelsNote, reachedLevel } from './flows/levels.js';
import { wasImpersonated } from './impersonation.js';
import type { LoginRequestContext } from './login-request-context.js';

/** A login whose user has passed the flow, the required actions and consent. */
export interface FinishedLogin extends LoginRequestContext {
  readonly user: User;
}

/** Turns finished logins into user sessions: new ones, or the browser's existing one. */
export class LoginSessions {
  readonly #parts: { store: Store; clock: Clock; browsers: BrowserSessions };

  constructor(parts: { store: Store; clock: Clock; browsers: BrowserSessions }) {
    this.#parts = parts;
  }

  /** The browser's user session, else a new one that is not yet stored. */
  sessionOf(login: FinishedLogin): UserSessionRecord {
    return login.browser?.session ?? newSession(login, this.#parts.clock.now());
  }

  /**
   * Stores the new session, or adds the client to the browser's session.
   * @returns false if an admin continues in a session that impersonates the user
   * @throws RedirectedError `login_required` if the browser's session has ended in the meantime
   */
  async attach(login: FinishedLogin, session: UserSessionRecord): Promise<boolean> {
    const { realm } = login.exchange;
    const now = this.#parts.clock.now();
    await this.#attach(login, session, now);
    // In an impersonated session the admin acts, so do not record a sign-in of the user.
    const isImpersonation = login.browser !== undefined && login.authentication.bySession && wasImpersonated(session);
    if (!isImpersonation) this.#parts.store.users.signedIn(realm.name, session.userId, now);
    return !isImpersonation;
  }

  async #attach(
    { exchange: { realm }, authentication, client, browser, user }: FinishedLogin,
    session: UserSessionRecord,
    now: number,
  ): Promise<void> {
    const { request, bySession } = authentication;
    const existing = browser === undefined ? undefined : await this.#parts.store.sessions.find(session, client.id);
    const activeSession = existing?.clientSession;
    // Continue an active client session, so that refresh tokens of other tabs of the application stay valid.
    const isActive = activeSession !== undefined && clientSessionExpiry(realm, client, session, activeSession) > now;
    const methods = referenceNotes(authentication.references, browser && session.notes, Math.floor(now / 1000));
    const clientSession: ClientSessionRecord = {
      realm: realm.name,
      sessionId: session.id,
      offline: false,
      clientUuid: client.id,
      startedAt: isActive ? activeSession.startedAt : now,
      lastRefresh: now,
      scope: selectPermittedScope(realm, client, user, request.scope).fullScope,
      notes: { [LEVEL_NOTE]: String(reachedLevel(authentication)), ...claimsNote(request.claims), ...methods.client },
    };
    if (browser === undefined) return this.#parts.store.sessions.start(session, clientSession);
    const notes = levelsNote(authentication, session);
    const newNotes = { ...levelNotes(notes), ...methods.session };
    const noteChanges = Object.keys(newNotes).length === 0 ? {} : { notes: { ...session.notes, ...newNotes } };
    const options = bySession ? {} : { authTime: Math.floor(now / 1000), ...noteChanges };
    if (!(await this.#parts.store.sessions.attach(clientSession, undefined, options))) {
      throw new RedirectedError(request, 'login_required');
    }
    const expiresAt = sessionExpiry(realm, { ...session, lastRefresh: now });
    this.#parts.store.sessions.touch(session, client.id, now, expiresAt);
  }

  /** Sets the browser's session cookie, unless the existing session was sufficient for the login. */
  async setCookie({ exchange, authentication, browser }: FinishedLogin, session: UserSessionRecord): Promise<void> {
    if (browser === undefined || !authentication.bySession) await this.#parts.browsers.setCookies(exchange, session);
  }

  /** Clears the browser's session cookie. */
  clearCookie(exchange: LoginRequestContext['exchange']): void {
    this.#parts.browsers.clearCookies(exchange);
  }
}

function newSession({ exchange, authentication, user }: FinishedLogin, now: number): UserSessionRecord {
  const { ctx, realm, ip } = exchange;
  const sessionStart = {
    userId: user.id,
    ipAddress: ip,
    authMethod: 'openid-connect',
    // A plugin's authenticator may request it although the realm does not offer it.
    rememberMe: authentication.rememberMe && realm.settings.rememberMe,
    notes: {
      ...authentication.notes,
      ...levelNotes(levelsNote(authentication)),
      ...referenceNotes(authentication.references).session,
      ...deviceNote(ctx.get('user-agent')),
    },
  };
  return newUserSession(realm, sessionStart, now);
}

function levelNotes(note: string | undefined): Readonly<Record<string, string>> {
  return note === undefined ? {} : { [LEVELS_NOTE]: note };
}
