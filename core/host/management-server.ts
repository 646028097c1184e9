import { randomBytes } from 'node:crypto';
import { reachableHost } from '../config/options/reachable-host.js';
import type { Use } from '../di/container.js';
import { Options } from '../di/given.js';
import { createManagementServer } from '../http/management.js';
import { pluginEndpoints } from '../http/plugin-endpoints.js';
import { MASTER_REALM } from '../model/realm.js';
import { RealmFiles } from '../realm-files/realm-files.js';
import { HostPlugins } from '../registry/host-plugins.js';
import { Workers } from '../registry/worker/workers.js';
import { Store } from '../store/module.js';
import { HttpServers } from './http-servers.js';
import { type Listening, listen } from './listen.js';
import { Metrics } from './metrics.js';

/** With so many threads lost to native code the host is not ready any more. */
const STUCK_LIMIT = 2;

/** The port of operators and their tools: health, metrics, and what `keyhost plugin` asks for. */
export class ManagementServer {
  /** What it takes commands with, and tells values for. */
  readonly secret = randomBytes(32).toString('base64url');
  readonly #use: Use;
  #listening: Listening | undefined;

  constructor(use: Use) {
    this.#use = use;
  }

  /** Its address; empty until it listens. */
  get url(): string {
    const { managementHost } = this.#use(Options);
    return this.#listening === undefined ? '' : `http://${reachableHost(managementHost)}:${this.#listening.port}`;
  }

  /** @throws BootError `listen_failed` */
  async open(): Promise<void> {
    const { managementHost, managementPort } = this.#use(Options);
    const [store, workers, plugins] = [this.#use(Store), this.#use(Workers), this.#use(HostPlugins)];
    const [servers, metrics, files] = [this.#use(HttpServers), this.#use(Metrics), this.#use(RealmFiles)];
    const isUp = () =>
      store.realms.get(MASTER_REALM).then(
        () => true,
        () => false,
      );
    const server = createManagementServer({
      checks: async () => ({ host: !servers.draining, store: await isUp(), threads: workers.stuck < STUCK_LIMIT }),
      serving: plugins.serving,
      metrics: () => metrics.text(plugins.updates.status()),
      plugins: pluginEndpoints(plugins.updates, this.secret),
      realms: (withValues) => files.list(withValues),
      secret: this.secret,
    });
    this.#listening = await listen(server, managementHost, managementPort, '--management-port');
  }

  async close(): Promise<void> {
    await this.#listening?.close(0);
  }
}
