import type { FileDescriptorProto } from '@bufbuild/protobuf/wkt';
import type { ServiceDefinition, UntypedServiceImplementation } from '@grpc/grpc-js';
import { GrpcService, type GrpcServiceDeclaration, type GrpcServiceProvider } from '@keyhost/spi';
import { BootError } from '../config/boot-error.js';
import type { Generation } from '../registry/generations/generation.js';
import type { RegisteredProvider } from '../registry/loading/registered-provider.js';
import type { ProtoFiles } from './proto-files.js';
import type { Registration } from './reflection.js';
import { createServedService, type ServedMethod, type ServedService } from './served-service.js';

export interface ServiceTable {
  readonly generation: Generation;
  readonly services: readonly ServedService[];
  /** The methods, by path. */
  readonly methods: ReadonlyMap<string, ServedMethod>;
  /** The file descriptors of the services, for reflection. */
  readonly files: readonly FileDescriptorProto[];
}

/**
 * Creates the table of each generation, which is the set of plugins that are loaded at one time. A service that stays
 * loaded is created only once.
 */
export class ServiceTables {
  readonly #protos: ProtoFiles;
  readonly #authentication: 'bearer' | 'none';
  readonly #services = new WeakMap<object, ServedService>();

  /** @param authentication the default if plugins.json sets none */
  constructor(protos: ProtoFiles, authentication: 'bearer' | 'none') {
    this.#protos = protos;
    this.#authentication = authentication;
  }

  /**
   * Returns the services of a generation.
   * @throws BootError `plugin_duplicate_id` if two plugins serve the same method
   */
  tableOf(generation: Generation): ServiceTable {
    const services: ServedService[] = [];
    const methods = new Map<string, ServedMethod>();
    const files: FileDescriptorProto[] = [];
    for (const registered of generation.all(GrpcService)) {
      const loaded = this.#protos.get(registered);
      if (loaded === undefined) throw new Error(`${registered.id} was not inspected`);
      const service = this.#serviceFor(registered, loaded);
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
    return { generation: generation, services, methods, files };
  }

  #serviceFor(
    registered: RegisteredProvider<GrpcServiceDeclaration, GrpcServiceProvider>,
    loaded: Parameters<typeof createServedService>[1],
  ): ServedService {
    let service = this.#services.get(registered);
    if (service === undefined) {
      service = createServedService(registered, loaded, this.#authentication);
      this.#services.set(registered, service);
    }
    return service;
  }
}

/**
 * Returns the service in the form that grpc-js registers. Its calls are handled before grpc-js would call the
 * implementation.
 */
export function toRegistration({ methods }: ServedService): Registration {
  const definition: Record<string, ServiceDefinition[string]> = {};
  const implementation: UntypedServiceImplementation = {};
  for (const { name, path, requestStream, responseStream, decode } of methods) {
    definition[name] = {
      path,
      requestStream,
      responseStream,
      requestDeserialize: decode,
      responseSerialize: (bytes: Buffer) => bytes,
      // These members are for clients. A server does not use them.
      requestSerialize: (bytes: Buffer) => bytes,
      responseDeserialize: (bytes: Buffer) => bytes,
    };
    implementation[name] = () => {
      throw new Error(`${path} is handled elsewhere`);
    };
  }
  return [definition, implementation];
}
