import { HostError } from '@keyhost/spi';
import type { ValidateFunction } from 'ajv';
import type { Context, Middleware, Next } from 'koa';
import { readAsJackson } from '../config/json/jackson.js';
import { compileSchema, schemaProblems } from '../config/json/schema-check.js';
import { SHARED_SCHEMAS } from '../config/realm-file/realm-schema.js';
import { bearerToken } from '../http/bearer.js';
import { allowOriginsOf, answerPreflight } from '../http/cors.js';
import { writeJson } from '../http/errors.js';
import type { Exchange } from '../http/exchange.js';
import { mediaType, readBody, requirePlainText } from '../http/form.js';
import { readJson } from '../http/json-body.js';
import { readMultipart } from '../http/multipart.js';
import { NOT_FOUND } from '../http/not-found.js';
import { lacksTls, methodNotAllowed } from '../http/realm-dispatch.js';
import { type ProxyHeaders, remoteOf } from '../http/remote.js';
import type { RouteMatcher } from '../http/route-matcher.js';
import type { Client } from '../model/client.js';
import { MASTER_REALM, type Realm } from '../model/realm.js';
import type { RoleNames } from '../model/roles.js';
import { codeOf } from '../model/thrown.js';
import type { User } from '../model/user.js';
import type { PublicAddress } from '../realms/public-address.js';
import type { Realms } from '../realms/realms.js';
import type { Events } from '../registry/events/events.js';
import type { SessionFactory } from '../registry/sessions/session.js';
import { Admin, AdminError, notFound } from './admin.js';
import { handleWithEvent } from './admin-event.js';
import { adminRoutes } from './admin-routes.js';
import { ignoredMembers } from './ignored-members.js';
import { openApiDocument } from './openapi.js';
import type { AdminAnswer, AdminOperation, EventDetails } from './operation.js';
import { AdminQuery } from './query.js';
import type { RealmClients } from './realm-clients.js';

export interface AdminApiParts {
  readonly realms: Realms;
  readonly events: Events;
  readonly sessions: SessionFactory;
  readonly proxyHeaders: ProxyHeaders;
  /** Of Keyhost, for the OpenAPI document. */
  readonly version: string;
  /** Called once, when the first request comes. */
  readonly operations: () => Promise<readonly AdminOperation[]>;
  readonly address: PublicAddress;
  readonly realmClients: RealmClients;
  /**
   * Judges a bearer access token of that realm.
   * @returns whose it is, with the roles that the client's scope lets through
   * @throws HostError for a token that is not good now
   */
  authenticate(
    realm: Realm,
    token: string,
  ): Promise<{ user: User; client: Client; roles: RoleNames; sessionId: string | undefined }>;
}

const PREFIX = '/admin';
const NO_QUERY = Object.freeze({});

/** Keycloak's Admin REST API below `/admin`: routing, rights, checks and answers; the operations do the work. */
export function adminApi(parts: AdminApiParts): Middleware {
  const bodies = new Map<AdminOperation, ValidateFunction>();
  const documents = new Map<string, string>();
  let loading: Promise<{ operations: readonly AdminOperation[]; routes: RouteMatcher<AdminOperation> }> | undefined;
  const load = async () => {
    const operations = await parts.operations();
    return { operations, routes: adminRoutes(operations) };
  };
  return async function serveAdmin(ctx: Context, next: Next): Promise<void> {
    if (ctx.path !== PREFIX && !ctx.path.startsWith(`${PREFIX}/`)) return next();
    loading ??= load();
    const { operations, routes } = await loading;
    const path = ctx.path.slice(PREFIX.length).replace(/\/+$/, '');
    if (path === '/openapi.json' && ctx.method === 'GET') {
      const address = parts.address.of(ctx.req.headers.host);
      const document = documents.get(address) ?? JSON.stringify(openApiDocument(operations, address, parts.version));
      documents.set(address, document);
      return writeJson(ctx, 200, document);
    }
    if (ctx.method === 'OPTIONS') return preflight(ctx, routes.allowed(path));
    const found = routes.find(path, ctx.method === 'HEAD' ? 'GET' : ctx.method);
    if (found === undefined) {
      const methods = routes.allowed(path);
      if (methods.length === 0) return next();
      throw methodNotAllowed(methods.join(', '));
    }
    const { value: operation, params } = found;
    const admin = await authenticated(parts, ctx);
    allowOriginsOf(ctx, admin.client);
    const realm = params.realm === undefined ? admin.realm : await realmOf(parts, ctx, params.realm);
    if (realm === undefined) throw notFound('Realm not found.');
    const exchange: Exchange = { ctx, realm, ...remoteOf(ctx, parts.proxyHeaders) };
    // A realm is administered by its own admins, or those of master.
    if (admin.realm.name !== realm.name && admin.realm.name !== MASTER_REALM) throw new AdminError(403, FORBIDDEN);
    // By the realm of the token, as in Keycloak: an admin of master can take back what a realm asks of everybody.
    if (lacksTls({ ...exchange, realm: admin.realm })) {
      throw new AdminError(403, { error: 'invalid_request', error_description: 'HTTPS required' });
    }
    if (operation.roles.length > 0) admin.require(realm.name, ...operation.roles);
    const query = new AdminQuery(ctx.querystring, operation.query ?? NO_QUERY);
    const body = await readBodyOf(ctx, operation, bodies);
    // A body may be long in coming: what is judged by the realm is judged by the realm as it is then.
    await told(() => parts.realmClients.store(realm, operation, params, body));
    const stored = await realmOf(parts, ctx, realm.name);
    if (stored === undefined) throw notFound('Realm not found.');
    const current = parts.realmClients.seen(stored, operation, params, query);
    const call = { exchange: { ...exchange, realm: current }, realm: current, admin, params, query, body };
    const { answer, details } = await told(() => handleWithEvent(parts, operation, call, path));
    const unknown = operation.keepsMembers === true ? [] : ignoredMembers(operation.body, body);
    const ignored = [...unknown, ...(details.ignored ?? [])];
    if (ignored.length > 0) ctx.set('Keyhost-Ignored', ignored.join(', '));
    write(ctx, answer, details, `${current.baseUrl}${PREFIX}${path}`);
  };
}

