import type { HealthCheck } from '../http/management.js';
import type { ProvidedKeys } from '../keys/provided/provided-keys.js';
import { MASTER_REALM } from '../model/realm.js';
import type { ChangesElsewhere } from '../realms/changes-elsewhere.js';
import type { Workers } from '../registry/worker/workers.js';
import type { Store } from '../store/store.js';
import type { HttpServers } from './http-servers.js';

/** With so many threads lost to native code the host is not ready any more. */
const STUCK_LIMIT = 2;
/** A store that takes longer for one row is as good as away, in milliseconds: less than whoever asks for health waits. */
const STORE_LIMIT_MS = 2_000;

interface HealthParts {
  readonly store: Store;
  readonly changes: ChangesElsewhere;
  readonly workers: Workers;
  readonly servers: HttpServers;
  readonly keys: Pick<ProvidedKeys, 'failing'>;
  readonly eventStores: () => Iterable<{ readonly isAway: boolean }>;
}

/** Whether the host can serve requests. */
export class Health {
  readonly #parts: HealthParts;
  readonly #limitMs: number;
  #isStarted = false;
  #asking: Promise<boolean> | undefined;

  /** @param limitMs of the store's answer, in milliseconds */
  constructor(parts: HealthParts, limitMs = STORE_LIMIT_MS) {
    this.#parts = parts;
    this.#limitMs = limitMs;
  }

  /** All listens that serves. */
  started(): void {
    this.#isStarted = true;
  }

  get isStarted(): boolean {
    return this.#isStarted;
  }

  /** What the host needs, each by its name. Answered within the limit of the store. */
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
      // Realms whose keys are all here do not need it.
      { name: 'keys', isUp: true, data: { failingProviders: this.#parts.keys.failing } },
      { name: 'threads', isUp: workers.stuck < STUCK_LIMIT, data: { stuck: workers.stuck } },
      // Of plugins: what waits for them is kept, and the host serves on.
      ...(stores.length === 0
        ? []
        : [{ name: 'event stores', isUp: true, data: { away: stores.filter(({ isAway }) => isAway).length } }]),
    ];
  }

  #storeAnswers(): Promise<boolean> {
    // One question at a time: whoever asks for health does not use up the connections that requests need.
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

/** @returns false when the answer takes longer */
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
