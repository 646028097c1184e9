import { bearerToken } from '../http/bearer.js';
import { allowOriginsOf, allowOriginsOfRealm } from '../http/cors.js';
import { writeJson } from '../http/errors.js';
import { callerOf, type Endpoint, type Exchange } from '../http/exchange.js';
import { readForm } from '../http/form.js';
import type { KeyRing } from '../keys/key-ring.js';
import { signJwt } from '../keys/sign.js';
import { defined } from '../model/defined.js';
import { selectPermittedScope } from '../model/permitted-scope.js';
import { codeOf, eventErrorOf } from '../model/thrown.js';
import type { PolicyPlugins } from '../realms/client-policies/policy-evaluation.js';
import type { Events } from '../registry/events/events.js';
import type { HostSession } from '../registry/sessions/host-session.js';
import type { SessionFactory } from '../registry/sessions/session-factory.js';
import { grantedAudience, isOfLightweightToken } from '../tokens/access-claims.js';
import type { AccessTokens, LiveAccessToken } from '../tokens/access-tokens.js';
import type { ClaimMapping } from '../tokens/claims.js';
import { requestedClaimsOf } from '../tokens/requested-claims.js';
import { evaluateTokenUse } from './client-policy-requests.js';

export interface UserinfoParts {
  readonly accessTokens: AccessTokens;
  readonly mapping: ClaimMapping;
  readonly keys: KeyRing;
  readonly events: Events;
  readonly sessions: SessionFactory;
  readonly plugins: PolicyPlugins;
}

/**
 * The UserInfo endpoint (OpenID Connect Core §5.3). Errors are as in Keycloak: an empty body, and the reason in
 * `WWW-Authenticate` (RFC 6750 §3).
 */
export function userinfoEndpoint(parts: UserinfoParts): Endpoint {
  const serve = (exchange: Exchange) => userinfo(parts, exchange);
  return { path: '/protocol/openid-connect/userinfo', cors: 'client', methods: { GET: serve, POST: serve } };
}

async function userinfo(parts: UserinfoParts, exchange: Exchange): Promise<void> {
  const { ctx, realm, ip } = exchange;
  ctx.set('Cache-Control', 'no-store');
  const createSession = () => parts.sessions.create(realm, callerOf(exchange), 'keyhost');
  const headerToken = bearerToken(ctx.get('authorization') || undefined);
  const form = ctx.method === 'POST' && ctx.get('content-type') !== '' ? await readForm(ctx.req) : undefined;
  const bodyToken = form?.get('access_token');
  if ((headerToken !== undefined && bodyToken !== undefined) || form?.duplicate() !== undefined) {
    refuseUnknown(exchange, 400, 'invalid_request', 'The token is sent more than once');
    return;
  }
  const token = headerToken ?? bodyToken;
  if (token === undefined) {
    refuseUnknown(exchange, 401);
    return;
  }
  let live: LiveAccessToken;
  try {
    live = await parts.accessTokens.check(realm, token);
  } catch (error) {
    if (codeOf(error) !== 'invalid_token') throw error;
    refuseUnknown(exchange, 401, 'invalid_token', 'Token verification failed');
    parts.events.emit(realm, { type: 'USER_INFO_REQUEST', error: 'invalid_token', ipAddress: ip }, createSession);
    return;
  }
  const { client, user, payload } = live;
  allowOriginsOf(ctx, client);
  const use = { event: 'USERINFO_REQUEST', scope: payload.scope } as const;
  const policyResult = evaluateTokenUse(realm, use, { client, ip, plugins: parts.plugins });
  const refusal = policyResult instanceof Promise ? await policyResult : policyResult;
  if (refusal !== undefined) {
    const { status, headers, error, errorDescription, details } = refusal;
    ctx.set({ ...headers });
    refuse(exchange, status, error, errorDescription);
    const eventFields = { clientId: client.clientId, userId: user.id, ipAddress: ip };
    parts.events.emit(
      realm,
      { type: 'USER_INFO_REQUEST', error, ...eventFields, ...defined({ details }) },
      createSession,
    );
    return;
  }
  if (isOfLightweightToken(payload.jti) && !client.settings.lightweightTokensAtUserinfo) {
    refuse(exchange, 401, 'invalid_token', 'Lightweight access token not allowed for userinfo endpoint');
    return;
  }
  if (!payload.scope.split(' ').includes('openid')) {
    refuse(exchange, 403, 'insufficient_scope', 'Missing openid scope');
    return;
  }
  const event = { type: 'USER_INFO_REQUEST', clientId: client.clientId, userId: user.id, ipAddress: ip };
  try {
    await sendClaims(parts, exchange, live, createSession);
  } catch (thrown) {
    parts.events.emit(realm, { ...event, error: eventErrorOf(thrown).error ?? 'unknown_error' }, createSession);
    throw thrown;
  }
  parts.events.emit(realm, event, createSession);
}

/**
 * Sends the claims, signed if the client is configured so.
 * @throws HostError `temporarily_unavailable` (503) if the key cannot sign; errors of mappers
 */
async function sendClaims(
  parts: UserinfoParts,
  { ctx, realm }: Exchange,
  live: LiveAccessToken,
  session: () => HostSession,
): Promise<void> {
  const { client, user, payload } = live;
  const request = {
    realm,
    client,
    user,
    selection: selectPermittedScope(realm, client, user, payload.scope, grantedAudience(payload)),
    session: {
      notes: live.session?.notes ?? {},
      ...(live.session && { id: live.session.id, ...defined({ authTime: live.session.authTime }) }),
    },
    audience: grantedAudience(payload),
  };
  const claims = await parts.mapping.map(request, ['userinfo'], session);
  const { userinfo: requestedClaims } = requestedClaimsOf(live.clientSession?.notes);
  const requestedValues =
    requestedClaims === undefined ? {} : await parts.mapping.mapRequested(request, requestedClaims, session);
  const body = {
    ...requestedValues,
    ...claims.userinfo,
    sub: live.session === undefined ? user.id : client.subjectOf(user.id),
  };
  const algorithm = client.settings.userinfoAlgorithm;
  if (algorithm !== undefined) {
    const keys = await parts.keys.realm(realm.name);
    ctx.status = 200;
    ctx.set('Content-Type', 'application/jwt');
    ctx.body = await signJwt(await keys.active(algorithm), { ...body, iss: realm.issuer, aud: client.clientId });
  } else {
    writeJson(ctx, 200, body);
  }
}

/** Refuses a request before its client is known. */
function refuseUnknown(exchange: Exchange, status: number, error?: string, description?: string): void {
  allowOriginsOfRealm(exchange.ctx, exchange.realm);
  refuse(exchange, status, error, description);
}

function refuse({ ctx, realm }: Exchange, status: number, error?: string, description?: string): void {
  const reason = error === undefined ? '' : `, error="${error}", error_description="${description}"`;
  ctx.status = status;
  ctx.set('WWW-Authenticate', `Bearer realm="${realm.name}"${reason}`);
  ctx.set('Content-Type', 'text/plain; charset=utf-8');
  ctx.body = '';
}
