import { GrantType, OAuthError, provide } from '@keyhost/spi';
import type { Client } from '../../model/client.js';
import { selectPermittedScope } from '../../model/permitted-scope.js';
import type { HostSession } from '../../registry/sessions/host-session.js';
import { referenceNotes } from '../../tokens/method-references.js';
import { mayHaveOfflineTokens } from '../../tokens/offline-access.js';
import { planTokens } from '../../tokens/token-plan.js';
import type { GrantCheck } from './granted-tokens.js';
import { clientOf, type GrantServices } from './services.js';

export const PASSWORD = 'password';

/** RFC 6749 §4.3, Keycloak's "direct access grants": the realm's direct grant flow authenticates the user. */
export const password = ({ directGrant, tokenSessions }: GrantServices) =>
  provide(GrantType, {
    id: PASSWORD,
    eventType: 'LOGIN',
    open: () => ({
      create: (session: HostSession) => ({
        async authorize({ client: { clientId }, form }) {
          const realm = session.compiledRealm;
          const client = clientOf(session, clientId);
          requireDirectAccess(client);
          if (!client.selectScope(form.scope).isValid)
            throw new OAuthError('invalid_scope', `Invalid scopes: ${form.scope}`);
          if (form.username === undefined) {
            throw new OAuthError('invalid_request', 'Missing parameter: username', {
              status: 401,
              eventError: 'username_missing',
            });
          }
          const { user, notes, references } = await directGrant.authenticate(session as HostSession, client, form);
          const selection = selectPermittedScope(realm, client, user, form.scope);
          if (selection.offline && !mayHaveOfflineTokens(realm, client, user)) {
            throw new OAuthError('not_allowed', 'Offline tokens not allowed for the user or client');
          }
          const methods = referenceNotes(references);
          const login = await tokenSessions.start({
            realm,
            client,
            user,
            session,
            scope: selection.fullScope,
            authMethod: 'openid-connect',
            offline: selection.offline,
            notes: { ...notes, ...methods.session },
            clientNotes: methods.client,
          });
          return planTokens({
            client,
            user,
            selection,
            grant: 'ro',
            granted: { by: PASSWORD },
            ...login,
            idToken: selection.openid,
            details: { username: user.username, auth_method: 'oauth_credentials' },
          });
        },
      }),
    }),
  });

export const checkPasswordGrant: GrantCheck = ({ client }) => requireDirectAccess(client);

function requireDirectAccess(client: Client): void {
  if (!client.directAccessGrantsEnabled) {
    const eventError = 'not_allowed';
    throw new OAuthError('unauthorized_client', 'Client not allowed for direct access grants', { eventError });
  }
  if (client.consentRequired) {
    throw new OAuthError('invalid_client', 'Client requires user consent', { eventError: 'consent_denied' });
  }
}
