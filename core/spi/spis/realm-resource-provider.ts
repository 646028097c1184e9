import type { FromSchema, Json, JsonObject, JsonSchema } from '../json-schema.js';
import { spi } from '../plugin.js';
import { responseProblem } from '../response-check.js';

/** The HTTP methods that routes support. */
export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** One operation of a realm resource, below `{base}/realms/{realm}/{provider id}`. */
export interface Route {
  readonly method: HttpMethod;
  /** Starts with `/`. `{name}` matches one path segment, which is in `request.params`. */
  readonly path: string;
  /** The required media type of the body. Default: `application/json` if `body` is set, otherwise no body is read. */
  readonly consumes?: string;
  /**
   * The callers that are allowed. The host checks this before it reads the body:
   * - `bearer`: an access token of the realm
   * - `client`: a confidential client with `Authorization: Basic`
   * - `any`: one of the two
   * - `none`: everyone; in production, the operator must allow that
   *
   * Default: `bearer` with a `scope`, `any` with a `role`. Otherwise the host checks nothing: the method can call
   * `session.authenticate()`.
   */
  readonly authentication?: 'bearer' | 'client' | 'any' | 'none';
  /** A scope that the access token of the caller must contain. */
  readonly scope?: string;
  /** A role that the caller must have: a realm role by its name, a client role as `client.role`. */
  readonly role?: string;
  /**
   * The web pages that may read the response (CORS). `clients`: the pages of the authenticated client, or of all
   * enabled clients if there is no authentication. `any`: every page, without credentials. Default: `clients`.
   */
  readonly cors?: 'clients' | 'any';
  /**
   * The maximum number of `requests` (1 to 1,000,000) from one network within a number of `seconds` (1 to 86,400), in
   * each realm and on all nodes together. A network is an IPv4 address, or the /64 of an IPv6 address. Further requests
   * are answered with 429 and `Retry-After`, before the caller is authenticated. Preflight requests do not count.
   * Default: no limit.
   */
  readonly rateLimit?: { readonly requests: number; readonly seconds: number };
  /** JSON Schema of the body. Default: a JSON body is passed on unchecked. */
  readonly body?: JsonSchema;
}

/** The routes of a resource by operation name; the provider has a method with that name for each. */
export interface RealmResourceDeclaration {
  readonly routes: Readonly<Record<string, Route>>;
}

/** The parameters that a path names: `ParamsOf<'/things/{id}'>` has `id`. */
export type ParamsOf<P extends string> = string extends P
  ? Readonly<Record<string, string>>
  : { readonly [N in ParamNames<P>]: string };

type ParamNames<P extends string> = P extends `${string}{${infer N}}${infer Rest}` ? N | ParamNames<Rest> : never;

/** A request to a route. */
export interface ResourceRequest<B = Json | Uint8Array | undefined, P = Readonly<Record<string, string>>> {
  readonly method: HttpMethod;
  /** The path below the provider's base path, such as `/generate-token`. */
  readonly path: string;
  /** The value of each `{name}` of the route's path, percent-decoded. */
  readonly params: P;
  /** Values of the query parameters by name. */
  readonly query: Readonly<Record<string, readonly string[]>>;
  /** Header values by lower-case name, without `authorization` and `cookie`: use `session.authenticate()`. */
  readonly headers: Readonly<Record<string, string>>;
  /** Parsed and checked JSON, or the bytes for another media type. */
  readonly body: B;
}

/** The response of a route. */
export interface ResourceResponse {
  /** Default 200, or 204 without a body. */
  readonly status?: number;
  /**
   * Header names in lower case: HTTP headers that describe a response, and `x-` names of your own. Only the host sends
   * headers with effects beyond the response, such as `set-cookie`: the call fails. The host sets the content type of a
   * JSON body.
   */
  readonly headers?: Readonly<Record<string, string>>;
  /** A JSON value, or bytes. */
  readonly body?: Json | JsonObject | Uint8Array;
}

/** One asynchronous method per declared route. */
export type RealmResource = Readonly<Record<string, (request: ResourceRequest) => Promise<ResourceResponse>>>;

/**
 * The type of a provider with these routes: one method for each operation, its request typed by the route's path and
 * body schema.
 */
export type ResourceOf<R extends Readonly<Record<string, Route>>> = {
  readonly [K in keyof R]: (
    request: ResourceRequest<
      R[K] extends { readonly body: infer S extends JsonSchema } ? FromSchema<S> : ResourceRequest['body'],
      ParamsOf<R[K]['path']>
    >,
  ) => Promise<ResourceResponse>;
};

/** The body type that a route's schema describes: `BodyOf<typeof body>`. */
export type BodyOf<S> = FromSchema<S>;

