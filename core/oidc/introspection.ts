import { OAuthError } from '@keyhost/spi';
import { writeJson } from '../http/errors.js';
import { callerOf, type Endpoint, type Exchange } from '../http/exchange.js';
import type { Client } from '../model/client.js';
import type { Clock } from '../model/clock.js';
import { hasManyDigits, parseExactly } from '../model/exact-json.js';
import { isObject } from '../model/is-object.js';
import { selectPermittedScope } from '../model/permitted-scope.js';
import type { Realm } from '../model/realm.js';
import { codeOf } from '../model/thrown.js';
import type { SessionFactory } from '../registry/sessions/session-factory.js';
import { grantedAudience, isOfLightweightToken } from '../tokens/access-claims.js';
import type { AccessTokens, LiveAccessToken } from '../tokens/access-tokens.js';
import type { ClaimMapping } from '../tokens/claims.js';
import { sessionOfMappers } from '../tokens/issue-tokens.js';
import { type Claims, isFixedAtIntrospection } from '../tokens/place-claim.js';
import type { RefreshPayload, RefreshTokens } from '../tokens/refresh-tokens.js';
import type { Users } from '../users/users.js';
import type { ClientRequestHandler, ClientRequestRunner } from './client-requests.js';
import { checkRefresh } from './grants/refresh-token.js';
import { RequestLimit } from './request-limit.js';

const INACTIVE = '{"active":false}';
/** Realm attribute; if `true`, every confidential client may introspect every token. */
const ANY_CLIENT = 'keyhost.introspection.any.client';
/** Keycloak's client attribute; if `true`, this confidential client may introspect every access token. */
const SKIP_AUDIENCE_CHECK = 'allow.token.introspection.without.audience.check';
/** The warning for a realm whose attribute is set. */
export const ANY_CLIENT_INTROSPECTS = `any client may introspect any token, since the attribute ${ANY_CLIENT} is true`;
const NOT_ADDRESSED = Symbol('a token of others');

/** The claims of a token that was verified. */
type VerifiedClaims = { readonly [claim: string]: unknown } | RefreshPayload;

/** The body of the response. Undefined if the token is not active. */
type IntrospectionResult = object | typeof NOT_ADDRESSED | undefined;

export interface IntrospectionParts {
  readonly requests: ClientRequestRunner;
  readonly accessTokens: AccessTokens;
  readonly refreshTokens: RefreshTokens;
  readonly users: Users;
  readonly mapping: ClaimMapping;
  readonly clock: Clock;
  readonly sessions: SessionFactory;
}

/**
 * RFC 7662, `POST …/token/introspect`. A confidential client can introspect tokens that concern it; any other token is
 * reported as inactive.
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
  const eventFields: { error?: string } = {};
  const run: ClientRequestHandler = async (form, client): Promise<Record<string, string>> => {
    if (client.publicClient) throw new OAuthError('invalid_request', 'Client not allowed.', { status: 403 });
    const token = form.get('token');
    const hint = form.get('token_type_hint') ?? 'access_token';
    if (token === undefined && !form.isPresent('token')) throw new OAuthError('invalid_request', 'Token not provided.');
    if (!HINTS.includes(hint)) throw new OAuthError('invalid_request', `Unsupported token type [${hint}].`);
    const body =
      token === undefined || hint === 'requesting_party_token'
        ? undefined
        : await (hint === 'access_token'
            ? introspectAccessToken(parts, exchange, client, token)
            : introspectRefreshToken(parts, exchange, client, token));
    if (body === NOT_ADDRESSED) {
      eventFields.error = 'invalid_token';
      writeJson(exchange.ctx, 200, INACTIVE);
      return { token_active: 'false', reason: 'the token is not addressed to the client' };
    }
    writeJson(exchange.ctx, 200, body ?? INACTIVE);
    return { token_active: String(body !== undefined) };
  };
  return parts.requests.serve(exchange, 'INTROSPECT_TOKEN', run, { about: eventFields, limit });
}

/** Keycloak's hints. This host issues no requesting party tokens, so a token with that hint is never active. */
const HINTS: readonly string[] = ['access_token', 'refresh_token', 'requesting_party_token'];

/**
 * True if the realm lets every client introspect every token, as before CVE-2026-37979. It is meant for the time until
 * its clients are changed.
 */
export function allowsAnyClient({ settings }: Realm): boolean {
  return settings.attribute(ANY_CLIENT) === 'true';
}

/**
 * As in Keycloak since CVE-2026-37979, a client may introspect a token that is addressed to it, or every token if its
 * attribute allows. Keycloak denies this even to the client that the token was issued to; we allow it. RFC 7662 §2
 * leaves it open, the client has the token anyway, and libraries do it.
 */
