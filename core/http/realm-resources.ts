import {
  HostError,
  type RealmResource,
  type RealmResourceDeclaration,
  RealmResourceProvider,
  type ResourceRequest,
  type ResourceResponse,
  type Route,
} from '@keyhost/spi';
import type { ValidateFunction } from 'ajv';
import type { Context } from 'koa';
import { compileSchema } from '../config/json/schema-check.js';
import { createProvider, enabledProvider } from '../registry/generations/realm-providers.js';
import type { RegisteredProvider } from '../registry/loading/registered-provider.js';
import type { HostSession } from '../registry/sessions/host-session.js';
import type { SessionFactory } from '../registry/sessions/session-factory.js';
import { authorizeRoute } from './authorize-route.js';
import { headersOfClients, isForeignCredential } from './client-headers.js';
import { allowAnyOrigin, allowOrigins, allowOriginsOf, answerPreflight, NO_ORIGINS, realmOrigins } from './cors.js';
import { callerOf, type Exchange } from './exchange.js';
import { mediaType, readBody } from './form.js';
import { invalidBody, readJson } from './json-body.js';
import { notFound } from './not-found.js';
import { writePluginAnswer } from './plugin-answer.js';
import { readQuery } from './query.js';
import { methodNotAllowed, ROUTE } from './realm-dispatch.js';
import { RouteLimits } from './route-limits.js';
import { RouteMatcher } from './route-matcher.js';

type Registered = RegisteredProvider<RealmResourceDeclaration, RealmResource>;

const BODY_METHODS: readonly string[] = ['POST', 'PUT', 'PATCH', 'DELETE'];

/**
 * Serves RealmResourceProviders below `/realms/{realm}/{id}`. The host handles routing, HEAD, OPTIONS, 405 with Allow,
 * CORS, content types and body validation. The provider only returns its response. A provider that is disabled in the
 * realm does not exist.
 *
 * Cross-origin pages may read the response if the client authenticated by `session.authenticate()` lists their origin.
 * If no client is authenticated, any enabled client of the realm must list it, as for a preflight.
 */
export function realmResources(sessions: SessionFactory) {
  /** By registered provider, so that routes are garbage-collected with a replaced plugin. */
  const resources = new WeakMap<Registered, Resource>();
  const limits = new RouteLimits(sessions);
  const resourceOf = (registered: Registered): Resource => {
    let resource = resources.get(registered);
    if (resource === undefined) {
      resource = new Resource(registered, limits);
      resources.set(registered, resource);
    }
    return resource;
  };
  return async function serveResource(exchange: Exchange, subPath: string): Promise<void> {
    const { ctx, realm } = exchange;
    allowOrigins(ctx, realmOrigins(realm));
    const end = subPath.indexOf('/', 1);
    const id = end < 0 ? subPath.slice(1) : subPath.slice(1, end);
    const enabled = enabledProvider(ctx.providers, realm, RealmResourceProvider, id);
    if (enabled === undefined) throw notFound();
    const resource = resourceOf(enabled.registered);
    const session = sessions.create(realm, callerOf(exchange), resource.plugin);
    try {
      const provider = createProvider(enabled, session);
      await resource.serve(exchange, session, end < 0 ? '/' : subPath.slice(end), provider);
    } finally {
      await session.close();
    }
  };
}

/** The routes of one provider. */
class Resource {
  readonly plugin: string;
  readonly id: string;
  readonly #routes = new RouteMatcher<{ readonly operation: string; readonly route: Route }>();
  readonly #bodies = new Map<string, ValidateFunction>();
  readonly #limits: RouteLimits;

  constructor(registered: Registered, limits: RouteLimits) {
    this.#limits = limits;
    this.plugin = registered.plugin.name;
    this.id = registered.id;
    for (const [operation, route] of Object.entries(registered.declaration.routes)) {
      if (route.body !== undefined) this.#bodies.set(operation, compileSchema(route.body, { useDefaults: true }));
      this.#routes.add(route.method, route.path, { operation, route });
    }
  }

