import { GrantType, OAuthError, provide } from '@keyhost/spi';
import type { Client } from '../../model/client.js';
import { selectPermittedScope } from '../../model/permitted-scope.js';
import type { HostSession } from '../../registry/sessions/host-session.js';
import { planTokens } from '../../tokens/token-plan.js';
import type { GrantCheck } from './granted-tokens.js';
import { clientOf, type GrantServices } from './services.js';

export const CLIENT_CREDENTIALS = 'client_credentials';

/**
 * RFC 6749 §4.4. The session is transient and has no refresh token, unless the client's attribute enables them, as in
 * Keycloak.
 */
export const clientCredentials = ({ users, tokenSessions }: GrantServices) =>
  provide(GrantType, {
    id: CLIENT_CREDENTIALS,
    eventType: 'CLIENT_LOGIN',
    open: () => ({
      create: (session: HostSession) => ({
        async authorize({ client: { clientId }, form }) {
          const realm = session.compiledRealm;
          const client = clientOf(session, clientId);
          requireServiceAccount(client);
          const user = await users.serviceAccount(realm, client);
          if (user === undefined) {
            throw new OAuthError('invalid_request', 'The associated service account for the client does not exist', {
              status: 401,
              eventError: 'user_not_found',
            });
          }
          if (!user.enabled) {
            throw new OAuthError('invalid_request', `User '${user.username}' disabled`, {
              status: 401,
              eventError: 'user_disabled',
            });
          }
          const selection = selectPermittedScope(realm, client, user, form.scope);
          if (!selection.isValid) throw new OAuthError('invalid_scope', `Invalid scopes: ${form.scope}`);
          // Notes for the mappers of the client scope `service_account`. As host name they get the address too, because
          // there is no reverse DNS lookup.
          const { remoteAddress } = session;
          const notes = { client_id: clientId, clientId, clientHost: remoteAddress, clientAddress: remoteAddress };
          const details = { username: user.username };
          const granted = { by: CLIENT_CREDENTIALS };
          if (!client.settings.refreshTokensOfServiceAccount)
            return planTokens({ client, user, selection, grant: 'cc', granted, idToken: false, details, notes });
          const login = await tokenSessions.start({
            realm,
            client,
            user,
            session,
            scope: selection.fullScope,
            authMethod: 'client_auth',
            // As in Keycloak, `use.refresh.tokens` applies to logins of users only.
            refreshes: true,
            notes,
          });
          return planTokens({ client, user, selection, grant: 'cc', granted, idToken: false, details, ...login });
        },
      }),
    }),
  });

export const checkClientCredentialsGrant: GrantCheck = async ({ realm, client, user, users }) => {
  requireServiceAccount(client);
  const account = await users.serviceAccount(realm, client);
  if (account?.id !== user.id) throw unauthorizedClient('The associated service account for the client does not exist');
  if (!client.settings.refreshTokensOfServiceAccount) throw unauthorizedClient('Client not allowed refresh tokens');
};

function requireServiceAccount(client: Client): void {
  if (client.bearerOnly) throw unauthorizedClient('Bearer-only client not allowed to retrieve service account');
  if (client.publicClient) throw unauthorizedClient('Public client not allowed to retrieve service account');
  if (!client.serviceAccountsEnabled) throw unauthorizedClient('Client not enabled to retrieve service account');
}

function unauthorizedClient(description: string): OAuthError {
  return new OAuthError('unauthorized_client', description, { status: 401, eventError: 'invalid_client' });
}
