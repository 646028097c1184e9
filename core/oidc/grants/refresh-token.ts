import { randomUUID } from 'node:crypto';
import { GrantType, OAuthError, provide } from '@keyhost/spi';
import { INTERNAL_ALGORITHM } from '../../keys/algorithms.js';
import { checkTimes, verifyJwt } from '../../keys/verify.js';
import type { Client } from '../../model/client.js';
import { notBeforeOf } from '../../model/not-before.js';
import type { Realm } from '../../model/realm.js';
import { memberOf } from '../../model/thrown.js';
import type { HostSession } from '../../registry/sessions/session.js';
import { clientSessionExpiry, familyLifespan, sessionExpiry } from '../../sessions/lifespans.js';
import { refreshTokenHash } from '../../sessions/login-session.js';
import type { SessionKey } from '../../store/store.js';
import { type Issuance, issuance } from '../../tokens/issuance.js';
import { type Impersonation, mayImpersonate } from './impersonation.js';
import { mayHaveOfflineTokens } from './password.js';
import { clientOf, type GrantServices } from './services.js';

export interface RefreshPayload {
  readonly jti: string;
  readonly sub: string;
  readonly sid: string;
  readonly iat: number;
  readonly azp: string;
  readonly scope: string;
  readonly typ: 'Refresh' | 'Offline';
  readonly reuse_id?: string;
  readonly nonce?: string;
}

/** RFC 6749 §6, in Keycloak's order of checks. Rotation and reuse detection are per login and durable. */
export const refreshToken = (services: GrantServices) =>
  provide(GrantType, {
    id: 'refresh_token',
    eventType: 'REFRESH_TOKEN',
    open: () => ({
      create: (session: HostSession) => ({
        async authorize({ client: { clientId }, form }) {
          const realm = session.compiledRealm;
          const client = clientOf(session, clientId);
          if (form.refresh_token === undefined) {
            throw new OAuthError('invalid_request', 'No refresh token', { eventError: 'invalid_token' });
          }
          const token = await readRefreshToken(services, realm, form.refresh_token);
          if (token.azp !== client.clientId) {
            throw invalid("Invalid refresh token. Token client and authorized client don't match");
          }
          return issuance(await refresh(services, realm, client, token, form.scope));
        },
      }),
    }),
  });

/**
 * A refresh token of this realm that has not expired. It says nothing of the session behind it.
 * @throws OAuthError `invalid_grant`
 */
export async function readRefreshToken(
  { keys, clock }: Pick<GrantServices, 'keys' | 'clock'>,
  realm: Realm,
  text: string,
  options: { expired?: 'accept' } = {},
): Promise<RefreshPayload> {
  let payload: Partial<RefreshPayload> & { iss?: unknown };
  try {
    payload = verifyJwt(text, await keys.realm(realm.name), { algorithms: [INTERNAL_ALGORITHM] }).payload;
  } catch (cause) {
    if (memberOf(cause, 'status') === 500) throw cause;
    throw invalid('Invalid refresh token');
  }
  if (payload.typ !== 'Refresh' && payload.typ !== 'Offline') throw invalid('Invalid refresh token');
  if (payload.iss !== realm.issuer) {
    throw invalid(`Invalid token issuer. Expected '${realm.issuer}', but was '${String(payload.iss)}'`);
  }
  const { jti, sub, sid, iat, azp, scope } = payload;
  for (const claim of [jti, sub, sid, azp, scope])
    if (typeof claim !== 'string') throw invalid('Invalid refresh token');
  if (typeof iat !== 'number') throw invalid('Invalid refresh token');
  if (iat < realm.notBefore) throw invalid('Stale token');
  if (options.expired !== 'accept') {
    try {
      checkTimes(payload, Math.floor(clock.now() / 1000), { unlimited: payload.typ === 'Offline' });
    } catch {
      throw invalid('Token is not active');
    }
  }
  return payload as RefreshPayload;
}

/** The session that a refresh token is of. */
export function sessionOf(realm: Realm, { sid, typ }: Pick<RefreshPayload, 'sid' | 'typ'>): SessionKey {
  return { realm: realm.name, id: sid, offline: typ === 'Offline' };
}

