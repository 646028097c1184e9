import { type GrantResult, OAuthError } from '@keyhost/spi';
import type { Client } from '../../model/client.js';
import { notBeforeOf } from '../../model/not-before.js';
import { selectPermittedScope } from '../../model/permitted-scope.js';
import type { Realm } from '../../model/realm.js';
import type { User } from '../../model/user.js';
import type { HostSession } from '../../registry/sessions/host-session.js';
import { missingConsents } from '../../sessions/consents.js';
import type { JoinedSession } from '../../store/store.js';
import { mayHaveOfflineTokens } from '../../tokens/offline-access.js';
import { planTokens } from '../../tokens/token-plan.js';
import { requireSignInAllowed } from '../../users/passwords/require-sign-in-allowed.js';
import type { GrantServices } from './services.js';

/** A login in the browser for which the client now fetches tokens. */
export interface GrantedLogin {
  readonly client: Client;
  readonly sessionId: string;
  readonly userId: string;
  readonly scope: string | undefined;
  readonly nonce: string | undefined;
  /**
   * The session as it was before the code was redeemed. If the client session has ended since then, the tokens are
   * void. If the member is absent, the session is read now.
   */
  readonly found?: JoinedSession | undefined;
  /** When the code was issued, in milliseconds since the epoch. */
  readonly issuedAt?: number | undefined;
  /** Keycloak's abbreviation of the grant. */
  readonly grant: string;
  readonly grantType: string;
}

/**
 * Plans the tokens of a browser login. They are bound to its user session, and valid as long as session, client
 * session, user and consent are.
 * @throws OAuthError `invalid_grant`, `invalid_scope` or `not_allowed`
 */
export async function planSessionTokens(
  { users, tokenSessions, failures }: Pick<GrantServices, 'users' | 'tokenSessions' | 'failures'>,
  session: HostSession,
  login: GrantedLogin,
): Promise<GrantResult> {
  const realm = session.compiledRealm;
  const { client, sessionId, userId, scope, nonce, grant, grantType, issuedAt = Number.POSITIVE_INFINITY } = login;
  const current = 'found' in login ? login.found : await tokenSessions.findOnline(realm, client, sessionId);
  if (current === undefined) throw sessionNotActive();
  // The client session of the grant has ended, for example by a second use of the code. The client has started a new
  // one since.
  if (current.clientSession.startedAt > issuedAt) throw sessionNotActive();
  const { session: userSession } = current;
  const user = await users.byId(realm, userId);
  if (user === undefined) throw new OAuthError('invalid_grant', 'User not found', { eventError: 'user_not_found' });
  await requireSignInAllowed(failures, realm, user);
  if (Math.floor(userSession.startedAt / 1000) < notBeforeOf(realm, user)) throw sessionNotActive();
  const selection = selectPermittedScope(realm, client, user, scope);
  if (!selection.isValid) throw new OAuthError('invalid_scope', `Invalid scopes: ${scope}`);
  requireConsent(realm, client, user, scope);
  // A later login of the client may have changed its scope.
  const clientSession = { ...current.clientSession, scope: selection.fullScope };
  const plan = {
    client,
    user,
    selection,
    grant,
    granted: { by: grantType },
    session: userSession,
    clientSession,
    idToken: selection.openid,
    nonce,
    details: { code_id: sessionId },
  };
  if (selection.offline && !mayHaveOfflineTokens(realm, client, user)) {
    throw new OAuthError('not_allowed', 'Offline tokens not allowed for the user or client');
  }
  if (!client.settings.refreshTokens) return planTokens(plan);
  const sessions = { session: userSession, clientSession };
  if (selection.offline) {
    const joined = await tokenSessions.joinOffline(realm, sessions);
    if (joined !== undefined) return planTokens({ ...plan, ...joined });
  } else {
    const refresh = await tokenSessions.beginRefreshTokens(realm, sessions);
    if (refresh !== undefined) return planTokens({ ...plan, refresh });
  }
  const ended =
    'found' in login ? await tokenSessions.createUnstoredSession(realm, sessions, selection.offline) : undefined;
  if (ended === undefined) throw sessionNotActive();
  return planTokens({ ...plan, ...ended });
}

/**
 * Checks that the user has consented to the full scope.
 * @throws OAuthError `invalid_scope` if a consent is missing
 */
export function requireConsent(realm: Realm, client: Client, user: User, scope: string | undefined): void {
  if (!client.consentRequired || missingConsents(realm, user, client, scope).length === 0) return;
  const eventError = 'not_allowed';
  throw new OAuthError('invalid_scope', 'Client no longer has requested consent from user', { eventError });
}

function sessionNotActive(): OAuthError {
  return new OAuthError('invalid_grant', 'Session not active', { eventError: 'user_session_not_found' });
}
