import { existsSync, realpathSync } from 'node:fs';
import { join, resolve, sep } from 'node:path';
import type { DescService } from '@bufbuild/protobuf';
import type { FileDescriptorProto } from '@bufbuild/protobuf/wkt';
import { loadSync, type PackageDefinition, type ServiceDefinition } from '@grpc/proto-loader';
import { GrpcService, type GrpcServiceDeclaration, type ProviderDefinition } from '@keyhost/spi';
import { BootError } from '../config/boot-error.js';
import { didYouMean } from '../config/did-you-mean.js';
import { messageOf } from '../model/thrown.js';
import type { SpiInspections } from '../registry/loading/open-provider.js';
import type { PluginOrigin, RegisteredProvider } from '../registry/loading/registered-provider.js';
import { completeDescriptors, createRegistry } from './descriptors.js';

/** The description of a service from its proto file. */
export interface LoadedService {
  readonly descriptor: DescService;
  /** The file of the service and all files that it imports, for reflection. */
  readonly files: readonly FileDescriptorProto[];
}

/** The proto files of the host's gRPC services. They are read when plugins are opened. */
export class ProtoFiles {
  readonly #protoDir: string;
  /** Keyed by declaration, because each version of a plugin may have a different file. */
  readonly #loaded = new WeakMap<object, LoadedService>();

  constructor(protoDir: string) {
    this.#protoDir = protoDir;
  }

  /**
   * Reads the proto file of a service before the service is opened.
   * @throws BootError `grpc_proto`, `plugin_duplicate_id`
   */
  readonly inspect = async (
    definition: ProviderDefinition,
    plugin: PluginOrigin,
    others: readonly RegisteredProvider[],
  ): Promise<void> => {
    const pluginFolder = plugin.directory === undefined ? undefined : join(plugin.directory, 'proto');
    const folders = pluginFolder === undefined ? [this.#protoDir] : [pluginFolder, this.#protoDir];
    // GrpcService has validated the declaration.
    const declaration = definition.declaration as Readonly<Record<string, unknown>> & GrpcServiceDeclaration;
    const duplicate = others.find(
      (other) =>
        other.spi.id === GrpcService.id &&
        (other.declaration as GrpcServiceDeclaration).service === declaration.service,
    );
    if (duplicate !== undefined) {
      throw new BootError(
        'plugin_duplicate_id',
        `${plugin.name}: ${duplicate.id} already serves ${declaration.service}`,
        {
          plugin: plugin.name,
        },
      );
    }
    this.#loaded.set(definition.declaration, loadService(declaration, plugin.name, folders));
  };

  /** The checks before a service is opened. */
  get inspections(): SpiInspections {
    return new Map([[GrpcService.id, this.inspect]]);
  }

  get({ declaration }: RegisteredProvider<GrpcServiceDeclaration, unknown>): LoadedService | undefined {
    return this.#loaded.get(declaration);
  }
}

/**
 * Finds and reads the proto file of a service, and checks that the plugin declares exactly the rpcs of the service.
 * @param folders the folders to search, in order, also for the files that it imports
 * @throws BootError `grpc_proto`
 */
export function loadService(
  { proto, service, methods }: GrpcServiceDeclaration,
  plugin: string,
  folders: readonly string[],
): LoadedService {
  const protoError = (message: string, hint?: string, cause?: unknown) =>
    new BootError('grpc_proto', `${plugin}: ${message}`, { plugin, cause, hint });
  const folder = folders.find((candidate) => isInside(candidate, proto));
  if (folder === undefined) {
    throw protoError(`${proto} not found`, `copy the file into ${folders.map((one) => resolve(one)).join(' or ')}`);
  }
  let definitions: PackageDefinition;
  try {
    // The asynchronous version throws errors that cannot be caught if a type is missing.
    definitions = loadSync(proto, {
      keepCase: true,
      includeDirs: [folder, ...folders.filter((one) => existsSync(one))],
    });
  } catch (cause) {
    throw protoError(`cannot read ${join(folder, proto)}: ${messageOf(cause)}`, undefined, cause);
  }
  const services = Object.keys(definitions).filter((name) => isService(definitions[name]));
  const definition = definitions[service];
  if (definition === undefined || !isService(definition)) {
    const suggestion = services.find((name) => name.endsWith(`.${service}`)) ?? didYouMean(service, services, 12);
    throw protoError(
      `${proto} has no service ${service}`,
      `${suggestion === undefined ? '' : `did you mean ${suggestion}? `}it has ${services.join(', ') || 'none'}`,
    );
  }
  const rpcs = Object.keys(definition);
  const declared = Object.keys(methods);
  const unhandled = rpcs.filter((name) => !declared.includes(name));
  const unknownMethods = declared.filter((name) => !rpcs.includes(name));
  const renamed = unhandled
    .map((name) => [didYouMean(name, unknownMethods), name])
    .filter(([method]) => method !== undefined);
  if (renamed.length > 0) {
    const methodNames = renamed.map(([method]) => method).join(', ');
    const rpcNames = renamed.map(([, rpc]) => rpc).join(', ');
    throw protoError(
      `no method implements ${unhandled.join(', ')} of ${service}`,
      `rename ${methodNames} as in the proto file: ${rpcNames}`,
    );
  }
  if (unhandled.length > 0) throw protoError(`no method implements ${unhandled.join(', ')} of ${service}`);
  if (unknownMethods.length > 0)
    throw protoError(`${service} has no rpc ${unknownMethods.join(', ')}`, `it has ${rpcs.join(', ')}`);
  let files: readonly FileDescriptorProto[];
  let descriptor: DescService | undefined;
  try {
    const [method] = Object.values(definition);
    files = completeDescriptors(method?.requestType.fileDescriptorProtos ?? []);
    descriptor = createRegistry(files).getService(service);
  } catch (cause) {
    throw protoError(`cannot use ${proto}: ${messageOf(cause)}`, undefined, cause);
  }
  if (descriptor === undefined) throw protoError(`${proto} has no service ${service}`);
  return { descriptor, files };
}

function isInside(folder: string, name: string): boolean {
  const file = join(folder, name);
  return existsSync(file) && realpathSync(file).startsWith(realpathSync(folder) + sep);
}

function isService(definition: PackageDefinition[string] | undefined): definition is ServiceDefinition {
  return definition !== undefined && !('format' in definition);
}
