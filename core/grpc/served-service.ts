import type { GrpcServiceDeclaration, GrpcServiceProvider } from '@keyhost/spi';
import type { RegisteredProvider } from '../registry/loading/registered-provider.js';
import { Codec, type PlainMessage } from './codec.js';
import type { LoadedService } from './proto-files.js';

/** A service that the host serves. */
export interface ServedService {
  readonly name: string;
  readonly registered: RegisteredProvider<GrpcServiceDeclaration, GrpcServiceProvider>;
  readonly authentication: 'bearer' | 'none';
  /** Maximum number of messages that a client may send in one call. */
  readonly maxRequestMessages: number;
  readonly methods: readonly ServedMethod[];
}

export interface ServedMethod {
  readonly service: ServedService;
  readonly name: string;
  /** `/package.Service/method` */
  readonly path: string;
  readonly requestStream: boolean;
  readonly responseStream: boolean;
  /** A scope that the caller's access token must contain. */
  readonly scope: string | undefined;
  readonly decode: (bytes: Uint8Array) => PlainMessage;
  readonly encode: (message: object) => Buffer;
}

/**
 * Creates a service that the server can serve.
 * @param authentication the default if plugins.json sets none
 */
export function createServedService(
  registered: RegisteredProvider<GrpcServiceDeclaration, GrpcServiceProvider>,
  { descriptor }: LoadedService,
  authentication: 'bearer' | 'none',
): ServedService {
  const config = registered.config as { authentication?: 'bearer' | 'none'; maxRequestMessages: number };
  const methods: ServedMethod[] = [];
  const service: ServedService = {
    name: descriptor.typeName,
    registered,
    authentication: config.authentication ?? authentication,
    maxRequestMessages: config.maxRequestMessages,
    methods,
  };
  const codecs = new Map<string, Codec>();
  for (const { name, input, output, methodKind } of descriptor.methods) {
    methods.push({
      service,
      name,
      path: `/${descriptor.typeName}/${name}`,
      requestStream: methodKind === 'client_streaming' || methodKind === 'bidi_streaming',
      responseStream: methodKind === 'server_streaming' || methodKind === 'bidi_streaming',
      scope: registered.declaration.methods[name]?.scope,
      decode: Codec.of(input, codecs).decode,
      encode: Codec.of(output, codecs).encode,
    });
  }
  return service;
}
