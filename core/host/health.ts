import { MASTER_REALM } from '../model/realm.js';
import type { ChangesElsewhere } from '../realms/changes-elsewhere.js';
import type { Workers } from '../registry/worker/workers.js';
import type { Store } from '../store/store.js';
import type { HttpServers } from './http-servers.js';

/** With so many threads lost to native code the host is not ready any more. */
const STUCK_LIMIT = 2;

/** Whether the host can serve requests. */
export class Health {
  readonly #store: Store;
  readonly #changes: ChangesElsewhere;
  readonly #workers: Workers;
  readonly #servers: HttpServers;

  constructor(parts: { store: Store; changes: ChangesElsewhere; workers: Workers; servers: HttpServers }) {
    this.#store = parts.store;
    this.#changes = parts.changes;
    this.#workers = parts.workers;
    this.#servers = parts.servers;
  }

  /** Named checks: the host is ready when all are true. */
  async checks(): Promise<Readonly<Record<string, boolean>>> {
    const store = await this.#store.realms.get(MASTER_REALM).then(
      () => true,
      () => false,
    );
    return {
      host: !this.#servers.draining,
      store,
      changes: this.#changes.isHearing,
      threads: this.#workers.stuck < STUCK_LIMIT,
    };
  }
}
