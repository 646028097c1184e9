import type { HealthCheck } from '../http/management.js';
import type { ProvidedKeys } from '../keys/provided/provided-keys.js';
import { MASTER_REALM } from '../model/realm.js';
import type { RemoteChanges } from '../realms/remote-changes.js';
import type { Workers } from '../registry/worker/workers.js';
import type { Store } from '../store/store.js';
import type { HttpServers } from './http-servers.js';

/** If this many threads are stuck in native code, the host is no longer ready. */
const MAX_STUCK_THREADS = 2;
/**
 * Timeout for reading one row, in milliseconds. A slower store counts as unreachable. It is shorter than the timeout of
 * health probes.
 */
const STORE_TIMEOUT_MS = 2_000;

interface HealthParts {
  readonly store: Store;
  readonly changes: RemoteChanges;
  readonly workers: Workers;
  readonly servers: HttpServers;
  readonly keys: Pick<ProvidedKeys, 'failing'>;
  readonly eventStores: () => Iterable<{ readonly isUnavailable: boolean }>;
}

/** Checks whether the host can serve requests. */
export class Health {
  readonly #parts: HealthParts;
  readonly #storeTimeoutMs: number;
  #isStarted = false;
  #storeQuery: Promise<boolean> | undefined;

  /** @param storeTimeoutMs timeout of the store, in milliseconds */
  constructor(parts: HealthParts, storeTimeoutMs = STORE_TIMEOUT_MS) {
    this.#parts = parts;
    this.#storeTimeoutMs = storeTimeoutMs;
  }

  /** Called when the host serves requests. */
  markStarted(): void {
    this.#isStarted = true;
  }

  get isStarted(): boolean {
    return this.#isStarted;
  }

  /** Runs the health checks. Resolves within the timeout of the store. */
  async runChecks(): Promise<readonly HealthCheck[]> {
    const { changes, servers, workers, eventStores } = this.#parts;
    const { silenceMs } = changes;
    const stores = [...eventStores()];
    return [
      { name: 'host', isUp: this.#isStarted && !servers.isDraining },
      { name: 'store', isUp: await this.#checkStore() },
      {
        name: 'changes',
        isUp: changes.isUpToDate,
        ...(silenceMs === undefined ? {} : { data: { silentSeconds: Math.round(silenceMs / 1000) } }),
      },
      // This does not affect readiness, because most realms do not use keys from plugins.
      { name: 'keys', isUp: true, data: { failingProviders: this.#parts.keys.failing } },
      { name: 'threads', isUp: workers.stuckCount < MAX_STUCK_THREADS, data: { stuck: workers.stuckCount } },
      // This does not affect readiness, because events for unreachable event stores are queued.
      ...(stores.length === 0
        ? []
        : [
            {
              name: 'event stores',
              isUp: true,
              data: { away: stores.filter(({ isUnavailable }) => isUnavailable).length },
            },
          ]),
    ];
  }

  #checkStore(): Promise<boolean> {
    // Run one query at a time, so that health probes do not use up the connections that requests need.
    this.#storeQuery ??= this.#parts.store.realms
      .get(MASTER_REALM)
      .then(
        () => true,
        () => false,
      )
      .finally(() => {
        this.#storeQuery = undefined;
      });
    return falseOnTimeout(this.#storeQuery, this.#storeTimeoutMs);
  }
}

/** @returns false on timeout */
async function falseOnTimeout(answer: Promise<boolean>, limitMs: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), limitMs);
  });
  try {
    return await Promise.race([answer, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
