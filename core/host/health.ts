import { MASTER_REALM } from '../model/realm.js';
import type { Workers } from '../registry/worker/workers.js';
import type { Store } from '../store/store.js';
import type { HttpServers } from './http-servers.js';

/** With so many threads lost to native code the host is not ready any more. */
const STUCK_LIMIT = 2;

/** Whether the host can serve requests. */
export class Health {
  readonly #store: Store;
  readonly #workers: Workers;
  readonly #servers: HttpServers;

  constructor(store: Store, workers: Workers, servers: HttpServers) {
    this.#store = store;
    this.#workers = workers;
    this.#servers = servers;
  }

  /** Named checks: the host is ready when all are true. */
  async checks(): Promise<Readonly<Record<string, boolean>>> {
    const store = await this.#store.realms.get(MASTER_REALM).then(
      () => true,
      () => false,
    );
    return { host: !this.#servers.draining, store, threads: this.#workers.stuck < STUCK_LIMIT };
  }
}