const AUTHENTICATIONS: readonly unknown[] = [undefined, 'bearer', 'client', 'any', 'none'];
const CORS: readonly unknown[] = [undefined, 'clients', 'any'];
const METHODS: readonly string[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
/** The maximum numbers of requests and seconds of a rate limit. */
const RATE_LIMIT_MAXIMA = { requests: 1_000_000, seconds: 86_400 } as const;
const SEGMENT = /^(\{[A-Za-z][A-Za-z0-9]*\}|[A-Za-z0-9._~-]+)$/;

/** IDs that would hide paths of Keyhost below `/realms/{realm}/`. */
const RESERVED = [
  'protocol',
  'login-actions',
  'clients-registrations',
  'clients-managements',
  'clients',
  'account',
  'broker',
  '.well-known',
  'authz',
  'admin',
  'resources',
  'js',
  'health',
  'device',
];

const routesOf = (routes: unknown) => Object.entries((routes ?? {}) as Readonly<Record<string, Partial<Route>>>);

/**
 * Keycloak's RealmResourceProvider: HTTP resources below `/realms/{realm}/{id}`.
 * @example
 * ```ts
 * import { provide, RealmResourceProvider } from '@keyhost/spi';
 *
 * export default provide(RealmResourceProvider, {
 *   id: 'hello',
 *   routes: { greet: { method: 'GET', path: '/{name}', authentication: 'bearer' } },
 *   open: () => ({
 *     create: () => ({
 *       greet: async ({ params }) => ({ body: { text: `Hello, ${params.name}` } }),
 *     }),
 *   }),
 * });
 * ```
 */
export const RealmResourceProvider = spi<RealmResourceDeclaration, RealmResource>({
  id: 'realm-restapi-extension',
  name: 'RealmResourceProvider',
  // A setting that determines the recipient of a link or a token must declare `guarded: true`.
  carries: 'nothing',
  declares: ['routes'],
  reserved: RESERVED,
  methods: ({ routes }) => ({ required: Object.keys(routes as object), namedBy: 'routes' }),
  crosses: [{ maps: ['query'] }],
  answers: (_, answer) => responseProblem(answer),
  schemas: ({ routes }) =>
    Object.fromEntries(routesOf(routes).map(([name, { body }]) => [`routes.${name}.body`, body])),
  access: ({ routes }) =>
    Object.fromEntries(
      routesOf(routes).map(([name, { authentication, scope, role }]) => {
        if (authentication === 'none') return [name, 'everybody'];
        return [name, (authentication ?? scope ?? role) ? 'declared' : 'undeclared'];
      }),
    ),
  check({ routes }) {
    if (typeof routes !== 'object' || routes === null) throw new Error('routes must be an object of operations');
    const entries = Object.entries(routes as Record<string, Partial<Route>>);
    if (entries.length === 0) throw new Error('routes is empty');
    const nameByEndpoint = new Map<string, string>();
    for (const [name, route] of entries) {
      if (typeof route !== 'object' || route === null) throw new Error(`routes.${name} must be an object`);
      if (!METHODS.includes(route.method ?? ''))
        throw new Error(`routes.${name}.method must be one of ${METHODS.join(', ')}`);
      const segments =
        typeof route.path === 'string' && route.path.startsWith('/') ? route.path.slice(1).split('/') : undefined;
      if (!segments || (route.path !== '/' && !segments.every((s) => SEGMENT.test(s)))) {
        throw new Error(`routes.${name}.path must look like "/things/{id}"`);
      }
      const endpoint = `${route.method} ${route.path}`;
      if (nameByEndpoint.has(endpoint))
        throw new Error(`routes.${name} serves ${endpoint}, as routes.${nameByEndpoint.get(endpoint)} does`);
      nameByEndpoint.set(endpoint, name);
      checkRateLimit(name, route.rateLimit);
      const { authentication, scope, role, cors } = route;
      if (!CORS.includes(cors)) throw new Error(`routes.${name}.cors must be one of clients, any`);
      if (!AUTHENTICATIONS.includes(authentication)) {
        throw new Error(`routes.${name}.authentication must be one of bearer, client, any, none`);
      }
      if (scope !== undefined && !/^[\x21\x23-\x5b\x5d-\x7e]+$/.test(scope)) {
        throw new Error(`routes.${name}.scope must be one word`);
      }
      if (scope !== undefined && (authentication ?? 'bearer') !== 'bearer') {
        throw new Error(`routes.${name}.scope requires authentication "bearer": only access tokens have scopes`);
      }
      if (role !== undefined && (typeof role !== 'string' || role === '' || authentication === 'none')) {
        throw new Error(`routes.${name}.role must be a name, and requires authentication`);
      }
    }
  },
});

/** @throws Error if the limit has the wrong shape or is out of range */
function checkRateLimit(name: string, limit: unknown): void {
  if (limit === undefined) return;
  const limits = typeof limit === 'object' && limit !== null ? (limit as Readonly<Record<string, unknown>>) : {};
  const unknownMember = Object.keys(limits).find((member) => !Object.hasOwn(RATE_LIMIT_MAXIMA, member));
  if (unknownMember !== undefined) throw new Error(`routes.${name}.rateLimit has no member ${unknownMember}`);
  for (const [member, maximum] of Object.entries(RATE_LIMIT_MAXIMA)) {
    const value = limits[member];
    if (!Number.isInteger(value) || Number(value) < 1 || Number(value) > maximum) {
      throw new Error(`routes.${name}.rateLimit.${member} must be a whole number from 1 to ${maximum}`);
    }
  }
}
