import { Server, type ServerInterceptingCall, type ServerInterceptingCallInterface, setLogger } from '@grpc/grpc-js';
import type { Logger } from '@keyhost/spi';
import { HealthImplementation } from 'grpc-health-check';
import type { CertificateFiles } from '../config/options/certificate-files.js';
import type { HostOptions } from '../config/options/options.js';
import { cannotListen, listenAtOption, PORT_IN_USE } from '../config/options/replaceable-ports.js';
import { defined } from '../model/defined.js';
import type { Realms } from '../realms/realms.js';
import type { Generation } from '../registry/generations/generation.js';
import type { SessionFactory } from '../registry/sessions/session-factory.js';
import { Admission } from './admission.js';
import { BuiltInCalls } from './built-in-calls.js';
import { createServerCredentials, openCertificateFiles } from './credentials.js';
import { EnablingRealms } from './enabling-realms.js';
import { type AroundGrpcCall, type CallOutcome, type CallServices, HandledCall } from './handled-call.js';
import type { ProtoFiles } from './proto-files.js';
import { createReflection, type Registration } from './reflection.js';
import { type ServiceTable, ServiceTables, toRegistration } from './service-table.js';

/** In milliseconds. A silent peer is pinged, and disconnected if it does not answer. */
const KEEPALIVE = { timeMs: 60_000, timeoutMs: 20_000 };

export interface GrpcServerParts {
  readonly options: HostOptions;
  readonly protos: ProtoFiles;
  readonly sessions: SessionFactory;
  readonly realms: Realms;
  readonly logger: Logger;
  /** Called once for each call that has reached a service. */
  readonly onEnded?: (outcome: CallOutcome) => void;
  readonly around?: AroundGrpcCall | undefined;
}

/** The services of a generation that are ready to be served. */
export interface PreparedServices {
  /** Makes calls that begin from now on use these services. It is called when the generation is published. */
  commit(): void;
}

/** The table of services that is currently served. */
interface ServingTable extends ServiceTable {
  readonly calls: CallServices;
  readonly registrations: readonly Registration[];
}

/**
 * The gRPC server for all services that plugins provide, with health (grpc.health.v1) and, if enabled, reflection. It
 * starts to listen with the first service. A call uses the generation that is current when it begins.
 */
export class GrpcServer {
  readonly #parts: GrpcServerParts;
  readonly #server: Server;
  readonly #tls: CertificateFiles | undefined;
  readonly #tables: ServiceTables;
  readonly #enablingRealms: EnablingRealms;
  readonly #admission: Admission;
  readonly #onEnded: CallServices['onEnded'];
  readonly #health = new HealthImplementation({ '': 'SERVING' });
  readonly #builtInCalls = new BuiltInCalls();
  /** The calls of all generations that may still have active ones. */
  readonly #calls = new WeakMap<Generation, CallServices>();
  #serving: ServingTable | undefined;
  #port: number | undefined;
  #isDraining = false;

