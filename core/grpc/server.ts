import type { FileDescriptorProto } from '@bufbuild/protobuf/wkt';
import { Server, type ServiceDefinition, type UntypedServiceImplementation } from '@grpc/grpc-js';
import { GrpcService, type Logger } from '@keyhost/spi';
import { HealthImplementation } from 'grpc-health-check';
import { BootError } from '../config/boot-error.js';
import type { CertificateFiles } from '../config/certificate-files.js';
import type { HostOptions } from '../config/options.js';
import type { Realms } from '../realms/realms.js';
import type { ProviderRegistry } from '../registry/registry.js';
import type { SessionFactory } from '../registry/session.js';
import { Admission } from './admission.js';
import { certificateFiles, serverCredentials } from './credentials.js';
import { EnablingRealms } from './enabling-realms.js';
import { type CallOutcome, HandledCall } from './handled-call.js';
import type { ProtoFiles } from './proto-files.js';
import { addReflection } from './reflection.js';
import { type ServedMethod, type ServedService, servedService } from './served-service.js';
import { SideCalls } from './side-calls.js';

/** Milliseconds. A peer that is silent is asked, and given up when it does not answer. */
const KEEPALIVE = { timeMs: 60_000, timeoutMs: 20_000 };

export interface GrpcListening {
  readonly port: number;
  /** Health says NOT_SERVING, calls under way may finish within the limit, then connections are closed. */
  close(limitMs: number): Promise<void>;
}

/**
 * The gRPC server of all services that plugins provide, with health (grpc.health.v1) and, if wanted, reflection.
 * @returns undefined when there is no service: then nothing is listened on
 * @throws BootError `listen_failed`
 */
export async function listenGrpc(parts: {
  options: HostOptions;
  registry: ProviderRegistry;
  protos: ProtoFiles;
  sessions: SessionFactory;
  realms: Realms;
  logger: Logger;
  /** Called once for every call that reached a service. */
  onEnded?: (outcome: CallOutcome) => void;
}): Promise<GrpcListening | undefined> {
  const { options, registry, protos, sessions, realms, logger } = parts;
  const services: ServedService[] = [];
  const files: FileDescriptorProto[] = [];
  for (const registered of registry.all(GrpcService)) {
    const loaded = protos.get(registered.id);
    if (loaded === undefined) throw new Error(`${registered.id} was not inspected`);
    services.push(servedService(registered, loaded, options.mode === 'start' ? 'bearer' : 'none'));
    files.push(...loaded.files);
  }
  if (services.length === 0) return undefined;
  const enabling = new EnablingRealms(registry, realms);
  const admission = new Admission({ registry, sessions, realms, enabling });
  const methods = new Map<string, ServedMethod>();
  for (const service of services) for (const method of service.methods) methods.set(method.path, method);
  const log = options.grpcAccessLogEnabled ? accessLog(logger) : undefined;
  const onEnded = (outcome: CallOutcome) => {
    parts.onEnded?.(outcome);
    log?.(outcome);
  };
  const tls = certificateFiles(options, logger);
  const calls = { admission, logger, secure: tls !== undefined, onEnded };
  const sideCalls = new SideCalls();
  const server = new Server({
    'grpc.max_receive_message_length': options.grpcMaxMessageSize,
    'grpc.max_concurrent_streams': options.grpcMaxConcurrentStreams,
    'grpc.max_connection_age_ms': options.grpcMaxConnectionAge * 1000,
    'grpc.keepalive_time_ms': KEEPALIVE.timeMs,
    'grpc.keepalive_timeout_ms': KEEPALIVE.timeoutMs,
    'grpc.enable_channelz': 0,
    interceptors: [
      function handle({ path }, call) {
        const method = methods.get(path);
        return method === undefined ? sideCalls.follow(call) : new HandledCall(call, method, calls);
      },
    ],
  });
  for (const service of services) server.addService(...serviceOf(service));
  const health = await addHealth(server, services, enabling, realms);
  if (options.grpcReflection) await addReflection(server, files);
  const port = await bind(server, options, tls);
  return {
    port,
    close: async (limitMs) => {
      for (const service of ['', ...services.map(({ name }) => name)]) health.setStatus(service, 'NOT_SERVING');
      sideCalls.end();
      await shutDown(server, limitMs);
      tls?.close();
    },
  };
}

/** The calls are handled before grpc-js looks for an implementation. */
function serviceOf({ methods }: ServedService): [ServiceDefinition, UntypedServiceImplementation] {
  const definition: Record<string, ServiceDefinition[string]> = {};
  const implementation: UntypedServiceImplementation = {};
  for (const { name, path, requestStream, responseStream, decode } of methods) {
    definition[name] = {
      path,
      requestStream,
      responseStream,
      requestDeserialize: decode,
      responseSerialize: (bytes: Buffer) => bytes,
      // The client's side of a definition, which no server uses.
      requestSerialize: (bytes: Buffer) => bytes,
      responseDeserialize: (bytes: Buffer) => bytes,
    };
    implementation[name] = () => {
      throw new Error(`${path} is handled elsewhere`);
    };
  }
  return [definition, implementation];
}

/** A service is SERVING while a realm enables it; the host as a whole (the empty name) until it stops. */
async function addHealth(
  server: Server,
  services: readonly ServedService[],
  enabling: EnablingRealms,
  realms: Realms,
): Promise<HealthImplementation> {
  const health = new HealthImplementation({ '': 'SERVING' });
  const update = async () => {
    for (const service of services) {
      const realm = await enabling.first(service);
      health.setStatus(service.name, realm === undefined ? 'NOT_SERVING' : 'SERVING');
    }
  };
  await update();
  realms.onChanged(() => void update());
  health.addToServer(server);
  return health;
}

function bind(server: Server, options: HostOptions, files: CertificateFiles | undefined): Promise<number> {
  const { grpcHost: host, grpcPort } = options;
  const address = `${host.includes(':') ? `[${host}]` : host}:${grpcPort}`;
  return new Promise((resolve, reject) => {
    server.bindAsync(address, serverCredentials(files, options.grpcClientCaFile !== undefined), (cause, port) => {
      if (cause === null) {
        resolve(port);
        return;
      }
      const reason = cause.message.includes('EADDRINUSE') ? 'the port is in use' : cause.message;
      const hint = 'choose another one with --grpc-port; 0 picks a free one';
      reject(new BootError('listen_failed', `${address} cannot be listened on: ${reason}`, { hint, cause }));
    });
  });
}

function shutDown(server: Server, limitMs: number): Promise<void> {
  return new Promise((resolve) => {
    const force = setTimeout(() => server.forceShutdown(), limitMs);
    server.tryShutdown(() => {
      clearTimeout(force);
      resolve();
    });
  });
}

function accessLog(logger: Logger) {
  return ({ method, code, milliseconds, realm, clientId, ...rest }: CallOutcome) => {
    logger.info('grpc', {
      method: method.path,
      code,
      milliseconds: Math.round(milliseconds * 10) / 10,
      ...(realm === undefined ? {} : { realm }),
      ...(clientId === undefined ? {} : { clientId }),
      ...rest,
    });
  };
}