async function refresh(
  services: GrantServices,
  realm: Realm,
  client: Client,
  token: RefreshPayload,
  requestedScope: string | undefined,
): Promise<Issuance> {
  const { store, users, clock } = services;
  const now = clock.now();
  const offline = token.typ === 'Offline';
  const found = await store.sessions.find(sessionOf(realm, token), client.id);
  if (found === undefined) {
    throw invalid(offline ? 'Offline user session not found' : 'Session not active');
  }
  const { session, clientSession } = found;
  if (sessionExpiry(realm, session) <= now) {
    await store.sessions.end(session);
    throw invalid(offline ? 'Offline session not active' : 'Session not active');
  }
  const isOfUser = [session.userId, client.subjectOf(session.userId)].includes(token.sub);
  const user = isOfUser ? await users.byId(realm, session.userId) : undefined;
  if (user === undefined) throw invalid('Invalid refresh token');
  if (!user.enabled) throw new OAuthError('invalid_grant', 'User disabled', { eventError: 'user_disabled' });
  if ((token.iat + 1) * 1000 < session.startedAt) throw invalid('Refresh token issued before the user session started');
  if (clientSession === undefined) throw invalid("Session doesn't have required client");
  if (clientSessionExpiry(realm, client, session, clientSession) <= now) {
    throw invalid('Client session not active');
  }
  if ((token.iat + 1) * 1000 < clientSession.startedAt) {
    throw invalid('refresh token issued before the client session started');
  }
  if (token.iat < notBeforeOf(realm, client, user)) throw invalid('Stale token');
  if (offline && !mayHaveOfflineTokens(realm, client, user)) {
    throw invalid('Offline session invalid because offline access not granted anymore');
  }
  const impersonation = readImpersonation(clientSession.notes);
  if (impersonation !== undefined && !mayImpersonate(realm, client, user, impersonation)) {
    throw invalid('Client not allowed to exchange', 'not_allowed');
  }
  const scope = impersonation ? undefined : narrowed(client, token.scope, requestedScope);
  if (impersonation && requestedScope !== undefined && requestedScope !== impersonation.scope) {
    throw new OAuthError('invalid_scope', `Invalid scopes: ${requestedScope}`);
  }
  const next = await rotate(services, realm, client, token, session.startedAt);
  store.sessions.touch(session, client.id, now, sessionExpiry(realm, { ...session, lastRefresh: now }));
  const details = { refresh_token_id: token.jti, refresh_token_type: token.typ, refresh_token_sub: token.sub };
  // The login that this token is of: a later one may have asked for another scope.
  const ofToken = { ...clientSession, scope: token.scope };
  const plan = { client, user, session, clientSession: ofToken, grant: 'rt', refresh: next, details };
  if (impersonation !== undefined) {
    return { ...plan, selection: client.selectScope(undefined), exact: impersonation, idToken: false };
  }
  const selection = client.selectScope(scope);
  return { ...plan, nonce: token.nonce, selection, idToken: token.scope.split(' ').includes('openid') };
}

/** RFC 6749 §6: never more than the login was granted. The new refresh token keeps all of it. */
function narrowed(client: Client, granted: string, requested: string | undefined): string {
  const words = granted.split(' ');
  // Scopes that the client lost since the login are left out.
  const kept = words.filter((word) => client.selectScope(word).valid);
  if (requested === undefined) return kept.join(' ');
  const wanted = requested.split(' ').filter((word) => word !== '');
  if (wanted.some((word) => !kept.includes(word)))
    throw new OAuthError('invalid_scope', `Invalid scopes: ${requested}`);
  return wanted.join(' ');
}

async function rotate(
  { store, clock }: GrantServices,
  realm: Realm,
  client: Client,
  token: RefreshPayload,
  startedAt: number,
): Promise<{ jti: string; family: string }> {
  const family = token.reuse_id ?? token.jti;
  // Without rotation a login's refresh tokens share one jti: switching rotation on later finds it current.
  if (!realm.revokeRefreshToken) return { jti: token.jti, family };
  const jti = randomUUID();
  const now = clock.now();
  const result = await store.families.rotate({
    realm: realm.name,
    family,
    presented: refreshTokenHash(token.jti),
    next: refreshTokenHash(jti),
    maxReuse: realm.refreshTokenMaxReuse,
    now,
    expiresAt: Math.max(now, startedAt) + familyLifespan(realm) * 1000,
  });
  if (result.outcome === 'rotated') return { jti, family };
  if (result.outcome === 'reused') throw invalid('Maximum allowed refresh token reuse exceeded');
  if (result.outcome === 'absent') await store.sessions.detach(sessionOf(realm, token), client.id, { endIfLast: true });
  throw invalid('Stale token');
}

/** The note that a naked exchange left on its client session. */
export const IMPERSONATION_NOTE = 'keyhost.impersonation';

function readImpersonation(notes: Readonly<Record<string, string>>): Impersonation | undefined {
  const note = notes[IMPERSONATION_NOTE];
  return note === undefined ? undefined : (JSON.parse(note) as Impersonation);
}

function invalid(description: string, eventError = 'invalid_token'): OAuthError {
  return new OAuthError('invalid_grant', description, { eventError });
}
