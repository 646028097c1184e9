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
import { Admin, AdminError, forbidden, notFound, type TokenAdmin } from './admin.js';
import { readAdminBody } from './admin-body.js';
import type { AdminRequests } from './admin-requests.js';
import { pathOf } from './admin-routes.js';
import { ignoredHeader } from './ignored-members.js';
import { openApiDocument } from './openapi.js';
import type { AdminAnswer, AdminCall, AdminOperation } from './operation.js';
import { matchesWeakly, namedTags } from './preconditions/entity-tag.js';
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
   * Checks a bearer access token of that realm.
   * @returns its user, with the roles that the client's scope lets through
   * @throws HostError if the token is not valid
   */
  authenticate(realm: Realm, token: string): Promise<TokenAdmin>;
}

/** The path of the API. */
const PREFIX = '/admin';
const NO_QUERY = Object.freeze({});

/**
 * Keycloak's Admin REST API below `/admin`: routing, rights, checks and responses. The work itself is done by the
 * operations.
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
    if (ctx.method === 'OPTIONS') return preflight(ctx, routes.allowed(path));
    const found = routes.find(path, ctx.method === 'HEAD' ? 'GET' : ctx.method);
    if (found !== undefined) return this.#answer(ctx, found.value, found.params, path);
    const methods = routes.allowed(path);
    if (methods.length === 0) return next();
    throw methodNotAllowed(methods.join(', '));
  }

  #document({ req }: Context): string {
    const { operations, version } = this.#parts;
    const address = this.#parts.address.adminOf(req.headers.host);
    const document = this.#documents.get(address) ?? JSON.stringify(openApiDocument(operations, address, version));
    this.#documents.set(address, document);
    return document;
  }

  async #answer(ctx: Context, operation: AdminOperation, params: AdminCall['params'], path: string): Promise<void> {
    ctx.route = `${PREFIX}${pathOf(operation)}`;
    const { admin, exchange } = await this.#authorize(ctx, operation, params);
    const { realm } = exchange;
    const query = new AdminQuery(ctx.querystring, operation.query ?? NO_QUERY);
    const sent = await readAdminBody(ctx, operation);
    const { answer, created, ignored, current } = await this.#requests.run({
      operation,
      params,
      path,
      admin,
      exchange,
      caller: callerOf(exchange),
      query,
      ...sent,
      ifMatch: operation.method === 'GET' ? undefined : namedTags(ctx.req.headers, 'If-Match'),
      currentRealm: () => realmOf(this.#parts, ctx, realm.name),
      reauthorize: async () => {
        const again = await authenticated(this.#parts, ctx);
        return this.#authorizedRealm(ctx, again, operation, params);
      },
    });
    if (ignored.length > 0) ctx.set('Keyhost-Ignored', ignoredHeader(ignored));
    if (answersNotModified(ctx, operation, answer)) return;
    const json = answer?.body === undefined ? undefined : await stringifyYielding(realm.name, answer.body);
    write(ctx, answer, json, created, `${current.adminUrl}${PREFIX}${path}`);
  }

  /** Authenticates and authorises the caller. @throws AdminError 401, 403, 404 */
  async #authorize(
    ctx: Context,
    operation: AdminOperation,
    params: AdminCall['params'],
  ): Promise<{ admin: Admin; exchange: Exchange }> {
    const admin = await authenticated(this.#parts, ctx);
    allowOriginsOf(ctx, admin.person.client);
    const realm = await this.#authorizedRealm(ctx, admin, operation, params);
    return { admin, exchange: { ctx, realm, ...remoteOf(ctx, this.#parts.proxyHeaders) } };
  }

  /** The realm of the path, if the admin may do this there. @throws AdminError 403, 404 */
  async #authorizedRealm(
    ctx: Context,
    admin: Admin,
    operation: AdminOperation,
    params: AdminCall['params'],
  ): Promise<Realm> {
    const parts = this.#parts;
    const realm = params.realm === undefined ? admin.realm : await realmOf(parts, ctx, params.realm);
    if (realm === undefined) throw notFound('Realm not found.');
    // A realm is administered by its own admins, or those of master.
    if (admin.realm.name !== realm.name && admin.realm.name !== MASTER_REALM) throw new AdminError(403, FORBIDDEN);
    // As in Keycloak, the token's realm decides. So an admin of master can undo a realm's own requirement of TLS.
    if (lacksTls({ ctx, ...remoteOf(ctx, parts.proxyHeaders), realm: admin.realm })) {
      throw new AdminError(403, { error: 'invalid_request', error_description: 'HTTPS required' });
    }
    if (operation.forHostAdmins === true && !admin.isSuperAdmin) throw forbidden();
    if (operation.forRealmCreators === true && !admin.mayCreateRealms) throw forbidden();
    if (operation.roles.length > 0) admin.require(realm.name, ...operation.roles);
    return realm;
  }
}

const FORBIDDEN = { error: 'HTTP 403 Forbidden' } as const;
const UNAUTHORIZED = { error: 'HTTP 401 Unauthorized' } as const;

function preflight(ctx: Context, methods: readonly string[]): void {
  if (methods.length === 0) throw new AdminError(404, NOT_FOUND);
  const origin = ctx.get('origin');
  // A preflight carries no token. The request itself decides which origins may read the answer, by its token.
  answerPreflight(ctx, methods.join(', '), new Set([origin]));
}

/** @throws AdminError 401 */
async function authenticated(parts: AdminApiParts, ctx: Context): Promise<Admin> {
  const token = bearerToken(ctx.get('authorization'));
  if (token === undefined) throw new AdminError(401, UNAUTHORIZED);
  // Tools may read at one node what they have just written at another.
  await parts.changes.catchUp();
  const issuing = await parts.realms.ofToken(token);
  if (issuing?.enabled !== true) throw new AdminError(401, UNAUTHORIZED);
  // A token is valid only at the host address that issued it.
  const realm = parts.realms.calledBy(issuing, ctx.req.headers.host);
  try {
    return new Admin(realm, await parts.authenticate(realm, token), ctx.providers);
  } catch (error) {
    if (codeOf(error) === 'invalid_token') throw new AdminError(401, UNAUTHORIZED);
    throw error;
  }
}

/** The realm with an issuer below the address that the request was sent to. */
async function realmOf({ realms }: AdminApiParts, ctx: Context, name: string): Promise<Realm | undefined> {
  const realm = await realms.get(name);
  return realm && realms.calledBy(realm, ctx.req.headers.host);
}

/**
 * Sets the ETag, and answers 304 if the client has this version already (`If-None-Match`, RFC 9110 §13.1.2).
 * @throws AdminError 400
 */
function answersNotModified(ctx: Context, operation: AdminOperation, answer: AdminAnswer): boolean {
  const tag = tagOf(operation, answer);
  if (tag === undefined) return false;
  ctx.set('ETag', tag);
  const named = namedTags(ctx.req.headers, 'If-None-Match');
  if (named === undefined || !coversWholeBody(operation, answer) || !matchesWeakly(named, tag)) return false;
  ctx.status = 304;
  ctx.set('Cache-Control', 'no-cache');
  return true;
}

/**
 * @param json the answer's body
 * @param url the request's own public address
 */
function write(
  ctx: Context,
  answer: AdminAnswer,
  json: string | undefined,
  created: string | undefined,
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
  if (created !== undefined)
    ctx.set('Location', created.startsWith('/') ? realmUrl(url) + created : `${url}/${created}`);
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

/** The headers stop proxies from caching, compressing or buffering the stream. */
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
