import type { FileDescriptorProto } from '@bufbuild/protobuf/wkt';
import type { ServiceDefinition, UntypedServiceImplementation } from '@grpc/grpc-js';
import { GrpcService, type GrpcServiceDeclaration, type GrpcServiceProvider } from '@keyhost/spi';
import { BootError } from '../config/boot-error.js';
import type { Generation } from '../registry/generations/generation.js';
import type { RegisteredProvider } from '../registry/loading/registered-provider.js';
import type { ProtoFiles } from './proto-files.js';
import type { Registration } from './reflection.js';
import { type ServedMethod, type ServedService, servedService } from './served-service.js';

/** The services of one generation. */
export interface ServiceTable {
  readonly providers: Generation;
  readonly services: readonly ServedService[];
  /** The methods by path. */
  readonly methods: ReadonlyMap<string, ServedMethod>;
  /** Their descriptors, for reflection. */
  readonly files: readonly FileDescriptorProto[];
}

/** Creates tables. A service that is part of several generations is created once. */
export class ServiceTables {
  readonly #protos: ProtoFiles;
  readonly #authentication: 'bearer' | 'none';
  readonly #served = new WeakMap<object, ServedService>();

  /** @param authentication the default if plugins.json has none */
  constructor(protos: ProtoFiles, authentication: 'bearer' | 'none') {
    this.#protos = protos;
    this.#authentication = authentication;
  }

  /** @throws BootError `plugin_duplicate_id` if two plugins serve the same method */
  of(providers: Generation): ServiceTable {
    const services: ServedService[] = [];
    const methods = new Map<string, ServedMethod>();
    const files: FileDescriptorProto[] = [];
    for (const registered of providers.all(GrpcService)) {
      const loaded = this.#protos.get(registered);
      if (loaded === undefined) throw new Error(`${registered.id} was not inspected`);
      const service = this.#serve(registered, loaded);
      services.push(service);
      files.push(...loaded.files);
      for (const method of service.methods) {
        if (methods.has(method.path)) {
          const message = `${registered.plugin.name}: another plugin already serves ${method.path}`;
          throw new BootError('plugin_duplicate_id', message, { plugin: registered.plugin.name });
        }
        methods.set(method.path, method);
      }
    }
    return { providers, services, methods, files };
  }

  #serve(
    registered: RegisteredProvider<GrpcServiceDeclaration, GrpcServiceProvider>,
    loaded: Parameters<typeof servedService>[1],
  ): ServedService {
    let service = this.#served.get(registered);
    if (service === undefined) {
      service = servedService(registered, loaded, this.#authentication);
      this.#served.set(registered, service);
    }
    return service;
  }
}

/** Registers the methods with grpc-js. Their calls are handled before grpc-js calls an implementation. */
export function registration({ methods }: ServedService): Registration {
  const definition: Record<string, ServiceDefinition[string]> = {};
  const implementation: UntypedServiceImplementation = {};
  for (const { name, path, requestStream, responseStream, decode } of methods) {
    definition[name] = {
      path,
      requestStream,
      responseStream,
      requestDeserialize: decode,
      responseSerialize: (bytes: Buffer) => bytes,
      // The client's part of a definition, which no server uses.
      requestSerialize: (bytes: Buffer) => bytes,
      responseDeserialize: (bytes: Buffer) => bytes,
    };
    implementation[name] = () => {
      throw new Error(`${path} is handled elsewhere`);
    };
  }
  return [definition, implementation];
}
