import { OAuthError } from '@keyhost/spi';
import { writeJson } from '../http/errors.js';
import { callerOf, type Endpoint, type Exchange } from '../http/exchange.js';
import type { Client } from '../model/client.js';
import type { Clock } from '../model/clock.js';
import { hasManyDigits, parseExactly } from '../model/exact-json.js';
import { isObject } from '../model/is-object.js';
import { permittedScope } from '../model/permitted-scope.js';
import type { Realm } from '../model/realm.js';
import { codeOf } from '../model/thrown.js';
import type { SessionFactory } from '../registry/sessions/session-factory.js';
import { grantedAudience, isOfLightweightToken } from '../tokens/access-claims.js';
import type { AccessTokens, LiveAccessToken } from '../tokens/access-tokens.js';
import type { ClaimMapping } from '../tokens/claims.js';
import { sessionOfMappers } from '../tokens/issue-tokens.js';
import { type Claims, isOfProtocol } from '../tokens/place-claim.js';
import type { RefreshPayload, RefreshTokens } from '../tokens/refresh-tokens.js';
import type { Users } from '../users/users.js';
import type { ClientRequest, ClientRequests } from './client-requests.js';
import { refreshable } from './grants/refresh-token.js';
import { RequestLimit } from './request-limit.js';

const INACTIVE = '{"active":false}';
/** Realm attribute; `true`: every confidential client may introspect every token. */
const ANY_CLIENT = 'keyhost.introspection.any.client';
/** Keycloak's client attribute; `true`: this confidential client may introspect every access token. */
const WITHOUT_AUDIENCE = 'allow.token.introspection.without.audience.check';
/** Log message for a realm with that attribute. */
export const ANY_CLIENT_INTROSPECTS = `any client may introspect any token, since the attribute ${ANY_CLIENT} is true`;
const NOT_ADDRESSED = Symbol('a token of others');

/** The claims of a token that was verified. */
type ReadToken = { readonly [claim: string]: unknown } | RefreshPayload;

/** The response for a token; undefined: it is not active. */
type Introspected = object | typeof NOT_ADDRESSED | undefined;

export interface IntrospectionParts {
  readonly requests: ClientRequests;
  readonly accessTokens: AccessTokens;
  readonly refreshTokens: RefreshTokens;
  readonly users: Users;
  readonly mapping: ClaimMapping;
  readonly clock: Clock;
  readonly sessions: SessionFactory;
}

/**
 * RFC 7662, `POST …/token/introspect`: confidential clients introspect tokens that concern them. All other tokens are
 * inactive.
 */
export function introspectionEndpoint(parts: IntrospectionParts): Endpoint {
  const limit = new RequestLimit(parts.clock, 'introspectionRequestsPerSecond');
  return {
    path: '/protocol/openid-connect/token/introspect',
    cors: 'client',
    methods: { POST: (exchange) => introspect(parts, exchange, limit) },
  };
}

function introspect(parts: IntrospectionParts, exchange: Exchange, limit: RequestLimit): Promise<void> {
  const about: { error?: string } = {};
  const run: ClientRequest = async (form, client): Promise<Record<string, string>> => {
    if (client.publicClient) throw new OAuthError('invalid_request', 'Client not allowed.', { status: 403 });
    const token = form.get('token');
    const hint = form.get('token_type_hint') ?? 'access_token';
    if (token === undefined && !form.given('token')) throw new OAuthError('invalid_request', 'Token not provided.');
    if (!HINTS.includes(hint)) throw new OAuthError('invalid_request', `Unsupported token type [${hint}].`);
    const body =
      token === undefined || hint === 'requesting_party_token'
        ? undefined
        : await (hint === 'access_token'
            ? accessToken(parts, exchange, client, token)
            : refreshToken(parts, exchange, client, token));
    if (body === NOT_ADDRESSED) {
      about.error = 'invalid_token';
      writeJson(exchange.ctx, 200, INACTIVE);
      return { token_active: 'false', reason: 'the token is not addressed to the client' };
    }
    writeJson(exchange.ctx, 200, body ?? INACTIVE);
    return { token_active: String(body !== undefined) };
  };
  return parts.requests.serve(exchange, 'INTROSPECT_TOKEN', run, { about, limit });
}

/** Keycloak's hints. No realm here issues requesting party tokens, so no token is one. */
const HINTS: readonly string[] = ['access_token', 'refresh_token', 'requesting_party_token'];

/**
 * True if the realm lets every client introspect every token, as before CVE-2026-37979, until its clients are changed.
 */
export function allowsAnyClient({ settings }: Realm): boolean {
  return settings.attribute(ANY_CLIENT) === 'true';
}

/**
 * As in Keycloak since CVE-2026-37979, a client may introspect a token that is addressed to it, or every token if its
 * attribute allows. Keycloak denies this even to the client that the token was issued to, which is allowed here. RFC
 * 7662 §2 leaves that open, the client has the token anyway, and libraries ask.
 */
