import { GrantType, OAuthError, provide } from '@keyhost/spi';
import type { Client } from '../../model/client.js';
import { permittedScope } from '../../model/permitted-scope.js';
import type { HostSession } from '../../registry/sessions/host-session.js';
import type { GrantLimits, Impersonation } from '../../tokens/grant-limits.js';
import type { RefreshableLogin, RefreshPayload } from '../../tokens/refresh-tokens.js';
import { planTokens, type TokenPlan } from '../../tokens/token-plan.js';
import { TOKEN_EXCHANGE } from './exchange-request.js';
import { requireStillGranted } from './grant-terms.js';
import { clientOf, type GrantServices } from './services.js';

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
  const { scope, granted } = await refreshable(services, hostSession, client, token, login, requestedScope);
  const { user, session, clientSession } = login;
  const within = granted?.within;
  const exact = granted?.exact !== undefined;
  const selection = permittedScope(realm, client, user, exact ? undefined : scope, granted?.audience);
  return {
    client,
    user,
    session,
    // The scope of the token's own login: a later login may have another.
    clientSession: { ...clientSession, scope: token.scope },
    grant: 'rt',
    granted,
    rotate: () => services.refreshTokens.rotate(realm, client, token, session),
    // A client that no longer gets refresh tokens can still use up the ones it has.
    withholdRefreshToken: !client.settings.refreshTokens,
    details: { refresh_token_id: token.jti, refresh_token_type: token.typ, refresh_token_sub: token.sub },
    nonce: token.nonce,
    selection: within === undefined ? selection : client.withinScopes(selection, within),
    idToken: !exact && token.scope.split(' ').includes('openid') && within?.includes('openid') !== false,
  };
}

/**
 * The result of a refresh: what the original grant gave, if that grant would still allow it.
 * @throws OAuthError `invalid_grant`, `invalid_scope`
 */
export async function refreshable(
  { users }: Pick<Services, 'users'>,
  { compiledRealm: realm, generation }: Pick<HostSession, 'compiledRealm' | 'generation'>,
  client: Client,
  token: RefreshPayload,
  { user, clientSession }: RefreshableLogin,
  requestedScope?: string,
): Promise<{ readonly scope: string; readonly granted: GrantLimits | undefined }> {
  const granted = token.granted ?? impersonationOfNotes(clientSession.notes);
  const exact = granted?.exact;
  if (exact !== undefined && requestedScope !== undefined && requestedScope !== exact.scope) {
    throw new OAuthError('invalid_scope', `Invalid scopes: ${requestedScope}`);
  }
  const scope = exact?.scope ?? scopeOfRefresh(client, token.scope, requestedScope);
  if (granted !== undefined) {
    await requireStillGranted(generation, { realm, client, user, scope, granted, users });
  }
  return { scope, granted };
}

/** RFC 6749 §6: never more than the login was granted. The new refresh token retains the full scope. */
function scopeOfRefresh(client: Client, granted: string, requested: string | undefined): string {
  const words = granted.split(' ');
  // Drop scopes that the client has lost since the login.
  const kept = words.filter((word) => client.selectScope(word).valid);
  if (requested === undefined) return kept.join(' ');
  const wanted = requested.split(' ').filter((word) => word !== '');
  if (wanted.some((word) => !kept.includes(word)))
    throw new OAuthError('invalid_scope', `Invalid scopes: ${requested}`);
  return wanted.join(' ');
}

/**
 * Client session note of a direct naked impersonation, written by versions that did not put it into the refresh token.
 */
const IMPERSONATION_NOTE = 'keyhost.impersonation';

function impersonationOfNotes(notes: Readonly<Record<string, string>>): GrantLimits | undefined {
  const note = notes[IMPERSONATION_NOTE];
  return note === undefined ? undefined : { by: TOKEN_EXCHANGE, exact: JSON.parse(note) as Impersonation };
}
