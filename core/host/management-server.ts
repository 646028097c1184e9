import type { Logger } from '@keyhost/spi';
import type { HostOptions } from '../config/options/options.js';
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
  readonly #options: HostOptions;
  readonly #operations: Operations;
  readonly #logger: Logger;
  #server: ListeningServer | undefined;

  constructor(options: HostOptions, operations: Operations, logger: Logger) {
    this.#options = options;
    this.#operations = operations;
    this.#logger = logger;
  }

  /** The URL of the management port; empty until it listens. */
  get url(): string {
    return this.#server === undefined
      ? ''
      : `http://${reachableHost(this.#options.managementHost)}:${this.#server.port}`;
  }

  /** @throws BootError `listen_failed` */
  async open(): Promise<void> {
    const { managementHost: host, managementPort: port, replaceablePorts: replaceable } = this.#options;
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
    this.#server = await listen(server, { flag: 'management-port', host, port }, { replaceable, logger: this.#logger });
  }

  async close(): Promise<void> {
    await this.#server?.close(0);
  }
}