/** What the realms room refuses is told in Keycloak's bodies. */
async function told<T>(handle: () => Promise<T>): Promise<T> {
  try {
    return await handle();
  } catch (error) {
    const code = codeOf(error);
    if (error instanceof HostError && (code === 'realm_invalid' || code === 'realm_exists'))
      throw new AdminError(error.status, { errorMessage: error.message });
    if (code === 'realm_gone') throw notFound('Realm not found.');
    throw error;
  }
}

const FORBIDDEN = { error: 'HTTP 403 Forbidden' } as const;
const UNAUTHORIZED = { error: 'HTTP 401 Unauthorized' } as const;

function preflight(ctx: Context, methods: readonly string[]): void {
  if (methods.length === 0) throw new AdminError(404, NOT_FOUND);
  const origin = ctx.get('origin');
  // What may be read is decided by the request itself, when its token says whose it is.
  answerPreflight(ctx, methods.join(', '), new Set([origin]));
}

/** @throws AdminError 401 */
async function authenticated(parts: AdminApiParts, ctx: Context): Promise<Admin> {
  const token = bearerToken(ctx.get('authorization'));
  const realm = token === undefined ? undefined : await realmOf(parts, ctx, realmOfIssuer(token) ?? '');
  if (token === undefined || realm === undefined || !realm.enabled) throw new AdminError(401, UNAUTHORIZED);
  try {
    return new Admin(realm, await parts.authenticate(realm, token));
  } catch (error) {
    if (codeOf(error) === 'invalid_token') throw new AdminError(401, UNAUTHORIZED);
    throw error;
  }
}

/** The realm as the request reached it: its issuer is below the address that the request was sent to. */
async function realmOf({ realms }: AdminApiParts, ctx: Context, name: string): Promise<Realm | undefined> {
  const realm = await realms.get(name);
  return realm && realms.calledBy(realm, ctx.req.headers.host);
}

/** The realm whose name ends the token's `iss`. Nothing is believed yet: `authenticate` compares the whole issuer. */
function realmOfIssuer(token: string): string | undefined {
  try {
    const { iss } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as { iss?: unknown };
    return typeof iss === 'string' ? /\/realms\/([^/]+)$/.exec(iss)?.[1] : undefined;
  } catch {
    return undefined;
  }
}

async function readBodyOf(
  ctx: Context,
  operation: AdminOperation,
  checks: Map<AdminOperation, ValidateFunction>,
): Promise<unknown> {
  if (operation.textBody === true) {
    requirePlainText(ctx.req);
    return (await readBody(ctx.req)).toString();
  }
  if (operation.formBody === true) return readMultipart(ctx.req);
  if (operation.body === undefined || (operation.mayLackBody === true && hasNoBody(ctx))) return undefined;
  if (mediaType(ctx.get('content-type')) !== 'application/json') {
    throw new AdminError(415, {
      error: 'HTTP 415 Unsupported Media Type',
      error_description: 'Content type must be application/json',
    });
  }
  const body = await readJson(ctx, operation.bodyLimit);
  if (operation.mayLackBody === true && body === null) return undefined;
  let check = checks.get(operation);
  if (check === undefined) {
    check = compileSchema(operation.body, { shared: SHARED_SCHEMAS });
    checks.set(operation, check);
  }
  readAsJackson(body, operation.body, SHARED_SCHEMAS);
  if (!check(body)) throw new AdminError(400, { errorMessage: problemsText(check) });
  return body;
}

function hasNoBody({ req }: Context): boolean {
  return req.headers['transfer-encoding'] === undefined && Number(req.headers['content-length'] ?? 0) === 0;
}

/** A body can be wrong in thousands of places; the answer need not be longer than the body. */
const TOLD_PROBLEMS = 10;

function problemsText(check: ValidateFunction): string {
  return schemaProblems(check)
    .slice(0, TOLD_PROBLEMS)
    .map(({ path, message, suggestion }) => {
      const place = path.join('.').slice(0, 200);
      const hint = suggestion === undefined ? '' : ` (did you mean "${suggestion}"?)`;
      return `${place === '' ? 'the body' : place}: ${message}${hint}`;
    })
    .join('; ');
}

/** @param url the request's own public address */
function write(ctx: Context, answer: AdminAnswer, { created }: EventDetails, url: string): void {
  ctx.set('Cache-Control', 'no-cache');
  if (answer === undefined) {
    ctx.status = 204;
    return;
  }
  const { status, body, text, isSecret } = answer;
  if (isSecret === true) ctx.set('Cache-Control', 'no-store');
  ctx.status = status;
  if (created !== undefined)
    ctx.set('Location', created.startsWith('/') ? realmUrl(url) + created : `${url}/${created}`);
  if (text !== undefined) {
    ctx.set('Content-Type', text.type);
    ctx.body = text.content;
  } else if (body !== undefined) {
    writeJson(ctx, status, JSON.stringify(body));
    ctx.res.setHeader('Content-Type', 'application/json;charset=UTF-8');
  } else if (status !== 204) {
    ctx.body = '';
    ctx.remove('Content-Type');
  }
}

function realmUrl(url: string): string {
  return url.replace(/(\/admin\/realms\/[^/]+).*$/, '$1');
}
