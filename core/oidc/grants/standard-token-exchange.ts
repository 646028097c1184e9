import { OAuthError } from '@keyhost/spi';
import type { Client, ScopeSelection } from '../../model/client.js';
import { selectPermittedScope } from '../../model/permitted-scope.js';
import type { Realm } from '../../model/realm.js';
import { codeOf } from '../../model/thrown.js';
import type { User } from '../../model/user.js';
import type { LiveAccessToken } from '../../tokens/access-tokens.js';
import type { TokenPlan } from '../../tokens/token-plan.js';
import { type ExchangeRequest, TOKEN_EXCHANGE, TOKEN_TYPE } from './exchange-request.js';
import type { GrantServices } from './services.js';

const UNSUPPORTED = ['requested_subject', 'requested_issuer', 'subject_issuer'];

/**
 * Keycloak's StandardTokenExchangeProvider (RFC 8693): the client exchanges an access token addressed to it for one of
 * its own.
 */
export async function standardExchange(services: GrantServices, request: ExchangeRequest): Promise<TokenPlan> {
  const { realm, client, audiences } = request;
  checkParameters(request);
  const type = readRequestedType(request);
  const subject = await readSubjectToken(services, request);
  requireExchangeFor(realm, client, audiences);
  const selection = selectScopeFor(request, subject.user);
  const { session } = subject;
  const plan = {
    client,
    user: subject.user,
    selection,
    grant: 'te',
    granted: { by: TOKEN_EXCHANGE, ...(audiences.length > 0 && { audience: audiences }) },
    session,
    idToken: selection.openid || type === TOKEN_TYPE.id,
    idTokenAlone: type === TOKEN_TYPE.id,
    response: { issued_token_type: type },
    details: {
      audience: audiences.join(' '),
      requested_token_type: type,
      subject_token_client_id: subject.client.clientId,
      username: subject.user.username,
    },
  };
  const wantsRefreshToken = type === TOKEN_TYPE.refresh;
  if (wantsRefreshToken && (session === undefined || session.offline)) {
    throw new OAuthError(
      'invalid_request',
      'Refresh token not valid as requested_token_type because creating a new session is needed',
    );
  }
  if (session === undefined) return plan;
  // The new tokens join the subject token's session, so that they end with it.
  const joined = await services.tokenSessions.join(realm, session, client, {
    scope: selection.fullScope,
    refreshes: wantsRefreshToken,
  });
  if (joined === undefined) {
    throw new OAuthError('invalid_request', 'Invalid token', { eventError: 'user_session_not_found' });
  }
  return { ...plan, ...joined };
}

/** Checks the parameters about the subject token and the requested token. */
function checkParameters({ client, form }: ExchangeRequest): void {
  for (const name of UNSUPPORTED) {
    if (form[name] !== undefined) {
      throw new OAuthError('invalid_request', `Parameter '${name}' is not supported for standard token exchange`);
    }
  }
  requireExchange(client);
  if (!form.subject_token_type) {
    throw new OAuthError('invalid_request', "Parameter 'subject_token_type' required for standard token exchange");
  }
  if (form.subject_token_type !== TOKEN_TYPE.access) {
    throw new OAuthError('invalid_request', "Parameter 'subject_token' supports access tokens only");
  }
}

/** The subject token: valid, and issued to the caller or addressed to it. */
async function readSubjectToken(
  { accessTokens }: GrantServices,
  { realm, client, form }: ExchangeRequest,
): Promise<LiveAccessToken> {
  const subject = await accessTokens.check(realm, form.subject_token ?? '').catch((error: unknown) => {
    if (codeOf(error) !== 'invalid_token') throw error;
    throw new OAuthError('invalid_request', 'Invalid token', { eventError: 'invalid_token' });
  });
  const audience = [subject.payload.aud].flat();
  if (subject.client.clientId !== client.clientId && !audience.includes(client.clientId)) {
    throw accessDenied('Client is not within the token audience');
  }
  // An impersonation token is limited to its own scope, so it must not become a token of another.
  if (subject.payload.act !== undefined) throw accessDenied('Client not allowed to exchange');
  return subject;
}

/**
 * Checks that the client may exchange tokens, both before an exchange and at each refresh of its tokens.
 * @throws OAuthError
 */
export function requireExchange(client: Client): void {
  if (client.publicClient) throw new OAuthError('invalid_client', 'Public client is not allowed to exchange token');
  if (!client.settings.standardTokenExchange) {
    throw new OAuthError('invalid_request', 'Standard token exchange is not enabled for the requested client');
  }
}

/**
 * Checks the audiences, both before an exchange and at each refresh.
 * @throws OAuthError
 */
export function requireExchangeFor(realm: Realm, client: Client, audiences: readonly string[]): void {
  for (const audience of audiences) {
    const target = realm.clients.get(audience);
    if (target === undefined) {
      throw new OAuthError('invalid_client', 'Audience not found', { eventError: 'client_not_found' });
    }
    if (!target.enabled) throw new OAuthError('invalid_client', 'Client disabled', { eventError: 'client_disabled' });
  }
  if (client.consentRequired) {
    throw new OAuthError('invalid_scope', `Missing consents for Token Exchange in client ${client.clientId}`);
  }
}

function selectScopeFor({ realm, client, form, audiences }: ExchangeRequest, user: User): ScopeSelection {
  const audience = audiences.length > 0 ? audiences : undefined;
  const selection = selectPermittedScope(realm, client, user, form.scope, audience);
  if (!selection.isValid) throw new OAuthError('invalid_scope', `Invalid scopes: ${form.scope}`);
  if (selection.offline) throw new OAuthError('invalid_request', 'Scope offline_access not allowed for token exchange');
  return selection;
}

function readRequestedType({ client, form }: ExchangeRequest): string {
  const type = form.requested_token_type ?? TOKEN_TYPE.access;
  if (type === TOKEN_TYPE.access || type === TOKEN_TYPE.id) return type;
  const { exchangesForRefreshTokens, refreshTokens } = client.settings;
  if (type === TOKEN_TYPE.refresh && exchangesForRefreshTokens && refreshTokens) return type;
  throw new OAuthError('invalid_request', 'requested_token_type unsupported');
}

function accessDenied(description: string): OAuthError {
  return new OAuthError('access_denied', description, { status: 403, eventError: 'not_allowed' });
}
