import { GrantType, OAuthError, provide } from '@keyhost/spi';
import type { Client } from '../../model/client.js';
import { selectPermittedScope } from '../../model/permitted-scope.js';
import type { HostSession } from '../../registry/sessions/host-session.js';
import type { GrantLimits, Impersonation } from '../../tokens/grant-limits.js';
import type { RefreshableLogin, RefreshPayload } from '../../tokens/refresh-tokens.js';
import { planTokens, type TokenPlan } from '../../tokens/token-plan.js';
import { TOKEN_EXCHANGE } from './exchange-request.js';
import { clientOf, type GrantServices } from './services.js';
import { requireStillGranted } from './still-granted.js';

type Services = Pick<GrantServices, 'refreshTokens' | 'users'>;

/**
 * RFC 6749 §6, in Keycloak's order of checks. Rotation and reuse detection are durable, and separate for each login.
 */
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
          const token = await services.refreshTokens.readOf(realm, client, form.refresh_token);
          return planTokens(await refresh(services, session, client, token, form.scope));
        },
      }),
    }),
  });

async function refresh(
  services: Services,
  hostSession: HostSession,
  client: Client,
  token: RefreshPayload,
  requestedScope: string | undefined,
): Promise<TokenPlan> {
  const realm = hostSession.compiledRealm;
  const login = await services.refreshTokens.check(realm, client, token, { expired: 'end' });
  const { scope, granted } = await checkRefresh(services, hostSession, client, token, login, requestedScope);
  const { user, session, clientSession } = login;
  const allowedScopes = granted?.within;
  const isImpersonation = granted?.exact !== undefined;
  const selection = selectPermittedScope(realm, client, user, isImpersonation ? undefined : scope, granted?.audience);
  return {
    client,
    user,
    session,
    // Use the scope of the token's own login: a later login may have another scope.
    clientSession: { ...clientSession, scope: token.scope },
    grant: 'rt',
    granted,
    rotate: () => services.refreshTokens.rotate(realm, client, token, session),
    // A client that no longer gets refresh tokens can still redeem the ones that it has.
    withholdRefreshToken: !client.settings.refreshTokens,
    details: { refresh_token_id: token.jti, refresh_token_type: token.typ, refresh_token_sub: token.sub },
    nonce: token.nonce,
    selection: allowedScopes === undefined ? selection : client.withinScopes(selection, allowedScopes),
    idToken:
      !isImpersonation && token.scope.split(' ').includes('openid') && allowedScopes?.includes('openid') !== false,
  };
}

/**
 * Checks that the original grant would still allow a refresh, and returns the scope and limits of the new tokens.
 * @throws OAuthError `invalid_grant`, `invalid_scope`
 */
export async function checkRefresh(
  { users }: Pick<Services, 'users'>,
  { compiledRealm: realm, generation }: Pick<HostSession, 'compiledRealm' | 'generation'>,
  client: Client,
  token: RefreshPayload,
  { user, clientSession }: RefreshableLogin,
  requestedScope?: string,
): Promise<{ readonly scope: string; readonly granted: GrantLimits | undefined }> {
  const granted = token.granted ?? impersonationOfNotes(clientSession.notes);
  const impersonation = granted?.exact;
  if (impersonation !== undefined && requestedScope !== undefined && requestedScope !== impersonation.scope) {
    throw new OAuthError('invalid_scope', `Invalid scopes: ${requestedScope}`);
  }
  const scope = impersonation?.scope ?? scopeOfRefresh(client, token.scope, requestedScope);
  if (granted !== undefined) {
    await requireStillGranted(generation, { realm, client, user, scope, granted, users });
  }
  return { scope, granted };
}

/**
 * The scope of a refresh: never more than was granted to the login (RFC 6749 §6). The new refresh token retains the
 * full scope.
 */
function scopeOfRefresh(client: Client, granted: string, requested: string | undefined): string {
  const grantedScopes = granted.split(' ');
  // Drop scopes that the client has lost since the login.
  const validScopes = grantedScopes.filter((word) => client.selectScope(word).isValid);
  if (requested === undefined) return validScopes.join(' ');
  const requestedScopes = requested.split(' ').filter((word) => word !== '');
  if (requestedScopes.some((word) => !validScopes.includes(word)))
    throw new OAuthError('invalid_scope', `Invalid scopes: ${requested}`);
  return requestedScopes.join(' ');
}

/**
 * Client session note of a direct naked impersonation, written by versions that did not put it into the refresh token.
 */
const IMPERSONATION_NOTE = 'keyhost.impersonation';

function impersonationOfNotes(notes: Readonly<Record<string, string>>): GrantLimits | undefined {
  const note = notes[IMPERSONATION_NOTE];
  return note === undefined ? undefined : { by: TOKEN_EXCHANGE, exact: JSON.parse(note) as Impersonation };
}