function mayInspect(realm: Realm, client: Client, payload: ReadToken): boolean {
  const { azp, typ } = payload;
  if (azp === client.clientId) return true;
  if (typ === 'Bearer' && (isAmong(client, audienceOf(payload)) || client.attributes[WITHOUT_AUDIENCE] === 'true'))
    return true;
  return allowsAnyClient(realm);
}

function audienceOf(payload: ReadToken): unknown {
  return 'aud' in payload ? payload.aud : undefined;
}

function isAmong({ clientId }: Client, audience: unknown): boolean {
  return [audience].flat().includes(clientId);
}

async function accessToken(
  parts: IntrospectionParts,
  exchange: Exchange,
  caller: Client,
  token: string,
): Promise<Introspected> {
  const { realm } = exchange;
  try {
    const live = await parts.accessTokens.check(realm, token);
    const payload = withExactIntegers(token, live.payload);
    const mayAsk = mayInspect(realm, caller, payload);
    if (!mayAsk && payload.aud !== undefined) return NOT_ADDRESSED;
    const mapped = await mapForIntrospection(parts, exchange, live);
    // A token without an audience, such as a lightweight one, may get its audience from a mapper here.
    if (!mayAsk && !isAmong(caller, mapped?.more.aud)) return NOT_ADDRESSED;
    if (mapped === undefined) return answer(payload, live.user.username);
    const told = Object.entries(payload).filter(([claim]) => !mapped.hidden.includes(claim));
    return answer({ ...mapped.more, ...(Object.fromEntries(told) as ReadToken) }, live.user.username);
  } catch (error) {
    return ignoreInvalid(error, 'invalid_token');
  }
}

/** The claims of a verified token, with integers beyond 2^53 as bigints. */
function withExactIntegers<T extends object>(token: string, payload: T): T {
  const [, encoded = ''] = token.split('.');
  const text = Buffer.from(encoded, 'base64url').toString();
  return hasManyDigits(text) ? (parseExactly(text) as T) : payload;
}

async function refreshToken(
  { refreshTokens, users }: IntrospectionParts,
  { realm, ctx }: Exchange,
  caller: Client,
  token: string,
): Promise<Introspected> {
  try {
    const payload = await refreshTokens.read(realm, token);
    if (!mayInspect(realm, caller, payload)) return NOT_ADDRESSED;
    const client = realm.clients.get(payload.azp);
    if (client?.enabled !== true) return undefined;
    const login = await refreshTokens.check(realm, client, payload);
    await refreshable({ users }, { compiledRealm: realm, generation: ctx.providers }, client, payload, login);
    return answer(payload, login.user.username);
  } catch (error) {
    return ignoreInvalid(error, 'invalid_grant');
  }
}

/**
 * Claims that mappers add only to introspection, and claims that they add only to the token. An impersonation token is
 * not mapped.
 * @returns undefined if the two are the same
 */
async function mapForIntrospection(
  { mapping, sessions }: IntrospectionParts,
  exchange: Exchange,
  { payload, client, user, session, clientSession }: LiveAccessToken,
): Promise<{ more: Claims; hidden: readonly string[] } | undefined> {
  if (payload.act !== undefined) return undefined;
  const audience = grantedAudience(payload);
  const selection = permittedScope(exchange.realm, client, user, payload.scope, audience);
  const isLightweight = isOfLightweightToken(payload.jti);
  const flag = isLightweight ? 'inLightweightToken' : 'inAccessToken';
  if (!selection.mappers.some(({ inIntrospection, [flag]: inToken }) => inIntrospection !== inToken)) return undefined;
  const own = sessions.create(exchange.realm, callerOf(exchange), 'keyhost');
  try {
    const { realm } = exchange;
    const of = { ...(session && { session }), ...(clientSession && { clientSession }) };
    const request = { realm, client, user, selection, session: sessionOfMappers(realm, client, of), audience };
    const token = isLightweight ? 'lightweight' : 'access';
    const { [token]: said, introspection: more } = await mapping.map(request, [token, 'introspection'], () => own);
    // A single audience is a string, as in a token.
    if (Array.isArray(more.aud) && more.aud.length === 1) [more.aud] = more.aud;
    // An object claim may be shown in part.
    const isTold = (claim: string) => Object.hasOwn(more, claim) && !isObject(said[claim]);
    const hidden = Object.keys(said).filter((claim) => !isOfProtocol(claim) && !isTold(claim));
    return { more, hidden };
  } finally {
    await own.close();
  }
}

/** Modifies the payload, which belongs to this request alone. */
function answer(payload: ReadToken, username: string): object {
  return Object.assign(payload, { client_id: payload.azp, username, token_type: payload.typ, active: true });
}

/** An invalid token has an answer here; other failures are errors. */
function ignoreInvalid(error: unknown, code: string): undefined {
  if (codeOf(error) === code) return undefined;
  throw error;
}
