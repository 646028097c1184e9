import { OAuthError } from '@keyhost/spi';
import type { Exchange } from '../../http/exchange.js';
import type { Form } from '../../http/form.js';
import type { KeyRing } from '../../keys/key-ring.js';
import type { Clock } from '../../model/clock.js';
import type { ClientRequests } from '../../oidc/client-requests.js';
import { readRefreshToken, sessionOf } from '../../oidc/grants/refresh-token.js';
import type { Events } from '../../registry/events/events.js';
import type { SessionFactory } from '../../registry/sessions/session.js';
import type { Store } from '../../store/store.js';
import type { SessionEnding } from './session-ending.js';

export interface RefreshTokenLogoutParts {
  readonly requests: ClientRequests;
  readonly keys: KeyRing;
  readonly store: Store;
  readonly clock: Clock;
  readonly events: Events;
  readonly sessions: SessionFactory;
  readonly ending: SessionEnding;
}

/** Keycloak's logout without a browser: the client shows a refresh token of the session, expired or not. */
export function logOutByRefreshToken(parts: RefreshTokenLogoutParts, exchange: Exchange, form: Form): Promise<void> {
  const { ctx, realm } = exchange;
  const about: { userId?: string; sessionId?: string } = {};
  return parts.requests.serve(
    exchange,
    'LOGOUT',
    async (_form, client) => {
      const token = await readRefreshToken(parts, realm, form.get('refresh_token') ?? '', { expired: 'accept' });
      if (token.azp !== client.clientId) {
        throw new OAuthError('invalid_grant', "Invalid refresh token. Token client and authorized client don't match", {
          eventError: 'invalid_token',
        });
      }
      about.sessionId = token.sid;
      const session = await parts.store.sessions.get(sessionOf(realm, token));
      about.userId = session?.userId ?? token.sub;
      const isOfUser = session && [session.userId, client.subjectOf(session.userId)].includes(token.sub);
      if (session !== undefined && isOfUser === true) await parts.ending.end(realm, session);
      ctx.status = 204;
      return { refresh_token_id: token.jti, refresh_token_type: token.typ };
    },
    { form, about },
  );
}
