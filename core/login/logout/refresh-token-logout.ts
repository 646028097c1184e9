import type { Exchange } from '../../http/exchange.js';
import type { Form } from '../../http/form.js';
import type { ClientRequestRunner } from '../../oidc/client-requests.js';
import type { RefreshTokens } from '../../tokens/refresh-tokens.js';
import type { SessionEnder } from './session-ender.js';

/** Keycloak's logout without a browser: the client sends a refresh token of the session. The token may have expired. */
export class RefreshTokenLogout {
  readonly #parts: { requests: ClientRequestRunner; refreshTokens: RefreshTokens; sessionEnder: SessionEnder };

  constructor(parts: { requests: ClientRequestRunner; refreshTokens: RefreshTokens; sessionEnder: SessionEnder }) {
    this.#parts = parts;
  }

  /**
   * Serves a logout request.
   * @throws OAuthError
   */
  serve(exchange: Exchange, form: Form): Promise<void> {
    const { ctx, realm } = exchange;
    const eventFields: { userId?: string; sessionId?: string } = {};
    return this.#parts.requests.serve(
      exchange,
      'LOGOUT',
      async (_form, client) => {
        const refreshToken = form.get('refresh_token') ?? '';
        const token = await this.#parts.refreshTokens.readOf(realm, client, refreshToken, { expired: 'accept' });
        eventFields.sessionId = token.sid;
        const session = await this.#parts.refreshTokens.sessionOf(realm, token);
        eventFields.userId = session?.userId ?? token.sub;
        if (session !== undefined && client.matchesSubject(token.sub, session.userId))
          await this.#parts.sessionEnder.end(realm, session);
        ctx.status = 204;
        return { refresh_token_id: token.jti, refresh_token_type: token.typ };
      },
      { form, about: eventFields },
    );
  }
}