  /** @throws BootError `listen_failed` if the certificate cannot be used */
  constructor(parts: GrpcServerParts) {
    const { options, realms, sessions, logger } = parts;
    this.#parts = parts;
    this.#tables = new ServiceTables(parts.protos, options.mode === 'start' ? 'bearer' : 'none');
    this.#enablingRealms = new EnablingRealms(realms);
    this.#admission = new Admission({ sessions, realms, enabling: this.#enablingRealms });
    const log = options.grpcAccessLogEnabled ? createAccessLog(logger) : undefined;
    this.#onEnded = (outcome) => {
      parts.onEnded?.(outcome);
      log?.(outcome);
    };
    this.#tls = openCertificateFiles(options, logger);
    this.#server = new Server({
      'grpc.max_receive_message_length': options.grpcMaxMessageSize,
      'grpc.max_concurrent_streams': options.grpcMaxConcurrentStreams,
      'grpc.max_connection_age_ms': options.grpcMaxConnectionAge * 1000,
      'grpc.keepalive_time_ms': KEEPALIVE.timeMs,
      'grpc.keepalive_timeout_ms': KEEPALIVE.timeoutMs,
      'grpc.enable_channelz': 0,
      interceptors: [({ path }, call) => this.#handle(path, call)],
    });
    this.#health.addToServer(this.#server);
    realms.onChanged(() => void this.#updateHealth());
  }

  /** The port on which the server listens; undefined before the first service. */
  get port(): number | undefined {
    return this.#port;
  }

  /**
   * Prepares the services of a generation; the first ones start the server.
   * @throws BootError `listen_failed`, `plugin_duplicate_id`
   */
  async prepare(providers: Generation): Promise<PreparedServices> {
    const { options, logger } = this.#parts;
    const table = this.#tables.tableOf(providers);
    const registrations = table.services.map(toRegistration);
    if (table.services.length > 0) {
      if (options.grpcReflection) registrations.push(...createReflection(table.files));
      for (const { registered } of table.services) await this.#enablingRealms.firstRealm(registered.id);
      this.#port ??= await bindServer(this.#server, options, this.#tls, this.#parts.logger);
    }
    const calls: CallServices = {
      providers,
      activeCalls: new Set(),
      admission: this.#admission,
      logger,
      onEnded: this.#onEnded,
      around: this.#parts.around,
      secure: this.#tls !== undefined,
    };
    return { commit: () => this.#serve({ ...table, calls, registrations }) };
  }

  /** Aborts the calls of a generation that was replaced some time ago. */
  endCalls(providers: Generation): void {
    for (const call of this.#calls.get(providers)?.activeCalls ?? []) call.abort();
  }

  /**
   * Called when the host stops: the health service reports NOT_SERVING from now on. Calls are served until the server
   * closes.
   */
  drain(): void {
    if (this.#isDraining) return;
    this.#isDraining = true;
    for (const service of ['', ...this.#serviceNames()]) this.#health.setStatus(service, 'NOT_SERVING');
  }

  /** Reports NOT_SERVING, lets active calls end within the limit, and then closes the connections. */
  async close(limitMs: number): Promise<void> {
    if (this.#port !== undefined) {
      this.drain();
      this.#builtInCalls.end();
      await shutDown(this.#server, limitMs);
    }
    this.#tls?.close();
  }

  #handle(path: string, call: ServerInterceptingCallInterface): ServerInterceptingCall {
    const { methods, calls } = this.#serving ?? {};
    const method = methods?.get(path);
    if (method === undefined || calls === undefined) return this.#builtInCalls.track(call);
    return new HandledCall(call, method, calls);
  }

  /** Replaces the services. This is synchronous, so that no call arrives between removing and adding a method. */
  #serve(next: ServingTable): void {
    const removedNames = new Set(this.#serviceNames());
    for (const [definition] of this.#serving?.registrations ?? []) this.#server.removeService(definition);
    for (const [definition, implementation] of next.registrations) this.#server.addService(definition, implementation);
    this.#serving = next;
    this.#calls.set(next.generation, next.calls);
    for (const name of this.#serviceNames()) removedNames.delete(name);
    for (const name of removedNames) this.#health.setStatus(name, 'NOT_SERVING');
    void this.#updateHealth();
  }

  /**
   * Reports each service as SERVING while a realm enables it, and the whole host (the empty name) until the host stops.
   */
  async #updateHealth(): Promise<void> {
    try {
      for (const { name, registered } of this.#serving?.services ?? []) {
        const firstRealm = this.#enablingRealms.firstRealm(registered.id);
        const realm = firstRealm instanceof Promise ? await firstRealm : firstRealm;
        const isStillServed = !this.#isDraining && this.#serviceNames().includes(name);
        if (isStillServed) this.#health.setStatus(name, realm === undefined ? 'NOT_SERVING' : 'SERVING');
      }
    } catch (error) {
      this.#parts.logger.error('checking the health of the gRPC services failed', { reason: String(error) });
    }
  }

  #serviceNames(): string[] {
    return this.#serving?.services.map(({ name }) => name) ?? [];
  }
}

function bindServer(
  server: Server,
  options: HostOptions,
  files: CertificateFiles | undefined,
  logger: Logger,
): Promise<number> {
  const { grpcHost: host, grpcPort, replaceablePorts: replaceable } = options;
  const tryPort = (port: number) => bindPort(server, { host, port }, options, files, logger);
  return listenAtOption({ flag: 'grpc-port', host, port: grpcPort }, { replaceable, logger }, tryPort);
}

function bindPort(
  server: Server,
  { host, port: wantedPort }: { host: string; port: number },
  options: HostOptions,
  files: CertificateFiles | undefined,
  logger: Logger,
): Promise<number | typeof PORT_IN_USE> {
  // Silence grpc-js, which also logs this error to the console.
  setLogger({ error: () => {}, info: () => {}, debug: () => {} });
  return new Promise((resolve, reject) => {
    server.bindAsync(
      `${host.includes(':') ? `[${host}]` : host}:${wantedPort}`,
      createServerCredentials(files, options.grpcClientCaFile !== undefined, options.tls),
      (cause, port) => {
        setLogger({
          error: (...words: unknown[]) => logger.error(`grpc-js: ${words.join(' ')}`),
          info: (...words: unknown[]) => logger.info(`grpc-js: ${words.join(' ')}`),
          debug: (...words: unknown[]) => logger.debug(`grpc-js: ${words.join(' ')}`),
        });
        if (cause === null) resolve(port);
        else if (cause.message.includes('EADDRINUSE')) resolve(PORT_IN_USE);
        else reject(cannotListen(host, wantedPort, cause.message, 'grpc-port', cause));
      },
    );
  });
}

function shutDown(server: Server, limitMs: number): Promise<void> {
  return new Promise((resolve) => {
    const killTimer = setTimeout(() => server.forceShutdown(), limitMs);
    server.tryShutdown(() => {
      clearTimeout(killTimer);
      resolve();
    });
  });
}

function createAccessLog(logger: Logger) {
  return ({ method, code, milliseconds, realm, clientId, ...rest }: CallOutcome) => {
    logger.info('grpc', {
      method: method.path,
      code,
      milliseconds: Math.round(milliseconds * 10) / 10,
      ...defined({ realm, clientId }),
      ...rest,
    });
  };
}
