import type { HealthCheck } from '../http/management.js';
import type { ProvidedKeys } from '../keys/provided/provided-keys.js';
import { MASTER_REALM } from '../model/realm.js';
import type { RemoteChanges } from '../realms/remote-changes.js';
import type { Workers } from '../registry/worker/workers.js';
import type { Store } from '../store/store.js';
import type { HttpServers } from './http-servers.js';

/** With this number of threads stuck in native code, the host is no longer ready. */
const STUCK_LIMIT = 2;
/**
 * Timeout in milliseconds for reading one row: shorter than the timeout of health probes. A slower store counts as
 * unreachable.
 */
const STORE_LIMIT_MS = 2_000;

interface HealthParts {
  readonly store: Store;
  readonly changes: RemoteChanges;
  readonly workers: Workers;
  readonly servers: HttpServers;
  readonly keys: Pick<ProvidedKeys, 'failing'>;
  readonly eventStores: () => Iterable<{ readonly isUnavailable: boolean }>;
}

/** Whether the host can serve requests. */
export class Health {
  readonly #parts: HealthParts;
  readonly #limitMs: number;
  #isStarted = false;
  #asking: Promise<boolean> | undefined;

  /** @param limitMs timeout of the store, in milliseconds */
  constructor(parts: HealthParts, limitMs = STORE_LIMIT_MS) {
    this.#parts = parts;
    this.#limitMs = limitMs;
  }

  /** Call when everything listens. */
  started(): void {
    this.#isStarted = true;
  }

  get isStarted(): boolean {
    return this.#isStarted;
  }

  /** The health checks by name. Resolves within the store's timeout. */
  async checks(): Promise<readonly HealthCheck[]> {
    const { changes, servers, workers, eventStores } = this.#parts;
    const { silence } = changes;
    const stores = [...eventStores()];
    return [
      { name: 'host', isUp: this.#isStarted && !servers.draining },
      { name: 'store', isUp: await this.#storeAnswers() },
      {
        name: 'changes',
        isUp: changes.isHearing,
        ...(silence === undefined ? {} : { data: { silentSeconds: Math.round(silence / 1000) } }),
      },
      // Does not affect readiness, because realms without plugins' keys do not need it.
      { name: 'keys', isUp: true, data: { failingProviders: this.#parts.keys.failing } },
      { name: 'threads', isUp: workers.stuck < STUCK_LIMIT, data: { stuck: workers.stuck } },
      // Does not affect readiness: events for unreachable event stores are queued.
      ...(stores.length === 0
        ? []
        : [{ name: 'event stores', isUp: true, data: { away: stores.filter(({ isUnavailable }) => isUnavailable).length } }]),
    ];
  }

  #storeAnswers(): Promise<boolean> {
    // One query at a time, so that health probes do not use up the connections of requests.
    this.#asking ??= this.#parts.store.realms
      .get(MASTER_REALM)
      .then(
        () => true,
        () => false,
      )
      .finally(() => {
        this.#asking = undefined;
      });
    return within(this.#asking, this.#limitMs);
  }
}

/** @returns false on timeout */
async function within(answer: Promise<boolean>, limitMs: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), limitMs);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}