function mayInspect(realm: Realm, client: Client, payload: VerifiedClaims): boolean {
  const { azp, typ } = payload;
  if (azp === client.clientId) return true;
  if (
    typ === 'Bearer' &&
    (isInAudience(client, audienceOf(payload)) || client.attributes[SKIP_AUDIENCE_CHECK] === 'true')
  )
    return true;
  return allowsAnyClient(realm);
}

function audienceOf(payload: VerifiedClaims): unknown {
  return 'aud' in payload ? payload.aud : undefined;
}

function isInAudience({ clientId }: Client, audience: unknown): boolean {
  return [audience].flat().includes(clientId);
}

async function introspectAccessToken(
  parts: IntrospectionParts,
  exchange: Exchange,
  caller: Client,
  token: string,
): Promise<IntrospectionResult> {
  const { realm } = exchange;
  try {
    const live = await parts.accessTokens.check(realm, token);
    const payload = withExactIntegers(token, live.payload);
    const isAllowed = mayInspect(realm, caller, payload);
    if (!isAllowed && payload.aud !== undefined) return NOT_ADDRESSED;
    const mapped = await mapForIntrospection(parts, exchange, live);
    // A token without an audience, such as a lightweight one, may get its audience from a mapper here.
    if (!isAllowed && !isInAudience(caller, mapped?.addedClaims.aud)) return NOT_ADDRESSED;
    if (mapped === undefined) return toResponse(payload, live.user.username);
    const visibleClaims = Object.entries(payload).filter(([claim]) => !mapped.hiddenClaims.includes(claim));
    return toResponse(
      { ...mapped.addedClaims, ...(Object.fromEntries(visibleClaims) as VerifiedClaims) },
      live.user.username,
    );
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

async function introspectRefreshToken(
  { refreshTokens, users }: IntrospectionParts,
  { realm, ctx }: Exchange,
  caller: Client,
  token: string,
): Promise<IntrospectionResult> {
  try {
    const payload = await refreshTokens.read(realm, token);
    if (!mayInspect(realm, caller, payload)) return NOT_ADDRESSED;
    const client = realm.clients.get(payload.azp);
    if (client?.enabled !== true) return undefined;
    const login = await refreshTokens.check(realm, client, payload);
    await checkRefresh({ users }, { compiledRealm: realm, generation: ctx.providers }, client, payload, login);
    return toResponse(payload, login.user.username);
  } catch (error) {
    return ignoreInvalid(error, 'invalid_grant');
  }
}

/**
 * The claims that mappers add only for introspection, and the claims that they add only to the token. An impersonation
 * token is not mapped.
 * @returns undefined if no mapper treats the two differently
 */
async function mapForIntrospection(
  { mapping, sessions }: IntrospectionParts,
  exchange: Exchange,
  { payload, client, user, session, clientSession }: LiveAccessToken,
): Promise<{ addedClaims: Claims; hiddenClaims: readonly string[] } | undefined> {
  if (payload.act !== undefined) return undefined;
  const audience = grantedAudience(payload);
  const selection = selectPermittedScope(exchange.realm, client, user, payload.scope, audience);
  const isLightweight = isOfLightweightToken(payload.jti);
  const flag = isLightweight ? 'inLightweightToken' : 'inAccessToken';
  if (!selection.mappers.some(({ inIntrospection, [flag]: inToken }) => inIntrospection !== inToken)) return undefined;
  const mapperSession = sessions.create(exchange.realm, callerOf(exchange), 'keyhost');
  try {
    const { realm } = exchange;
    const sessionRecords = { ...(session && { session }), ...(clientSession && { clientSession }) };
    const request = {
      realm,
      client,
      user,
      selection,
      session: sessionOfMappers(realm, client, sessionRecords),
      audience,
    };
    const token = isLightweight ? 'lightweight' : 'access';
    const { [token]: tokenClaims, introspection: addedClaims } = await mapping.map(
      request,
      [token, 'introspection'],
      () => mapperSession,
    );
    // A single audience is a string, as in a token.
    if (Array.isArray(addedClaims.aud) && addedClaims.aud.length === 1) [addedClaims.aud] = addedClaims.aud;
    // An object claim may be shown in part, so its members are not compared.
    const isShown = (claim: string) => Object.hasOwn(addedClaims, claim) && !isObject(tokenClaims[claim]);
    const hiddenClaims = Object.keys(tokenClaims).filter((claim) => !isFixedAtIntrospection(claim) && !isShown(claim));
    return { addedClaims, hiddenClaims };
  } finally {
    await mapperSession.close();
  }
}

/** Turns the payload into the response. It modifies the payload, which belongs to this request alone. */
function toResponse(payload: VerifiedClaims, username: string): object {
  return Object.assign(payload, { client_id: payload.azp, username, token_type: payload.typ, active: true });
}

/** Returns undefined for an invalid token, which is reported as inactive. Rethrows other errors. */
function ignoreInvalid(error: unknown, code: string): undefined {
  if (codeOf(error) === code) return undefined;
  throw error;
}
