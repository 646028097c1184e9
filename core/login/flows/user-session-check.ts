import type { AuthorizationRequest } from '../../oidc/authorization/authorization-request.js';
import type { AuthenticationLevel } from '../../realms/flows/flow-levels.js';
import type { UserSessionRecord } from '../../store/store.js';
import { wasImpersonated } from '../impersonation.js';
import { levelOfSession, NO_LEVEL } from './levels.js';

/**
 * Maximum age of the user's sign-in in seconds if the application requests a required action (Keycloak's maxAuthAge).
 */
const INITIATED_MAX_AGE = 300;

/** The result of checking whether the browser's user session is sufficient for a login. */
export interface SessionCheck {
  /**
   * True if the user signed in recently enough for the request. If there is no user session, true unless the request
   * demands a new login.
   */
  readonly isFresh: boolean;
  /** True if the session's user is the one that the request names, or it names no user. */
  readonly matchesHint: boolean;
  /**
   * The level that the session has in the flow; `NO_LEVEL` if there is no session, or if it is not fresh or of another
   * user.
   */
  readonly level: number;
  /** True if the request asks for no higher level. */
  readonly satisfiesAcr: boolean;
}

export interface SessionCheckInput {
  readonly request: Pick<
    AuthorizationRequest,
    'prompts' | 'maxAge' | 'initiatedAction' | 'hintedSubject' | 'acr' | 'flow'
  >;
  readonly session: Pick<UserSessionRecord, 'authMethod' | 'authTime' | 'startedAt' | 'notes'> | undefined;
  /** The session's user, as the client knows them (`sub`). */
  readonly subject: string | undefined;
  /** The levels of the flow, lowest first; empty if it has none. */
  readonly levels: readonly AuthenticationLevel[];
  /** The level that this login tries to reach for the session's user. */
  readonly targetLevel: number;
  readonly nowSeconds: number;
}

/**
 * Decides what a user session contributes to a request: whether single sign-on is enough, or from which level the login
 * starts.
 */
export function checkUserSession(input: SessionCheckInput): SessionCheck {
  const { request, session, subject, levels, nowSeconds } = input;
  const isFresh = isFreshEnough(request, session, nowSeconds);
  const matchesHint = request.hintedSubject === undefined || request.hintedSubject === subject;
  const isUsable = session !== undefined && isFresh && matchesHint;
  const level = isUsable ? levelOfSession(levels, session, nowSeconds) : NO_LEVEL;
  return { isFresh, matchesHint, level, satisfiesAcr: isAcrSatisfied(input, level) };
}

function isAcrSatisfied({ request, levels, targetLevel: triedLevel }: SessionCheckInput, level: number): boolean {
  // The session's level says nothing about a flow that a client policy chose. So a request with an acr always runs that
  // flow.
  if (request.flow?.level !== undefined && request.acr !== undefined) return false;
  // In a flow without levels, a session satisfies every requested level (`wanted`), but a required one (`least`) only
  // up to 0.
  if (levels.length === 0) return (request.acr?.least ?? NO_LEVEL) <= 0;
  return triedLevel <= level;
}

function isFreshEnough(
  { prompts, maxAge, initiatedAction }: SessionCheckInput['request'],
  session: SessionCheckInput['session'],
  nowSeconds: number,
): boolean {
  if (prompts.includes('login')) return false;
  if (session === undefined) return maxAge === undefined || maxAge > 0;
  const age = nowSeconds - (session.authTime ?? 0);
  // The user of an impersonated session has proven nothing.
  const isRecent = (seconds: number) => !wasImpersonated(session) && age <= seconds;
  return (
    (maxAge === undefined || (maxAge > 0 && isRecent(maxAge))) &&
    (initiatedAction === undefined || isRecent(INITIATED_MAX_AGE))
  );
}
