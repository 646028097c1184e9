import { COOKIE, clearCookie } from '../http/cookies.js';
import type { RequestEvents } from '../http/request-events.js';
import type { Clock } from '../model/clock.js';
import type { User } from '../model/user.js';
import type { AuthorizationCodes } from '../oidc/authorization/authorization-codes.js';
import { PageRefusal, RedirectedError } from '../oidc/authorization/authorization-request.js';
import { answerClient } from '../oidc/authorization/authorization-response.js';
import type { DeviceCodes } from '../oidc/devices/device-codes.js';
import type { PageWriter } from '../pages/page-writer.js';
import type { BrowserSessions } from '../sessions/browser-sessions.js';
import { deviceNote } from '../sessions/device-note.js';
import { clientSessionExpiry, sessionExpiry } from '../sessions/lifespans.js';
import { newUserSession } from '../sessions/new-user-session.js';
import type { ClientSessionRecord, Store, UserSessionRecord } from '../store/store.js';
import { LEVEL_NOTE } from '../tokens/acr.js';
import { referenceNotes } from '../tokens/method-references.js';
import { claimsNote } from '../tokens/requested-claims.js';
import type { AuthenticationSessions } from './authentication-sessions.js';
import { emitOfLogin } from './emit-of-login.js';
import { LEVELS_NOTE, levelsNote, reachedLevel } from './flows/levels.js';
import type { LoginVisit } from './login-visit.js';
import { keepUsername } from './remembered-username.js';

export interface FinishLoginParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly events: RequestEvents;
  readonly pages: PageWriter;
  readonly codes: AuthorizationCodes;
  readonly devices: DeviceCodes;
  readonly browsers: BrowserSessions;
  readonly authentications: AuthenticationSessions;
}

/** A visit whose user has shown and agreed to everything. */
export interface FinishedLogin extends LoginVisit {
  readonly user: User;
}

/**
 * Starts the user's session, or joins the one that the browser has, and answers the client.
 * @throws PageRefusal when the browser is logged in as somebody else
 * @throws RedirectedError `login_required` when the session has ended meanwhile
 */
export async function finishLogin(parts: FinishLoginParts, finished: FinishedLogin): Promise<void> {
  const { browsers, codes, authentications, pages } = parts;
  const { exchange, authentication, client, user, browser } = finished;
  const { request } = authentication;
  if (browser !== undefined && browser.user.id !== user.id) {
    // Another tab logged in, or the request wanted somebody else: two users' applications never share a browser.
    const key = 'differentUserAuthenticated';
    throw new PageRefusal('different_user_authenticated', { key, params: [browser.user.username] }, { client });
  }
  const joined = browser?.session;
  const userSession = joined ?? newSession(finished, parts.clock.now());
  const [code] = await Promise.all([
    request.responseType === 'code' ? codes.issue(exchange.realm, client, request, userSession) : undefined,
    attach(parts, finished, userSession),
  ]);
  if (joined === undefined || !authentication.bySession) await browsers.keep(exchange, userSession);
  authentications.remove(exchange, authentication);
  // Other tabs may have authentication sessions.
  if (!authentications.hasOthers(exchange, authentication)) clearCookie(exchange, COOKIE.authenticationSession);
  clearCookie(exchange, COOKIE.restart);
  if (joined === undefined) keepUsername(exchange, authentication.rememberMe ? user.username : undefined);
  emitOfLogin(parts.events, exchange, authentication, 'LOGIN', { userId: user.id, sessionId: userSession.id });
  if (request.userCode !== undefined) {
    const approved = await parts.devices.approve(exchange.realm, request.userCode, userSession);
    return answerClient(pages, exchange, request, approved ? {} : { error: 'expired_token' });
  }
  const sessionState = client.settings.authorizationResponseSessionState ? userSession.id : undefined;
  const { actionStatus } = authentication;
  await answerClient(pages, exchange, request, { session_state: sessionState, code, kc_action_status: actionStatus });
}

function newSession({ exchange, authentication, user }: FinishedLogin, now: number): UserSessionRecord {
  const { ctx, realm, ip } = exchange;
  const beginning = {
    ...{ userId: user.id, ipAddress: ip, authMethod: 'openid-connect', rememberMe: authentication.rememberMe },
    notes: {
      ...authentication.notes,
      ...levels(levelsNote(authentication)),
      ...referenceNotes(authentication.references).session,
      ...deviceNote(ctx.get('user-agent')),
    },
  };
  return newUserSession(realm, beginning, now);
}

async function attach(
  { store, clock }: FinishLoginParts,
  { exchange: { realm }, authentication, client, browser }: FinishedLogin,
  session: UserSessionRecord,
): Promise<void> {
  const { request, bySession } = authentication;
  const now = clock.now();
  const before = browser === undefined ? undefined : await store.sessions.find(session, client.id);
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
    scope: client.selectScope(request.scope).full,
    notes: { [LEVEL_NOTE]: String(reachedLevel(authentication)), ...claimsNote(request.claims), ...methods.client },
  };
  if (browser === undefined) return store.sessions.start(session, clientSession);
  const notes = levelsNote(authentication, session);
  const news = { ...levels(notes), ...methods.session };
  const reached = Object.keys(news).length === 0 ? {} : { notes: { ...session.notes, ...news } };
  const options = bySession ? {} : { authTime: Math.floor(now / 1000), ...reached };
  if (!(await store.sessions.attach(clientSession, undefined, options))) {
    throw new RedirectedError(request, 'login_required');
  }
  const expiresAt = sessionExpiry(realm, { ...session, lastRefresh: now });
  store.sessions.touch(session, client.id, now, expiresAt);
}

function levels(note: string | undefined): Readonly<Record<string, string>> {
  return note === undefined ? {} : { [LEVELS_NOTE]: note };
}
