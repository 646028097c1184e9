import { GrantType, OAuthError, provide } from '@keyhost/spi';
import type { Client } from '../../model/client.js';
import type { HostSession } from '../../registry/sessions/host-session.js';
import type { GrantCheck } from './granted-tokens.js';
import { clientOf, type GrantServices } from './services.js';
import { planSessionTokens, requireConsent } from './tokens-of-session.js';

export const AUTHORIZATION_CODE = 'authorization_code';

/** RFC 6749 §4.1.3: exchanges a code for tokens. Additional `session_state`, `state` and `iss` are ignored. */
export const authorizationCode = (services: GrantServices) =>
  provide(GrantType, {
    id: AUTHORIZATION_CODE,
    eventType: 'CODE_TO_TOKEN',
    open: () => ({
      create: (session: HostSession) => ({
        async authorize({ client: { clientId }, form }) {
          const realm = session.compiledRealm;
          const client = clientOf(session, clientId);
          if (form.code === undefined) {
            throw new OAuthError('invalid_request', 'Missing parameter: code', { eventError: 'invalid_code' });
          }
          requireStandardFlow(client);
          // A concurrent second use of the code ends the client session. Read the session first, so that the first use
          // still gets its tokens.
          const sessionId = services.codes.sessionIdOf(form.code);
          const joinedSession = sessionId && (await services.tokenSessions.findOnline(realm, client, sessionId));
          const payload = await services.codes.redeem(realm, client, {
            code: form.code,
            redirectUri: form.redirect_uri,
            verifier: form.code_verifier,
          });
          return planSessionTokens(services, session, {
            ...payload,
            client,
            found: joinedSession && joinedSession.session.id === payload.sessionId ? joinedSession : undefined,
            grant: 'ac',
            grantType: AUTHORIZATION_CODE,
          });
        },
      }),
    }),
  });

export const checkCodeGrant: GrantCheck = ({ realm, client, user, scope }) => {
  requireStandardFlow(client);
  requireConsent(realm, client, user, scope);
};

function requireStandardFlow(client: Client): void {
  if (client.standardFlowEnabled) return;
  throw new OAuthError('invalid_grant', 'Client not allowed to exchange code', { eventError: 'not_allowed' });
}
