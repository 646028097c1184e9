import { OAuthError } from '@keyhost/spi';
import { bearerToken, unauthorized } from '../../http/bearer.js';
import { allowOriginsOf, allowOriginsOfRealm, answerPreflight, realmOrigins } from '../../http/cors.js';
import { writeJson } from '../../http/errors.js';
import type { Exchange } from '../../http/exchange.js';
import { notFound } from '../../http/not-found.js';
import { readQuery } from '../../http/query.js';
import { methodNotAllowed } from '../../http/realm-dispatch.js';
import { RouteMatcher } from '../../http/route-matcher.js';
import { type AccessTokens, rolesOfToken } from '../../tokens/access-tokens.js';
import {
  type AccountContext,
  type AccountParts,
  type AccountRole,
  hasAnyRole,
  isRecentLogin,
  MAX_LOGIN_AGE_SECONDS,
} from '../account.js';

/** A response with a JSON body; undefined: 204. */
export type RestAnswer = { readonly status?: number; readonly body: unknown } | undefined;

/** An operation of the Account REST API. `{name}` in the path is a parameter. */
export interface RestOperation {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  /** The caller's token must contain one of these roles. */
  readonly roles: readonly AccountRole[];
  handle(account: AccountContext, call: RestCall): Promise<RestAnswer> | RestAnswer;
}

export interface RestCall {
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
}

/** The audience of tokens for the account, and the client whose roles are checked. */
const AUDIENCE = 'account';

/** Creates the handler of the API. It finds the operation, verifies the token, and sends the result. */
export function restEndpoint(accessTokens: AccessTokens, operations: readonly RestOperation[]) {
  const routes = new RouteMatcher<RestOperation>();
  for (const operation of operations) routes.add(operation.method, operation.path, operation);
  return async function serveRest(exchange: Exchange, path: string): Promise<void> {
    const { ctx, realm } = exchange;
    ctx.set('Cache-Control', 'no-store');
    const operationPath = path.replace(/(?<=.)\/$/, '');
    // As in Keycloak, HEAD is answered but not listed.
    const allow = routes
      .allowedMethods(operationPath)
      .filter((method) => method !== 'HEAD')
      .join(', ');
    if (allow === '') throw notFound();
    if (ctx.method === 'OPTIONS') return answerPreflight(ctx, allow, realmOrigins(realm));
    allowOriginsOfRealm(ctx, realm);
    const account = await requireAccount(accessTokens, exchange);
    const match = routes.find(operationPath, ctx.method === 'HEAD' ? 'GET' : ctx.method);
    if (match === undefined) throw methodNotAllowed(allow);
    const { value: operation, params } = match;
    if (!hasAnyRole(account, ...operation.roles)) throw forbidden();
    const answer = await operation.handle(account, { params, query: readQuery(ctx.querystring) });
    if (answer === undefined) ctx.status = 204;
    else writeJson(ctx, answer.status ?? 200, JSON.stringify(answer.body));
  };
}

export function forbidden(): OAuthError {
  return new OAuthError('HTTP 403 Forbidden', undefined, { status: 403 });
}

/**
 * Requires a recent login for changes that could lock the user out or give others access.
 * @throws OAuthError of RFC 9470 if the token's login is too old, or did not use all factors that the user has
 */
export function requireRecentLogin(parts: AccountParts, account: AccountContext): void {
  if (isRecentLogin(parts, account)) return;
  const error = 'insufficient_user_authentication';
  const challenge = `Bearer realm="${account.exchange.realm.name}", error="${error}", max_age="${MAX_LOGIN_AGE_SECONDS}"`;
  throw new OAuthError(error, 'A more recent authentication is required', {
    status: 401,
    headers: { 'www-authenticate': challenge },
  });
}

/**
 * The account of the token's user.
 * @throws OAuthError 401 without a valid token for the account, 403 for a service account
 */
async function requireAccount(accessTokens: AccessTokens, exchange: Exchange): Promise<AccountContext> {
  const { ctx, realm } = exchange;
  const token = bearerToken(ctx.req.headers.authorization);
  if (token === undefined) throw unauthorized(exchange.realm);
  const live = await accessTokens.check(realm, token).catch((error: { code?: string }) => {
    throw error.code === 'invalid_token' ? unauthorized(exchange.realm, 'invalid_token') : error;
  });
  const { payload, client, user, session } = live;
  // Reject impersonation tokens and tokens for other audiences: with them, it is not the user who manages the account.
  if (payload.act !== undefined || ![payload.aud].flat().includes(AUDIENCE)) {
    throw unauthorized(exchange.realm, 'invalid_token');
  }
  allowOriginsOf(ctx, client);
  if (user.isServiceAccount) throw forbidden();
  const roles = new Set(rolesOfToken(realm, live).clients[AUDIENCE] ?? []);
  return { exchange, user, session, roles, clientId: client.clientId };
}
