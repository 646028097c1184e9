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
import { completeFiles, fileRegistry } from './descriptors.js';

/** A service as its proto file describes it. */
export interface LoadedService {
  readonly descriptor: DescService;
  /** The service's file and all its imports, for reflection. */
  readonly files: readonly FileDescriptorProto[];
}

/** The proto files of the host's gRPC services, read while plugins are opened. */
export class ProtoFiles {
  readonly #protoDir: string;
  /** By declaration, because each version of a plugin has its own. */
  readonly #loaded = new WeakMap<object, LoadedService>();

  constructor(protoDir: string) {
    this.#protoDir = protoDir;
  }

  /** Reads the proto file of a service before it is opened. @throws BootError `grpc_proto` */
  readonly inspect = async (
    definition: ProviderDefinition,
    plugin: PluginOrigin,
    others: readonly RegisteredProvider[],
  ): Promise<void> => {
    const own = plugin.directory === undefined ? undefined : join(plugin.directory, 'proto');
    const folders = own === undefined ? [this.#protoDir] : [own, this.#protoDir];
    // The shape was checked by GrpcService.
    const declaration = definition.declaration as Readonly<Record<string, unknown>> & GrpcServiceDeclaration;
    const same = others.find(
      (other) =>
        other.spi.id === GrpcService.id &&
        (other.declaration as GrpcServiceDeclaration).service === declaration.service,
    );
    if (same !== undefined) {
      throw new BootError('plugin_duplicate_id', `${plugin.name}: ${same.id} already serves ${declaration.service}`, {
        plugin: plugin.name,
      });
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
 * @param folders the folders to search, in order, also for the file's imports
 * @throws BootError `grpc_proto`
 */
export function loadService(
  { proto, service, methods }: GrpcServiceDeclaration,
  plugin: string,
  folders: readonly string[],
): LoadedService {
  const refuse = (message: string, hint?: string, cause?: unknown) =>
    new BootError('grpc_proto', `${plugin}: ${message}`, { plugin, cause, hint });
  const folder = folders.find((candidate) => isInside(candidate, proto));
  if (folder === undefined) {
    throw refuse(`${proto} not found`, `copy the file into ${folders.map((one) => resolve(one)).join(' or ')}`);
  }
  let definitions: PackageDefinition;
  try {
    // The asynchronous version throws uncatchable errors for a missing type.
    definitions = loadSync(proto, {
      keepCase: true,
      includeDirs: [folder, ...folders.filter((one) => existsSync(one))],
    });
  } catch (cause) {
    throw refuse(`cannot read ${join(folder, proto)}: ${messageOf(cause)}`, undefined, cause);
  }
  const services = Object.keys(definitions).filter((name) => isService(definitions[name]));
  const definition = definitions[service];
  if (definition === undefined || !isService(definition)) {
    const near = services.find((name) => name.endsWith(`.${service}`)) ?? didYouMean(service, services, 12);
    throw refuse(
      `${proto} has no service ${service}`,
      `${near === undefined ? '' : `did you mean ${near}? `}it has ${services.join(', ') || 'none'}`,
    );
  }
  const rpcs = Object.keys(definition);
  const declared = Object.keys(methods);
  const unhandled = rpcs.filter((name) => !declared.includes(name));
  const left = declared.filter((name) => !rpcs.includes(name));
  const renamed = unhandled.map((name) => [didYouMean(name, left), name]).filter(([method]) => method !== undefined);
  if (renamed.length > 0) {
    const wrong = renamed.map(([method]) => method).join(', ');
    const right = renamed.map(([, rpc]) => rpc).join(', ');
    throw refuse(
      `no method implements ${unhandled.join(', ')} of ${service}`,
      `rename ${wrong} as in the proto file: ${right}`,
    );
  }
  if (unhandled.length > 0) throw refuse(`no method implements ${unhandled.join(', ')} of ${service}`);
  if (left.length > 0) throw refuse(`${service} has no rpc ${left.join(', ')}`, `it has ${rpcs.join(', ')}`);
  let files: readonly FileDescriptorProto[];
  let descriptor: DescService | undefined;
  try {
    const [method] = Object.values(definition);
    files = completeFiles(method?.requestType.fileDescriptorProtos ?? []);
    descriptor = fileRegistry(files).getService(service);
  } catch (cause) {
    throw refuse(`cannot use ${proto}: ${messageOf(cause)}`, undefined, cause);
  }
  if (descriptor === undefined) throw refuse(`${proto} has no service ${service}`);
  return { descriptor, files };
}

function isInside(folder: string, name: string): boolean {
  const file = join(folder, name);
  return existsSync(file) && realpathSync(file).startsWith(realpathSync(folder) + sep);
}

function isService(definition: PackageDefinition[string] | undefined): definition is ServiceDefinition {
  return definition !== undefined && !('format' in definition);
}
