import { hash } from 'node:crypto';
import { OAuthError } from '@keyhost/spi';
import type { Endpoint, Exchange } from '../http/exchange.js';
import { readForm } from '../http/form.js';
import type { RequestEvents } from '../http/request-events.js';
import { decodeUnverified } from '../keys/verify.js';
import type { SessionEnder } from '../login/logout/session-ender.js';
import type { Clock } from '../model/clock.js';
import { type IdentityProvider, identityProvidersOf } from '../model/identity-provider.js';
import type { Store, UserSessionRecord } from '../store/store.js';
import type { Users } from '../users/users.js';
import { BrokerFailure } from './broker-failure.js';
import type { ProviderTokens } from './provider-tokens.js';
import { isOfProvider } from './session-of-provider.js';

export interface LogoutByProviderParts {
  readonly tokens: ProviderTokens;
  readonly users: Users;
  readonly store: Store;
  readonly clock: Clock;
  readonly sessionEnder: SessionEnder;
  readonly events: RequestEvents;
}

const LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout';
const PAGE_SIZE = 1000;

/**
 * `POST …/protocol/openid-connect/logout/backchannel-logout`: an identity provider has ended a session, so the user
 * sessions that began with it end too (OpenID Connect Back-Channel Logout 1.0). Accepted only from enabled providers
 * with a configured issuer and a JWKS URL or public key.
 */
export function logoutByProviderEndpoint(parts: LogoutByProviderParts): Endpoint {
  return {
    path: '/protocol/openid-connect/logout/backchannel-logout',
    cors: 'none',
    methods: { POST: (exchange) => handleLogout(parts, exchange) },
  };
}

async function handleLogout(parts: LogoutByProviderParts, exchange: Exchange): Promise<void> {
  const { ctx, realm } = exchange;
  const token = (await readForm(ctx.req)).get('logout_token');
  if (token === undefined) throw invalidRequest('No logout token');
  const { provider, sub, sid } = await readLogoutToken(parts, exchange, token);
  const user = sub === undefined ? undefined : await parts.users.byFederatedIdentity(realm, provider.alias, sub);
  if (sub !== undefined && user === undefined) return respondEmpty(exchange);
  const filter = { userId: user?.id, offline: false };
  const sessions: UserSessionRecord[] = [];
  for (let first = 0; ; first += PAGE_SIZE) {
    const page = await parts.store.sessions.list(realm.name, { ...filter, first, max: PAGE_SIZE });
    sessions.push(...page.filter(({ notes }) => isOfProvider(notes, provider, sid)));
    if (page.length < PAGE_SIZE) break;
  }
  for (const session of sessions) {
    await parts.sessionEnder.end(realm, session);
    const details = { identity_provider: provider.alias };
    const event = { type: 'LOGOUT', userId: session.userId, sessionId: session.id, details };
    parts.events.emit(exchange, event);
  }
  respondEmpty(exchange);
}

function respondEmpty({ ctx }: Exchange): void {
  ctx.status = 200;
  ctx.set('Cache-Control', 'no-store');
  ctx.body = '';
}

/**
 * Validates the logout token (OpenID Connect Back-Channel Logout 1.0 §2.6), and accepts each token only once.
 * @throws OAuthError 400
 */
async function readLogoutToken(
  { tokens, store, clock }: LogoutByProviderParts,
  { realm }: Exchange,
  token: string,
): Promise<{ provider: IdentityProvider; sub: string | undefined; sid: string | undefined }> {
  const provider = claimedProvider(realm, token);
  try {
    const { events, nonce, sub, sid, jti, exp } = await tokens.verifySigned(realm.name, provider, token);
    const isLogout = typeof events === 'object' && events !== null && LOGOUT_EVENT in events && nonce === undefined;
    const identifiers = [sub, sid].filter((value) => value !== undefined);
    if (
      !isLogout ||
      identifiers.length === 0 ||
      identifiers.some((value) => typeof value !== 'string') ||
      typeof jti !== 'string'
    ) {
      throw new BrokerFailure('it is not a logout token');
    }
    const keyHash = hash('sha256', `${provider.alias} ${jti}`, 'base64url');
    const markKey = { realm: realm.name, kind: 'logout-token', keyHash };
    if (!(await store.marks.claim({ ...markKey, expiresAt: Number(exp) * 1000, now: clock.now() }))) {
      throw new BrokerFailure('it was already used');
    }
    return { provider, sub: sub as string | undefined, sid: sid as string | undefined };
  } catch (error) {
    if (error instanceof BrokerFailure) throw invalidRequest('Invalid logout token');
    throw error;
  }
}

/**
 * The provider that the token claims to be from, unverified; the caller must verify the signature.
 * @throws OAuthError 400 if there is none whose tokens can be verified
 */
function claimedProvider(realm: Exchange['realm'], token: string): IdentityProvider {
  let issuer: unknown;
  let audience: unknown[];
  try {
    const { payload } = decodeUnverified(token);
    issuer = payload.iss;
    audience = [payload.aud].flat();
  } catch {
    throw invalidRequest('Invalid logout token');
  }
  const provider = [...identityProvidersOf(realm).values()].find(
    ({ enabled, issuers, clientId }) => enabled && issuers.includes(String(issuer)) && audience.includes(clientId),
  );
  if (provider === undefined || (provider.jwksUrl ?? provider.publicKey) === undefined) {
    throw invalidRequest('Invalid logout token');
  }
  return provider;
}

function invalidRequest(description: string): OAuthError {
  return new OAuthError('invalid_request', description);
}
