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
import type { HostSession } from '../registry/sessions/session.js';
import type { SessionFactory } from '../registry/sessions/session-factory.js';
import { allowOrigins, allowOriginsOf, answerPreflight, realmOrigins } from './cors.js';
import { writeJson } from './errors.js';
import { callerOf, type Exchange } from './exchange.js';
import { mediaType, readBody } from './form.js';
import { invalidBody, readJson } from './json-body.js';
import { notFound } from './not-found.js';
import { readQuery } from './query.js';
import { methodNotAllowed, ROUTE } from './realm-dispatch.js';
import { admitTo } from './route-admission.js';
import { RouteMatcher } from './route-matcher.js';

type Registered = RegisteredProvider<RealmResourceDeclaration, RealmResource>;

const BODY_METHODS: readonly string[] = ['POST', 'PUT', 'PATCH', 'DELETE'];

/**
 * Serves RealmResourceProviders below `/realms/{realm}/{id}`: routing, HEAD, OPTIONS, 405 with Allow, CORS, content types
 * and body checks are the host's; the provider only answers. A provider that is not enabled in the realm does not exist.
 *
 * A page may read the answer when the client that `session.authenticate()` has found lists its origin; where nobody was
 * authenticated, also in a refusal, when some enabled client of the realm does, as for a preflight.
 */
export function realmResources(sessions: SessionFactory) {
  /** By registered provider, so that the routes of a plugin that is replaced go with it. */
  const resources = new WeakMap<Registered, Resource>();
  const resourceOf = (registered: Registered): Resource => {
    let resource = resources.get(registered);
    if (resource === undefined) {
      resource = new Resource(registered);
      resources.set(registered, resource);
    }
    return resource;
  };
  return async function serveResource(exchange: Exchange, rest: string): Promise<void> {
    const { ctx, realm } = exchange;
    allowOrigins(ctx, realmOrigins(realm));
    const end = rest.indexOf('/', 1);
    const id = end < 0 ? rest.slice(1) : rest.slice(1, end);
    const enabled = enabledProvider(ctx.providers, realm, RealmResourceProvider, id);
    if (enabled === undefined) throw notFound();
    const resource = resourceOf(enabled.registered);
    const session = sessions.create(realm, callerOf(exchange), resource.plugin);
    try {
      const provider = createProvider(enabled, session);
      await resource.serve(exchange, session, end < 0 ? '/' : rest.slice(end), provider);
    } finally {
      await session.close();
    }
  };
}

/** One provider's routes. */
class Resource {
  readonly plugin: string;
  readonly id: string;
  readonly #routes = new RouteMatcher<{ readonly operation: string; readonly route: Route }>();
  readonly #bodies = new Map<string, ValidateFunction>();

  constructor(registered: Registered) {
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
      const allow = this.#routes.allowed(path).join(', ');
      if (allow === '') throw notFound();
      if (ctx.method !== 'OPTIONS') throw methodNotAllowed(allow);
      answerPreflight(ctx, allow, realmOrigins(exchange.realm));
      return;
    }
    const { operation: name, route } = found.value;
    ctx.route = `${ROUTE}/${this.id}${route.path}`;
    const operation = provider[name];
    if (operation === undefined) throw new Error(`${this.plugin} has no method ${name}`);
    let response: ResourceResponse;
    try {
      await admitTo(route, session);
      const request: ResourceRequest = {
        method: route.method,
        path,
        params: found.params,
        query: query(ctx),
        headers: headers(ctx),
        body: await this.#body(ctx, name, route),
      };
      response = await session.limited(operation.call(provider, request));
    } finally {
      const client = exchange.realm.clients.get(session.principal?.clientId ?? '');
      if (client !== undefined) allowOriginsOf(ctx, client);
    }
    // A provider may open its answer to other origins itself: then nothing of the host's stands beside that.
    const names = Object.keys(response.headers ?? {});
    if (names.some((name) => name.toLowerCase() === 'access-control-allow-origin')) allowOrigins(ctx, new Set());
    writeResponse(ctx, response);
  }

  async #body(ctx: Context, operation: string, route: Route): Promise<ResourceRequest['body']> {
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

function query(ctx: Context): Record<string, string[]> {
  const values: Record<string, string[]> = Object.create(null);
  for (const [name, value] of readQuery(ctx.querystring)) {
    const all = values[name];
    if (all === undefined) values[name] = [value];
    else all.push(value);
  }
  return values;
}

/** Credentials stay with the host: providers call `session.authenticate()`. */
function headers(ctx: Context): Record<string, string> {
  const values: Record<string, string> = {};
  for (const [name, value] of Object.entries(ctx.headers)) {
    if (name === 'authorization' || name === 'cookie' || value === undefined) continue;
    values[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return values;
}

/** Writes what a provider answered. */
export function writeResponse(ctx: Context, response: ResourceResponse): void {
  for (const [name, value] of Object.entries(response.headers ?? {})) ctx.set(name, value);
  const { body } = response;
  if (body === undefined) {
    ctx.status = response.status ?? 204;
    return;
  }
  if (body instanceof Uint8Array) {
    ctx.status = response.status ?? 200;
    ctx.body = Buffer.from(body);
    return;
  }
  writeJson(ctx, response.status ?? 200, JSON.stringify(body));
}