  async serve(exchange: Exchange, session: HostSession, path: string, provider: RealmResource): Promise<void> {
    const { ctx } = exchange;
    const found = this.#routes.find(path, ctx.method === 'HEAD' ? 'GET' : ctx.method);
    if (found === undefined) {
      const allow = this.#routes.allowedMethods(path).join(', ');
      if (allow === '') throw notFound();
      if (ctx.method !== 'OPTIONS') throw methodNotAllowed(allow);
      const requestedRoute = this.#routes.find(path, ctx.get('access-control-request-method'))?.value.route;
      if (requestedRoute?.cors === 'any') allowOrigins(ctx, NO_ORIGINS);
      const { realm } = exchange;
      if (requestedRoute?.cors === 'any') answerPreflight(ctx, allow, 'any');
      else answerPreflight(ctx, allow, realmOrigins(realm), headersOfClients(ctx.providers, realm));
      return;
    }
    const { operation: name, route } = found.value;
    ctx.route = `${ROUTE}/${this.id}${route.path}`;
    const operation = provider[name];
    if (operation === undefined) throw new Error(`${this.plugin} has no method ${name}`);
    let response: ResourceResponse;
    try {
      const { rateLimit: limit } = route;
      if (limit !== undefined)
        await this.#limits.count(exchange, { plugin: this.plugin, provider: this.id, operation: name, limit });
      await authorizeRoute(route, session, this.plugin);
      const request: ResourceRequest = {
        method: route.method,
        path,
        params: found.params,
        query: parseQuery(ctx),
        headers: headersForProvider(ctx, this.plugin),
        body: await this.#readBody(ctx, name, route),
      };
      response = await session.withTimeLimit(operation.call(provider, request));
    } finally {
      this.#setCors(exchange, session, route);
    }
    writePluginAnswer(ctx, response);
  }

  /** Sets which origins may read the response. */
  #setCors({ ctx, realm }: Exchange, session: HostSession, { cors }: Route): void {
    const client = realm.clients.get(session.principal?.clientId ?? '');
    if (cors === 'any') {
      allowOrigins(ctx, NO_ORIGINS);
      allowAnyOrigin(ctx);
    } else if (client !== undefined) allowOriginsOf(ctx, client);
  }

  async #readBody(ctx: Context, operation: string, route: Route): Promise<ResourceRequest['body']> {
    const consumes = route.consumes ?? (route.body === undefined ? undefined : 'application/json');
    if (consumes === undefined || !BODY_METHODS.includes(route.method)) return undefined;
    if (mediaType(ctx.get('content-type')) !== consumes) {
      throw new HostError('invalid_request', `Content type must be ${consumes}`, { status: 415 });
    }
    if (consumes !== 'application/json') return new Uint8Array(await readBody(ctx.req));
    const body = await readJson(ctx);
    const check = this.#bodies.get(operation);
    if (check !== undefined && !check(body)) throw invalidBody(check.errors ?? []);
    return body as ResourceRequest['body'];
  }
}

function parseQuery(ctx: Context): Record<string, string[]> {
  const values: Record<string, string[]> = Object.create(null);
  for (const [name, value] of readQuery(ctx.querystring)) {
    const earlier = values[name];
    if (earlier === undefined) values[name] = [value];
    else earlier.push(value);
  }
  return values;
}

/**
 * Request headers for a provider. Credentials are left out, except those that its plugin declares: providers call
 * `session.authenticate()`.
 */
function headersForProvider(ctx: Context, plugin: string): Record<string, string> {
  const values: Record<string, string> = {};
  for (const [name, value] of Object.entries(ctx.headers)) {
    if (name === 'authorization' || name === 'cookie' || value === undefined) continue;
    if (isForeignCredential(ctx.providers, name, plugin)) continue;
    values[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return values;
}
