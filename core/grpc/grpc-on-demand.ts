import { GrpcService } from '@keyhost/spi';
import type { Generation } from '../registry/generations/generation.js';
import type { Inspections } from '../registry/loading/opened-plugin.js';
import type { GrpcServer, GrpcServerParts, PreparedServices } from './server.js';

const NOTHING: PreparedServices = { commit: () => {} };

/** The gRPC server, whose libraries are loaded with the first service: a host without one does without their memory. */
export class GrpcOnDemand {
  readonly #parts: Omit<GrpcServerParts, 'protos'>;
  #loading: ReturnType<typeof load> | undefined;
  #server: GrpcServer | undefined;

  constructor(parts: Omit<GrpcServerParts, 'protos'>) {
    this.#parts = parts;
  }

  /** What is looked at before a service is opened: its proto file. */
  readonly inspections: Inspections = new Map([
    [GrpcService.id, async (...definition) => (await this.#loaded()).protos.inspect(...definition)],
  ]);

  get port(): number | undefined {
    return this.#server?.port;
  }

  /** @throws BootError `listen_failed`, `plugin_duplicate_id` */
  async prepare(providers: Generation): Promise<PreparedServices> {
    const hasServices = providers.list().some(({ spi }) => spi.id === GrpcService.id);
    if (this.#server === undefined && !hasServices) return NOTHING;
    this.#server ??= (await this.#loaded()).server;
    return this.#server.prepare(providers);
  }

  endCalls(providers: Generation): void {
    this.#server?.endCalls(providers);
  }

  /** @param limitMs for calls under way, in milliseconds */
  async close(limitMs: number): Promise<void> {
    await this.#server?.close(limitMs);
  }

  #loaded(): ReturnType<typeof load> {
    this.#loading ??= load(this.#parts).catch((error: unknown) => {
      // Another certificate may do.
      this.#loading = undefined;
      throw error;
    });
    return this.#loading;
  }
}

async function load(parts: Omit<GrpcServerParts, 'protos'>) {
  const [{ ProtoFiles }, { GrpcServer }] = await Promise.all([import('./proto-files.js'), import('./server.js')]);
  const protos = new ProtoFiles(parts.options.protoDir);
  return { protos, server: new GrpcServer({ ...parts, protos }) };
}
