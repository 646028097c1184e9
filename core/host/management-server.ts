import { reachableHost } from '../config/options/reachable-host.js';
import { createManagementServer } from '../http/management.js';
import { ownerEndpoints } from '../http/owner-endpoints.js';
import { pluginEndpoints } from '../http/plugin-endpoints.js';
import { randomToken } from '../model/random-token.js';
import { type ListeningServer, listen } from './listen.js';
import type { Operations } from './operations.js';

/**
 * The management port for operators and their tools: health, metrics, and the operations that `keyhost plugin` and
 * other commands use.
 */
export class ManagementServer {
  /** Authenticates commands, and callers that may see secret values. */
  readonly secret = randomToken(32);
  readonly #address: { readonly host: string; readonly port: number };
  readonly #operations: Operations;
  #server: ListeningServer | undefined;

  /** @param address.port 0 selects a free port */
  constructor(address: { readonly host: string; readonly port: number }, operations: Operations) {
    this.#address = address;
    this.#operations = operations;
  }

  /** The URL of the management port; empty until it listens. */
  get url(): string {
    return this.#server === undefined ? '' : `http://${reachableHost(this.#address.host)}:${this.#server.port}`;
  }

  /** @throws BootError `listen_failed` */
  async open(): Promise<void> {
    const operations = this.#operations;
    const server = createManagementServer({
      get isStarted() {
        return operations.isStarted;
      },
      health: () => operations.health(),
      metrics: () => operations.metrics(),
      plugins: pluginEndpoints(operations.plugins, this.secret),
      owner: ownerEndpoints(operations.owner, this.secret),
      realms: (withValues) => operations.realms(withValues),
      secret: this.secret,
    });
    this.#server = await listen(server, this.#address.host, this.#address.port, '--management-port');
  }

  async close(): Promise<void> {
    await this.#server?.close(0);
  }
}
