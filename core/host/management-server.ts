import { reachableHost } from '../config/options/reachable-host.js';
import { createManagementServer } from '../http/management.js';
import { type PluginCommands, pluginEndpoints } from '../http/plugin-endpoints.js';
import { randomToken } from '../model/random-token.js';
import type { RealmFiles } from '../realm-files/realm-files.js';
import type { HostPlugins } from '../registry/host-plugins.js';
import type { Health } from './health.js';
import { type Listening, listen } from './listen.js';
import type { Metrics } from './metrics.js';

/** What the port tells of. */
interface Told {
  readonly health: Health;
  readonly metrics: Metrics;
  readonly plugins: HostPlugins;
  /** Updates of plugins: on this host, or on all nodes. Asked for once the plugins are open. */
  readonly commands: () => PluginCommands;
  readonly files: RealmFiles;
}

/** The port of operators and their tools: health, metrics, and what `keyhost plugin` asks for. */
export class ManagementServer {
  /** What it takes commands with, and tells values for. */
  readonly secret = randomToken(32);
  readonly #address: { readonly host: string; readonly port: number };
  readonly #told: Told;
  #listening: Listening | undefined;

  /** @param address.port 0 picks a free one */
  constructor(address: { readonly host: string; readonly port: number }, told: Told) {
    this.#address = address;
    this.#told = told;
  }

  /** Its address; empty until it listens. */
  get url(): string {
    return this.#listening === undefined ? '' : `http://${reachableHost(this.#address.host)}:${this.#listening.port}`;
  }

  /** @throws BootError `listen_failed` */
  async open(): Promise<void> {
    const { health, metrics, plugins, commands, files } = this.#told;
    const server = createManagementServer({
      get isStarted() {
        return health.isStarted;
      },
      checks: () => health.checks(),
      serving: plugins.serving,
      metrics: () => metrics.text(),
      plugins: pluginEndpoints(commands(), this.secret),
      realms: (withValues) => files.list(withValues),
      secret: this.secret,
    });
    this.#listening = await listen(server, this.#address.host, this.#address.port, '--management-port');
  }

  async close(): Promise<void> {
    await this.#listening?.close(0);
  }
}
