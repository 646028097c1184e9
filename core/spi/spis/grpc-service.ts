import { spi } from '../plugin.js';
import type { Principal } from '../views.js';

/** The requirements of a method for its caller. */
export interface GrpcMethod {
  /** A scope that a caller's access token must have, if the service requires access tokens. */
  readonly scope?: string;
}

/** The declaration of a gRPC service. */
export interface GrpcServiceDeclaration {
  /** A file name, looked up in the plugin's own `proto/` folder, then in the host's `--proto-dir`. */
  readonly proto: string;
  /** The service's full name, such as `com.example.BookService`. */
  readonly service: string;
  /** Every rpc of the service by its name in the proto file; the provider has a method with that name for each. */
  readonly methods: Readonly<Record<string, GrpcMethod>>;
}

/** The data of a call, in addition to its messages. */
export interface GrpcCall {
  /** Keys in lower case; `-bin` values are bytes. `authorization` is left out: see `principal`. */
  readonly metadata: Readonly<Record<string, readonly (string | Uint8Array)[]>>;
  /** Milliseconds since the epoch; undefined if the client set none. */
  readonly deadline: number | undefined;
  /** The authenticated caller; undefined if the service requires no access token. */
  readonly principal: Principal | undefined;
  /** Aborted when the client cancels or disconnects, or the deadline has passed. */
  readonly signal: AbortSignal;
}

/**
 * One rpc. Messages are plain objects with the field names of the proto file and with every field set. 64-bit integers
 * are bigints, enums numbers, bytes Uint8Arrays, and maps objects. An absent message, `optional` or oneof field is left
 * out. A response may leave out fields, but a field that the message does not declare is an error.
 *
 * | rpc | takes | returns |
 * |---|---|---|
 * | unary | the message | a promise of the response; `undefined` ends the call OK with no message |
 * | server streaming | the message | an async iterable of responses, or a promise of one |
 * | client streaming | an async iterable of messages | as unary |
 * | bidirectional | an async iterable of messages | as server streaming |
 *
 * The iterable of messages ends after the client's last message, and throws if the call is aborted. An error that a
 * handler throws ends the call. A `GrpcError` keeps its status, and a `HostError` gets the one for its HTTP status. All
 * others become UNKNOWN without their text.
 */
export type GrpcHandler = (
  request: never,
  call: GrpcCall,
) => Promise<object | undefined> | AsyncIterable<object> | Promise<AsyncIterable<object>>;

/** The type of a provider with these methods: one handler for each rpc, by its name. */
export type GrpcServiceOf<M extends Readonly<Record<string, GrpcMethod>>> = { readonly [K in keyof M]: GrpcHandler };

/** One handler per declared rpc. */
export type GrpcServiceProvider = Readonly<Record<string, GrpcHandler>>;

/**
 * A gRPC service.
 * @example
 * ```ts
 * import { GrpcService, provide } from '@keyhost/spi';
 *
 * // proto/greeter.proto of the package has: package example; service Greeter { rpc Greet(Name) returns (Text); }
 * export default provide(GrpcService, {
 *   id: 'greeter',
 *   proto: 'greeter.proto',
 *   service: 'example.Greeter',
 *   methods: { Greet: { scope: 'greet' } },
 *   open: () => ({
 *     create: () => ({
 *       Greet: async ({ name }: { name: string }) => ({ text: `Hello, ${name}` }),
 *     }),
 *   }),
 * });
 * ```
 */
export const GrpcService = spi<GrpcServiceDeclaration, GrpcServiceProvider>({
  id: 'grpc-service',
  name: 'GrpcService',
  // A setting that determines the recipient of a link or a token must declare `guarded: true`.
  carries: 'nothing',
  declares: ['proto', 'service', 'methods'],
  methods: ({ methods }) => ({ required: Object.keys(methods as object), namedBy: 'methods' }),
  crosses: [undefined, { data: ['metadata', 'deadline', 'principal'], signal: 'signal' }],
  // The gRPC codec checks every field.
  answers: 'unread',
  config: {
    authentication: {
      enum: ['bearer', 'none'],
      description:
        '"bearer" (default of start): callers need an access token of a realm that enables the service; ' +
        '"none" (default of start-dev): anyone may call while a realm enables it.',
    },
    maxRequestMessages: {
      type: 'integer',
      minimum: 1,
      default: 100_000,
      description: 'How many messages a client may send in one call.',
    },
  },
  check({ proto, service, methods }) {
    if (typeof proto !== 'string' || !/^[A-Za-z0-9_][A-Za-z0-9_./-]*\.proto$/.test(proto) || proto.includes('..')) {
      throw new Error('proto must be the name of a .proto file');
    }
    if (typeof service !== 'string' || service === '') throw new Error('service must be the full name of a service');
    if (typeof methods !== 'object' || methods === null) throw new Error('methods must be an object of rpc names');
    for (const [name, method] of Object.entries(methods as Record<string, Partial<GrpcMethod> | null>)) {
      const scope = method?.scope;
      if (typeof method !== 'object' || (scope !== undefined && !/^[\x21-\x7e]+$/.test(scope))) {
        throw new Error(`methods.${name} must be an object; its scope one word`);
      }
    }
  },
});
