import type { Context, Next } from 'koa';
import { bearerToken } from '../http/bearer.js';
import { allowOriginsOf, answerPreflight } from '../http/cors.js';
import { writeJson } from '../http/errors.js';
import { callerOf, type Exchange } from '../http/exchange.js';
import { NOT_FOUND } from '../http/not-found.js';
import { lacksTls, methodNotAllowed } from '../http/realm-dispatch.js';
import { type ProxyHeaders, remoteOf } from '../http/remote.js';
import { MASTER_REALM, type Realm } from '../model/realm.js';
import { codeOf } from '../model/thrown.js';
import type { PublicAddress } from '../realms/public-address.js';
import type { Realms } from '../realms/realms.js';
import type { RemoteChanges } from '../realms/remote-changes.js';
import { Admin, AdminError, forbiddenError, notFoundError, type TokenAdmin } from './admin.js';
import { readAdminBody } from './admin-body.js';
import type { AdminRequests } from './admin-requests.js';
import { pathOf } from './admin-routes.js';
import { ignoredHeader } from './ignored-members.js';
import { openApiDocument } from './openapi.js';
import type { AdminAnswer, AdminCall, AdminOperation } from './operation.js';
import { matchesWeakly, parseRequestedTags } from './preconditions/entity-tag.js';
import { coversWholeBody, tagOf } from './preconditions/tagged-resource.js';
import { AdminQuery } from './query.js';
import { stringifyYielding } from './stringify-yielding.js';

export interface AdminApiParts {
  readonly realms: Realms;
  readonly changes: Pick<RemoteChanges, 'catchUp'>;
  readonly proxyHeaders: ProxyHeaders;
  /** The version of Keyhost, for the OpenAPI document. */
  readonly version: string;
  readonly operations: readonly AdminOperation[];
  readonly requests: AdminRequests;
  readonly address: PublicAddress;
  /**
   * Checks a bearer access token that the realm issued.
   * @returns the token's user, with the roles that the client's scope allows
   * @throws HostError if the token is not valid
   */
  authenticate(realm: Realm, token: string): Promise<TokenAdmin>;
}

const PREFIX = '/admin';
const NO_QUERY = Object.freeze({});

/**
 * Keycloak's Admin REST API below `/admin`: routing, authorization, checks and responses. The operations do the actual
 * work.
 */
export class AdminApi {
  readonly #parts: AdminApiParts;
  /** Cached OpenAPI documents, by the host's address. */
  readonly #documents = new Map<string, string>();
  readonly #requests: AdminRequests;

  constructor(parts: AdminApiParts) {
    this.#parts = parts;
    this.#requests = parts.requests;
  }

  async serve(ctx: Context, next: Next): Promise<void> {
    const { routes } = this.#requests;
    const path = ctx.path.slice(PREFIX.length).replace(/\/+$/, '');
    if (path === '/openapi.json' && ctx.method === 'GET') return writeJson(ctx, 200, this.#document(ctx));
    if (ctx.method === 'OPTIONS') return answerPreflightRequest(ctx, routes.allowedMethods(path));
    const match = routes.find(path, ctx.method === 'HEAD' ? 'GET' : ctx.method);
    if (match !== undefined) return this.#answer(ctx, match.value, match.params, path);
    const methods = routes.allowedMethods(path);
    if (methods.length === 0) return next();
    throw methodNotAllowed(methods.join(', '));
  }

  #document({ req }: Context): string {
    const { operations, version } = this.#parts;
    const address = this.#parts.address.adminAddressFor(req.headers.host);
    const document = this.#documents.get(address) ?? JSON.stringify(openApiDocument(operations, address, version));
    this.#documents.set(address, document);
    return document;
  }

