import { HostError, OAuthError } from '@keyhost/spi';
import type { Context, Middleware, Next } from 'koa';
import type { Realms } from '../realms/realms.js';
import { headersOfClients } from './client-headers.js';
import { allowAnyOrigin, answerPreflight, realmOrigins } from './cors.js';
import type { Endpoint, Exchange } from './exchange.js';
import { notFound } from './not-found.js';
import { isLocalAddress, type ProxyHeaders, remoteOf } from './remote.js';

const PREFIX = '/realms/';
/** Prefix of the path patterns in `ctx.route`. */
export const ROUTE = '/realms/{realm}';

/** Serves requests below a realm that no endpoint with a fixed path serves. `subPath` starts with `/` or is empty. */
export type Fallback = (exchange: Exchange, subPath: string) => Promise<void>;

/** Serves all requests below a path of the realm. If several mounts match, the one with the longest path is used. */
export interface Mount {
  /** For example `/account`. Empty: all paths that no other mount has. */
  readonly basePath: string;
  /** `subPath` begins with the mount's path. */
  readonly handle: Fallback;
}

/**
 * Resolves the realm and runs the endpoint. Endpoints with a fixed path are found by one Map lookup. Token requests are
 * on this hot path, and a router would cost as much as an ES256 signature.
 * @throws Error if two endpoints have the same path
 */
export function realmDispatch(options: {
  realms: Realms;
  endpoints: readonly Endpoint[];
  mounts: readonly Mount[];
  proxyHeaders: ProxyHeaders;
}): Middleware {
  const { realms, proxyHeaders } = options;
  const endpoints = new Map<string, Endpoint & { readonly route: string }>();
  for (const endpoint of options.endpoints) {
    if (endpoints.has(endpoint.path)) throw new Error(`two endpoints serve ${endpoint.path}`);
    endpoints.set(endpoint.path, { ...endpoint, route: `${ROUTE}${endpoint.path}` });
  }
  const mounts = [...options.mounts].sort((a, b) => b.basePath.length - a.basePath.length);
  return async function dispatchToRealm(ctx: Context, next: Next): Promise<void> {
    const path = ctx.path;
    if (!path.startsWith(PREFIX)) return next();
    const end = path.indexOf('/', PREFIX.length);
    const name = nameUpTo(path, end);
    const currentRealm = realms.cached(name) ?? (await realms.get(name));
    if (currentRealm === undefined) throw realmNotFound();
    const realm = realms.forHost(currentRealm, ctx.req.headers.host);
    const exchange: Exchange = { ctx, realm, ...remoteOf(ctx, proxyHeaders) };
    const subPath = end < 0 ? '' : path.slice(end);
    const endpoint = endpoints.get(subPath) ?? (subPath === '/' ? endpoints.get('') : undefined);
    if (endpoint?.skipsRealmChecks !== true) requireRealmServed(exchange, endpoint);
    try {
      if (endpoint !== undefined) {
        ctx.route = endpoint.route;
        ctx.isBrowserEndpoint = endpoint.cors === 'none';
        return await run(endpoint, exchange);
      }
      const mount = mounts.find(({ basePath: at }) => at === '' || subPath === at || subPath.startsWith(`${at}/`));
      if (mount === undefined) throw notFound();
      if (mount.basePath !== '') ctx.route = `${ROUTE}${mount.basePath}/*`;
      return await mount.handle(exchange, subPath);
    } finally {
      if (ctx.beforeSend !== undefined) await ctx.beforeSend();
    }
  };
}

/**
 * Returns the name of the realm in a path; undefined if the path is outside of realms.
 * @throws HostError 400 for invalid percent-encoding
 */
export function realmNameOf(path: string): string | undefined {
  return path.startsWith(PREFIX) ? nameUpTo(path, path.indexOf('/', PREFIX.length)) : undefined;
}

function nameUpTo(path: string, end: number): string {
  return decodeSegment(end < 0 ? path.slice(PREFIX.length) : path.slice(PREFIX.length, end));
}

/** True if the realm's `sslRequired` demands TLS and the request has none. */
export function lacksTls({ realm, secure, ip }: Exchange): boolean {
  if (secure || realm.sslRequired === 'none') return false;
  return realm.sslRequired === 'all' || !isLocalAddress(ip);
}

/** Checks that the realm is enabled, and that the request has TLS if the realm requires it. @throws OAuthError 403 */
export function requireRealmServed(exchange: Exchange, endpoint?: Endpoint): void {
  if (lacksTls(exchange)) throw new OAuthError('invalid_request', 'HTTPS required', { status: 403 });
  if (!exchange.realm.enabled && endpoint?.servesDisabledRealms !== true) {
    throw new OAuthError('access_denied', 'Realm not enabled', { status: 403 });
  }
}

export function realmNotFound(): OAuthError {
  return new OAuthError('Realm does not exist', undefined, { status: 404 });
}

function run(endpoint: Endpoint, exchange: Exchange): Promise<void> | void {
  const { ctx, realm } = exchange;
  const method = ctx.method;
  if (endpoint.cors === 'any') allowAnyOrigin(ctx);
  const handler =
    method === 'HEAD' && endpoint.head !== 'nothing' ? endpoint.methods.GET : handlerFor(endpoint.methods, method);
  if (handler !== undefined) return handler(exchange);
  if (method === 'HEAD' && endpoint.methods.GET !== undefined) {
    ctx.status = 200;
    return;
  }
  const allow = [
    ...Object.keys(endpoint.methods),
    ...(endpoint.methods.GET === undefined ? [] : ['HEAD']),
    'OPTIONS',
  ].join(', ');
  if (method === 'OPTIONS') {
    if (endpoint.cors === 'none') {
      ctx.status = 204;
      ctx.set('Allow', allow);
    } else {
      const isAny = endpoint.cors === 'any';
      answerPreflight(
        ctx,
        allow,
        isAny ? 'any' : realmOrigins(realm),
        isAny ? [] : headersOfClients(ctx.providers, realm),
      );
    }
    return;
  }
  throw methodNotAllowed(allow);
}

export function methodNotAllowed(allow: string): OAuthError {
  return new OAuthError('HTTP 405 Method Not Allowed', undefined, { status: 405, headers: { allow } });
}

function handlerFor(methods: Endpoint['methods'], method: string) {
  return Object.hasOwn(methods, method) ? methods[method as keyof Endpoint['methods']] : undefined;
}

/** Decodes a segment of a path. @throws HostError 400 for invalid percent-encoding */
export function decodeSegment(segment: string): string {
  if (!segment.includes('%')) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    throw new HostError('invalid_request', 'Malformed percent-encoding in the path', { status: 400 });
  }
}
