import { GrantType, OAuthError, provide } from '@keyhost/spi';
import type { Realm } from '../../model/realm.js';
import type { User } from '../../model/user.js';
import { issuance } from '../issuance.js';
import { startLogin } from '../login-session.js';
import { clientOf, type GrantServices, realmOf } from './services.js';

/** RFC 6749 §4.3, Keycloak's "direct access grants". Unknown user and wrong password answer alike, and take as long. */
export const password = (services: GrantServices) =>
  provide(GrantType, {
    id: 'password',
    eventType: 'LOGIN',
    open: () => ({
      create: (session) => ({
        async authorize({ client: { clientId }, form }) {
          const realm = realmOf(session);
          const client = clientOf(session, clientId);
          if (!client.directAccessGrantsEnabled) {
            throw new OAuthError('unauthorized_client', 'Client not allowed for direct access grants', {
              eventError: 'not_allowed',
            });
          }
          if (client.consentRequired) {
            throw new OAuthError('invalid_client', 'Client requires user consent', { eventError: 'consent_denied' });
          }
          const selection = client.selectScope(form.scope);
          if (!selection.valid) throw new OAuthError('invalid_scope', `Invalid scopes: ${form.scope}`);
          if (form.username === undefined) {
            throw new OAuthError('invalid_request', 'Missing parameter: username', {
              status: 401,
              eventError: 'username_missing',
            });
          }
          const user = await checkPassword(services, realm, form.username, form.password ?? '');
          if (selection.offline && !mayHaveOfflineTokens(realm, user)) {
            throw new OAuthError('not_allowed', 'Offline tokens not allowed for the user or client');
          }
          const login = await startLogin(services.logins, {
            realm,
            client,
            user,
            session,
            scope: selection.full,
            authMethod: 'openid-connect',
            offline: selection.offline,
          });
          return issuance({
            client,
            user,
            selection,
            grant: 'ro',
            ...login,
            idToken: selection.openid,
            details: { username: user.username, auth_method: 'oauth_credentials' },
          });
        },
      }),
    }),
  });

export function mayHaveOfflineTokens(realm: Realm, user: User): boolean {
  const role = realm.roles.realm.get('offline_access');
  return role !== undefined && user.effectiveRoles(realm).has(role);
}

async function checkPassword(
  { users, passwords }: GrantServices,
  realm: Realm,
  login: string,
  secret: string,
): Promise<User> {
  const user = await users.byLogin(realm, login);
  const credential = user?.credentials.find(({ type }) => type === 'password');
  if (user === undefined || user.isServiceAccount || credential === undefined) {
    await passwords.dummyVerify(secret);
    throw invalid(
      user === undefined ? 'user_not_found' : user.isServiceAccount ? 'invalid_user' : 'invalid_user_credentials',
    );
  }
  const { ok, outdated } = await passwords.verify(secret, credential);
  if (!ok) throw invalid('invalid_user_credentials');
  if (!user.enabled) throw new OAuthError('invalid_grant', 'Account disabled', { eventError: 'user_disabled' });
  if (user.requiredActions.length > 0) {
    throw new OAuthError('invalid_grant', 'Account is not fully set up', { eventError: 'resolve_required_actions' });
  }
  if (outdated) await rehash(users, passwords, realm, user, secret);
  return user;
}

/** A password from an older export gets today's hash. Losing a race against another login loses nothing. */
async function rehash(
  users: GrantServices['users'],
  passwords: GrantServices['passwords'],
  realm: Realm,
  user: User,
  secret: string,
): Promise<void> {
  const fresh = await passwords.hash(secret);
  const credentials = user.credentials.map((credential) =>
    credential.type === 'password' ? { ...credential, ...fresh, type: 'password' } : credential,
  );
  await users.update(realm, user, { ...user.representation, credentials });
}

function invalid(eventError: string): OAuthError {
  return new OAuthError('invalid_grant', 'Invalid user credentials', { eventError });
}