  async #answer(ctx: Context, operation: AdminOperation, params: AdminCall['params'], path: string): Promise<void> {
    ctx.route = `${PREFIX}${pathOf(operation)}`;
    const { admin, exchange } = await this.#authorize(ctx, operation, params);
    const { realm } = exchange;
    const query = new AdminQuery(ctx.querystring, operation.query ?? NO_QUERY);
    const parsedBody = await readAdminBody(ctx, operation);
    const { answer, created, ignored, current } = await this.#requests.run({
      operation,
      params,
      path,
      admin,
      exchange,
      caller: callerOf(exchange),
      query,
      ...parsedBody,
      ifMatch: operation.method === 'GET' ? undefined : parseRequestedTags(ctx.req.headers, 'If-Match'),
      currentRealm: () => realmOf(this.#parts, ctx, realm.name),
      reauthorize: async () => {
        const refreshedAdmin = await authenticateAdmin(this.#parts, ctx);
        return this.#authorizedRealm(ctx, refreshedAdmin, operation, params);
      },
    });
    if (ignored.length > 0) ctx.set('Keyhost-Ignored', ignoredHeader(ignored));
    if (writeNotModified(ctx, operation, answer)) return;
    const json = answer?.body === undefined ? undefined : await stringifyYielding(realm.name, answer.body);
    writeAnswer(ctx, answer, json, created, `${current.adminUrl}${PREFIX}${path}`);
  }

  /** Authenticates and authorises the caller. @throws AdminError 401, 403, 404 */
  async #authorize(
    ctx: Context,
    operation: AdminOperation,
    params: AdminCall['params'],
  ): Promise<{ admin: Admin; exchange: Exchange }> {
    const admin = await authenticateAdmin(this.#parts, ctx);
    allowOriginsOf(ctx, admin.tokenAdmin.client);
    const realm = await this.#authorizedRealm(ctx, admin, operation, params);
    return { admin, exchange: { ctx, realm, ...remoteOf(ctx, this.#parts.proxyHeaders) } };
  }

  /** Returns the realm of the path if the admin may call the operation on it. @throws AdminError 403, 404 */
  async #authorizedRealm(
    ctx: Context,
    admin: Admin,
    operation: AdminOperation,
    params: AdminCall['params'],
  ): Promise<Realm> {
    const parts = this.#parts;
    const realm = params.realm === undefined ? admin.realm : await realmOf(parts, ctx, params.realm);
    if (realm === undefined) throw notFoundError('Realm not found.');
    // A realm is administered by its own admins and by the admins of `master`.
    if (admin.realm.name !== realm.name && admin.realm.name !== MASTER_REALM) throw new AdminError(403, FORBIDDEN);
    // As in Keycloak, `sslRequired` of the token's realm decides. So an admin of `master` can repair a realm in which
    // TLS is required by mistake.
    if (lacksTls({ ctx, ...remoteOf(ctx, parts.proxyHeaders), realm: admin.realm })) {
      throw new AdminError(403, { error: 'invalid_request', error_description: 'HTTPS required' });
    }
    if (operation.forHostAdmins === true && !admin.isSuperAdmin) throw forbiddenError();
    if (operation.forRealmCreators === true && !admin.mayCreateRealms) throw forbiddenError();
    if (operation.roles.length > 0) admin.require(realm.name, ...operation.roles);
    return realm;
  }
}

const FORBIDDEN = { error: 'HTTP 403 Forbidden' } as const;
const UNAUTHORIZED = { error: 'HTTP 401 Unauthorized' } as const;

function answerPreflightRequest(ctx: Context, methods: readonly string[]): void {
  if (methods.length === 0) throw new AdminError(404, NOT_FOUND);
  const origin = ctx.get('origin');
  // A preflight carries no token. The actual request does, and the web origins of its client decide who may read the
  // response.
  answerPreflight(ctx, methods.join(', '), new Set([origin]));
}

/** Returns the admin whose token the request has. @throws AdminError 401 */
async function authenticateAdmin(parts: AdminApiParts, ctx: Context): Promise<Admin> {
  const token = bearerToken(ctx.get('authorization'));
  if (token === undefined) throw new AdminError(401, UNAUTHORIZED);
  // Tools may write at one node, and then read at another.
  await parts.changes.catchUp();
  const issuerRealm = await parts.realms.ofToken(token);
  if (issuerRealm?.enabled !== true) throw new AdminError(401, UNAUTHORIZED);
  // A token is valid only at the host's address that issued it.
  const realm = parts.realms.forHost(issuerRealm, ctx.req.headers.host);
  try {
    return new Admin(realm, await parts.authenticate(realm, token), ctx.providers);
  } catch (error) {
    if (codeOf(error) === 'invalid_token') throw new AdminError(401, UNAUTHORIZED);
    throw error;
  }
}

/** Finds a realm by name. Its issuer has the host's address from the request's `Host` header. */
async function realmOf({ realms }: AdminApiParts, ctx: Context, name: string): Promise<Realm | undefined> {
  const realm = await realms.get(name);
  return realm && realms.forHost(realm, ctx.req.headers.host);
}

/**
 * Sets the ETag, and answers 304 if the client already has this version (`If-None-Match`, RFC 9110 §13.1.2).
 * @returns true if it answered
 * @throws AdminError 400 for an invalid header
 */
function writeNotModified(ctx: Context, operation: AdminOperation, answer: AdminAnswer): boolean {
  const tag = tagOf(operation, answer);
  if (tag === undefined) return false;
  ctx.set('ETag', tag);
  const requestedTags = parseRequestedTags(ctx.req.headers, 'If-None-Match');
  if (requestedTags === undefined || !coversWholeBody(operation, answer) || !matchesWeakly(requestedTags, tag))
    return false;
  ctx.status = 304;
  ctx.set('Cache-Control', 'no-cache');
  return true;
}

/**
 * Writes the response of an operation.
 * @param json the response's body
 * @param createdPath the path of a created resource, for `Location`; see `EventDetails.created`
 * @param url the request's own public URL
 */
function writeAnswer(
  ctx: Context,
  answer: AdminAnswer,
  json: string | undefined,
  createdPath: string | undefined,
  url: string,
): void {
  ctx.set('Cache-Control', 'no-cache');
  if (answer === undefined) {
    ctx.status = 204;
    return;
  }
  const { status, text, stream, isSecret, headers = {} } = answer;
  ctx.set(headers);
  if (isSecret === true) ctx.set('Cache-Control', 'no-store');
  ctx.status = status;
  if (createdPath !== undefined)
    ctx.set('Location', createdPath.startsWith('/') ? realmUrl(url) + createdPath : `${url}/${createdPath}`);
  if (stream !== undefined) writeStream(ctx, stream);
  else if (text !== undefined) {
    ctx.set('Content-Type', text.type);
    ctx.body = text.content;
  } else if (json !== undefined) {
    writeJson(ctx, status, json);
    ctx.res.setHeader('Content-Type', 'application/json;charset=UTF-8');
  } else if (status !== 204) {
    ctx.body = '';
    ctx.remove('Content-Type');
  }
}

/** Writes a streaming body. The headers stop proxies from caching, compressing or buffering it. */
function writeStream(ctx: Context, { type, open }: NonNullable<NonNullable<AdminAnswer>['stream']>): void {
  // HEAD has no body to open.
  ctx.body = ctx.method === 'HEAD' ? '' : open();
  ctx.set('Content-Type', type);
  ctx.set('Cache-Control', 'no-store, no-transform');
  ctx.set('X-Accel-Buffering', 'no');
}

function realmUrl(url: string): string {
  return url.replace(/(\/admin\/realms\/[^/]+).*$/, '$1');
}
