import { type GrantResult, OAuthError } from '@keyhost/spi';
import type { Client } from '../../model/client.js';
import { notBeforeOf } from '../../model/not-before.js';
import { permittedScope } from '../../model/permitted-scope.js';
import type { Realm } from '../../model/realm.js';
import type { User } from '../../model/user.js';
import type { HostSession } from '../../registry/sessions/session.js';
import { missingConsents } from '../../sessions/consents.js';
import type { JoinedSession } from '../../store/store.js';
import { issuance } from '../../tokens/issuance.js';
import { mayHaveOfflineTokens } from '../../tokens/offline-access.js';
import { requireSignInAllowed } from '../../users/passwords/sign-in-gate.js';
import type { GrantServices } from './services.js';

/** What a browser's login granted to a client, which now comes for its tokens. */
export interface GrantedLogin {
  readonly client: Client;
  readonly sessionId: string;
  readonly userId: string;
  readonly scope: string | undefined;
  readonly nonce: string | undefined;
  /** The session as it was before a code was taken: if the client's part has ended since, the tokens are dead. Absent: it is read. */
  readonly found?: JoinedSession | undefined;
  /** When it was granted, in milliseconds since the epoch. */
  readonly issuedAt?: number | undefined;
  /** Keycloak's letters of the grant. */
  readonly grant: string;
  /** Its `grant_type`. */
  readonly by: string;
}

/**
 * The tokens of a login that a browser made: bound to its user session, as long as session, client session, user and
 * consent are good.
 * @throws OAuthError `invalid_grant`, `invalid_scope` or `not_allowed`
 */
export async function tokensOfSession(
  { users, tokenSessions, failures }: Pick<GrantServices, 'users' | 'tokenSessions' | 'failures'>,
  session: HostSession,
  login: GrantedLogin,
): Promise<GrantResult> {
  const realm = session.compiledRealm;
  const { client, sessionId, userId, scope, nonce, grant, by, issuedAt = Number.POSITIVE_INFINITY } = login;
  const found = 'found' in login ? login.found : await tokenSessions.ofBrowser(realm, client, sessionId);
  if (found === undefined) throw notActive();
  // The part that it was granted in has ended, as by a second use of the code; the client has begun another since.
  if (found.clientSession.startedAt > issuedAt) throw notActive();
  const { session: userSession } = found;
  const user = await users.byId(realm, userId);
  if (user === undefined) throw new OAuthError('invalid_grant', 'User not found', { eventError: 'user_not_found' });
  await requireSignInAllowed(failures, realm, user);
  if (Math.floor(userSession.startedAt / 1000) < notBeforeOf(realm, user)) throw notActive();
  const selection = permittedScope(realm, client, user, scope);
  if (!selection.valid) throw new OAuthError('invalid_scope', `Invalid scopes: ${scope}`);
  requireConsent(realm, client, user, scope);
  // Another login of the client may have replaced it since, with another scope.
  const clientSession = { ...found.clientSession, scope: selection.full };
  const plan = {
    client,
    user,
    selection,
    grant,
    granted: { by },
    session: userSession,
    clientSession,
    idToken: selection.openid,
    nonce,
    details: { code_id: sessionId },
  };
  if (selection.offline && !mayHaveOfflineTokens(realm, client, user)) {
    throw new OAuthError('not_allowed', 'Offline tokens not allowed for the user or client');
  }
  if (!client.settings.refreshTokens) return issuance(plan);
  const of = { session: userSession, clientSession };
  if (selection.offline) {
    const joined = await tokenSessions.joinOffline(realm, of);
    if (joined !== undefined) return issuance({ ...plan, ...joined });
  } else {
    const refresh = await tokenSessions.beginRefreshTokens(realm, of);
    if (refresh !== undefined) return issuance({ ...plan, refresh });
  }
  const ended = 'found' in login ? await tokenSessions.ofEndedPart(realm, of, selection.offline) : undefined;
  if (ended === undefined) throw notActive();
  return issuance({ ...plan, ...ended });
}

/** @throws OAuthError `invalid_scope` where the user has not agreed to all of it, or not any more */
export function requireConsent(realm: Realm, client: Client, user: User, scope: string | undefined): void {
  if (!client.consentRequired || missingConsents(realm, user, client, scope).length === 0) return;
  const eventError = 'not_allowed';
  throw new OAuthError('invalid_scope', 'Client no longer has requested consent from user', { eventError });
}

function notActive(): OAuthError {
  return new OAuthError('invalid_grant', 'Session not active', { eventError: 'user_session_not_found' });
}
