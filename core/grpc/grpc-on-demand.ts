import { GrpcService } from '@keyhost/spi';
import { reachableHost } from '../config/options/reachable-host.js';
import { OnDemand } from '../di/on-demand.js';
import type { Generation } from '../registry/generations/generation.js';
import type { SpiInspections } from '../registry/loading/open-provider.js';
import type { GrpcServer, GrpcServerParts, PreparedServices } from './server.js';

const NO_SERVICES: PreparedServices = { commit: () => {} };

/**
 * The gRPC server. Its libraries are loaded with the first service, so that a host without services saves their memory.
 */
export class GrpcOnDemand {
  readonly #parts: Omit<GrpcServerParts, 'protos'>;
  readonly #loading: OnDemand<Awaited<ReturnType<typeof load>>>;
  #server: GrpcServer | undefined;

  constructor(parts: Omit<GrpcServerParts, 'protos'>) {
    this.#parts = parts;
    // After a failure the next call tries again, because the certificate may have been replaced.
    this.#loading = new OnDemand(() => load(parts));
  }

  /** The check before a service is opened: it reads the proto file. */
  readonly inspections: SpiInspections = new Map([
    [GrpcService.id, async (...definition) => (await this.#loading.get()).protos.inspect(...definition)],
  ]);

  /** The address of the server as `host:port`; undefined until a plugin provides a service. */
  get address(): string | undefined {
    const { port } = this.#server ?? {};
    return port === undefined ? undefined : `${reachableHost(this.#parts.options.grpcHost)}:${port}`;
  }

  /**
   * Prepares the services of a generation; the first one starts the server.
   * @throws BootError `listen_failed`, `plugin_duplicate_id`
   */
  async prepare(providers: Generation): Promise<PreparedServices> {
    const hasServices = providers.list().some(({ spi }) => spi.id === GrpcService.id);
    if (this.#server === undefined && !hasServices) return NO_SERVICES;
    this.#server ??= (await this.#loading.get()).server;
    return this.#server.prepare(providers);
  }

  endCalls(providers: Generation): void {
    this.#server?.endCalls(providers);
  }

  /** Reports NOT_SERVING in the health service from now on. Calls are served until the server closes. */
  drain(): void {
    this.#server?.drain();
  }

  /** @param limitMs the time limit for active calls to end, in milliseconds */
  async close(limitMs: number): Promise<void> {
    await this.#server?.close(limitMs);
  }
}

async function load(parts: Omit<GrpcServerParts, 'protos'>) {
  const [{ ProtoFiles }, { GrpcServer }] = await Promise.all([import('./proto-files.js'), import('./server.js')]);
  const protos = new ProtoFiles(parts.options.protoDir);
  return { protos, server: new GrpcServer({ ...parts, protos }) };
}
