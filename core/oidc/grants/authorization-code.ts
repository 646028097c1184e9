import { randomUUID } from 'node:crypto';
import { GrantType, OAuthError, provide } from '@keyhost/spi';
import { issuance } from '../issuance.js';
import { newSessionId } from '../issue-tokens.js';
import { clientSessionExpiry, familyLifespan } from '../lifespans.js';
import { refreshTokenHash, startLogin } from '../login-session.js';
import { mayHaveOfflineTokens } from './password.js';
import { clientOf, type GrantServices, realmOf } from './services.js';

/** RFC 6749 §4.1.3: a code for tokens. `session_state`, `state` and `iss` that come with it are not looked at. */
export const authorizationCode = ({ codes, store, users, clock, logins }: GrantServices) =>
  provide(GrantType, {
    id: 'authorization_code',
    eventType: 'CODE_TO_TOKEN',
    open: () => ({
      create: (session) => ({
        async authorize({ client: { clientId }, form }) {
          const realm = realmOf(session);
          const client = clientOf(session, clientId);
          if (form.code === undefined) {
            throw new OAuthError('invalid_request', 'Missing parameter: code', { eventError: 'invalid_code' });
          }
          if (!client.standardFlowEnabled) {
            throw new OAuthError('invalid_grant', 'Client not allowed to exchange code', { eventError: 'not_allowed' });
          }
          const payload = await codes.redeem(realm, client, {
            code: form.code,
            redirectUri: form.redirect_uri,
            verifier: form.code_verifier,
          });
          const found = await store.sessions.find(realm.name, payload.sessionId, client.id);
          const existing = found?.clientSession;
          const now = clock.now();
          const lasts = existing && clientSessionExpiry(realm, client, found.session, existing) > now;
          if (found === undefined || existing === undefined || !lasts) {
            throw new OAuthError('invalid_grant', 'Session not active', { eventError: 'session_expired' });
          }
          const user = await users.byId(realm, payload.userId);
          if (user?.enabled !== true) {
            const eventError = user === undefined ? 'user_not_found' : 'user_disabled';
            throw new OAuthError('invalid_grant', user === undefined ? 'User not found' : 'User disabled', {
              eventError,
            });
          }
          const selection = client.selectScope(payload.scope);
          if (!selection.valid) throw new OAuthError('invalid_scope', `Invalid scopes: ${payload.scope}`);
          const plan = {
            client,
            user,
            selection,
            grant: 'ac',
            session: found.session,
            clientSession: existing,
            idToken: selection.openid,
            ...(payload.nonce === undefined ? {} : { nonce: payload.nonce }),
            details: { code_id: payload.sessionId },
          };
          if (selection.offline) {
            if (!mayHaveOfflineTokens(realm, user)) {
              throw new OAuthError('not_allowed', 'Offline tokens not allowed for the user or client');
            }
            const { notes } = found.session;
            const login = { realm, client, user, session, scope: selection.full, authMethod: 'openid-connect', notes };
            const offline = { ...login, id: payload.offlineSessionId, offline: true };
            return issuance({ ...plan, ...(await startLogin(logins, offline)) });
          }
          if (client.attributes['use.refresh.tokens'] === 'false') return issuance(plan);
          const refresh = { jti: randomUUID(), family: newSessionId(now) };
          const family = {
            realm: realm.name,
            id: refresh.family,
            sessionId: payload.sessionId,
            clientUuid: client.id,
            userId: user.id,
            current: refreshTokenHash(refresh.jti),
            expiresAt: found.session.startedAt + familyLifespan(realm) * 1000,
          };
          // Not when a second use of the code has just ended it: the tokens must not come back to life.
          const attached = await store.sessions.attach(existing, family, { onlyExisting: true });
          if (!attached) throw new OAuthError('invalid_grant', 'Session not active', { eventError: 'session_expired' });
          return issuance({ ...plan, refresh });
        },
      }),
    }),
  });
