import { GrantType, OAuthError, provide } from '@keyhost/spi';
import type { HostSession } from '../../registry/sessions/session.js';
import { clientOf, type GrantServices } from './services.js';
import { tokensOfSession } from './tokens-of-session.js';

/** RFC 6749 §4.1.3: a code for tokens. `session_state`, `state` and `iss` that come with it are not looked at. */
export const authorizationCode = (services: GrantServices) =>
  provide(GrantType, {
    id: 'authorization_code',
    eventType: 'CODE_TO_TOKEN',
    open: () => ({
      create: (session: HostSession) => ({
        async authorize({ client: { clientId }, form }) {
          const realm = session.compiledRealm;
          const client = clientOf(session, clientId);
          if (form.code === undefined) {
            throw new OAuthError('invalid_request', 'Missing parameter: code', { eventError: 'invalid_code' });
          }
          if (!client.standardFlowEnabled) {
            throw new OAuthError('invalid_grant', 'Client not allowed to exchange code', { eventError: 'not_allowed' });
          }
          const payload = await services.codes.redeem(realm, client, {
            code: form.code,
            redirectUri: form.redirect_uri,
            verifier: form.code_verifier,
          });
          return tokensOfSession(services, session, { ...payload, client, grant: 'ac' });
        },
      }),
    }),
  });
