import type { Clock } from '../model/clock.js';
import { permittedScope } from '../model/permitted-scope.js';
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
import type { LoginVisit } from './login-visit.js';

/** A visit whose user has shown and agreed to everything. */
export interface FinishedLogin extends LoginVisit {
  readonly user: User;
}

/** Has browsers' logins come to a user session: a new one, or the one that the browser has. */
export class LoginSessions {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #browsers: BrowserSessions;

  constructor(parts: { store: Store; clock: Clock; browsers: BrowserSessions }) {
    this.#store = parts.store;
    this.#clock = parts.clock;
    this.#browsers = parts.browsers;
  }

  /** The session that the browser has, else a new one, which is nowhere yet. */
  sessionOf(finished: FinishedLogin): UserSessionRecord {
    return finished.browser?.session ?? newSession(finished, this.#clock.now());
  }

  /**
   * Stores the new session, or has the login join the one that the browser has.
   * @returns whether the user has signed in: not an admin who goes on as the user
   * @throws RedirectedError `login_required` when that one has ended meanwhile
   */
  async attach(finished: FinishedLogin, session: UserSessionRecord): Promise<boolean> {
    const { realm } = finished.exchange;
    const now = this.#clock.now();
    await this.#attach(finished, session, now);
    // Whoever goes on in a session that an admin began as the user is that admin.
    const isOthers = finished.browser !== undefined && finished.authentication.bySession && wasImpersonated(session);
    if (!isOthers) this.#store.users.signedIn(realm.name, session.userId, now);
    return !isOthers;
  }

  async #attach(
    { exchange: { realm }, authentication, client, browser, user }: FinishedLogin,
    session: UserSessionRecord,
    now: number,
  ): Promise<void> {
    const { request, bySession } = authentication;
    const before = browser === undefined ? undefined : await this.#store.sessions.find(session, client.id);
    const known = before?.clientSession;
    // One that still lasts goes on: the refresh tokens of the application's other tabs stay good.
    const lasts = known !== undefined && clientSessionExpiry(realm, client, session, known) > now;
    const methods = referenceNotes(authentication.references, browser && session.notes, Math.floor(now / 1000));
    const clientSession: ClientSessionRecord = {
      realm: realm.name,
      sessionId: session.id,
      offline: false,
      clientUuid: client.id,
      startedAt: lasts ? known.startedAt : now,
      lastRefresh: now,
      scope: permittedScope(realm, client, user, request.scope).full,
      notes: { [LEVEL_NOTE]: String(reachedLevel(authentication)), ...claimsNote(request.claims), ...methods.client },
    };
    if (browser === undefined) return this.#store.sessions.start(session, clientSession);
    const notes = levelsNote(authentication, session);
    const news = { ...levels(notes), ...methods.session };
    const reached = Object.keys(news).length === 0 ? {} : { notes: { ...session.notes, ...news } };
    const options = bySession ? {} : { authTime: Math.floor(now / 1000), ...reached };
    if (!(await this.#store.sessions.attach(clientSession, undefined, options))) {
      throw new RedirectedError(request, 'login_required');
    }
    const expiresAt = sessionExpiry(realm, { ...session, lastRefresh: now });
    this.#store.sessions.touch(session, client.id, now, expiresAt);
  }

  /** Hands the session to the browser, where the browser has it from nowhere or was asked for more. */
  async keep({ exchange, authentication, browser }: FinishedLogin, session: UserSessionRecord): Promise<void> {
    if (browser === undefined || !authentication.bySession) await this.#browsers.keep(exchange, session);
  }

  /** The browser has no session any more. */
  forget(exchange: LoginVisit['exchange']): void {
    this.#browsers.forget(exchange);
  }
}

function newSession({ exchange, authentication, user }: FinishedLogin, now: number): UserSessionRecord {
  const { ctx, realm, ip } = exchange;
  const beginning = {
    userId: user.id,
    ipAddress: ip,
    authMethod: 'openid-connect',
    // A step of a plugin may ask for more than the realm has.
    rememberMe: authentication.rememberMe && realm.settings.rememberMe,
    notes: {
      ...authentication.notes,
      ...levels(levelsNote(authentication)),
      ...referenceNotes(authentication.references).session,
      ...deviceNote(ctx.get('user-agent')),
    },
  };
  return newUserSession(realm, beginning, now);
}

function levels(note: string | undefined): Readonly<Record<string, string>> {
  return note === undefined ? {} : { [LEVELS_NOTE]: note };
}
