import type { Session } from '@keyhost/spi';
import { DeadLetters } from './dead-letters.js';
import { EndpointHealth } from './endpoint-health.js';
import type { RealmQueue } from './realm-queue.js';
import { Sender } from './sender.js';
import type { Endpoint, Settings } from './settings.js';

/** All attempts of a run must end within this time, in milliseconds. The host ends the call after 30 seconds. */
const RUN_MS = 27_000;

/** One run for one endpoint: sends its due messages. */
export class EndpointRun {
  readonly #session: Session;
  readonly #settings: Settings;
  readonly #queue: RealmQueue;
  readonly #name: string;
  readonly #attempts = new Set<Promise<void>>();
  #wake: () => void = () => {};
  #failure: unknown;

  constructor(session: Session, settings: Settings, queue: RealmQueue, name: string) {
    this.#session = session;
    this.#settings = settings;
    this.#queue = queue;
    this.#name = name;
  }

  /** @returns seconds until the next run; undefined if no message is known to wait */
  async run(endpoint: Endpoint): Promise<{ again: number } | undefined> {
    const { clock, signal, store } = this.#session;
    const end = performance.now() + RUN_MS - endpoint.timeout * 1000;
    const health = await EndpointHealth.of(this.#session, this.#name, endpoint);
    if (!health.isOpen) return undefined;
    const dead = new DeadLetters(store, this.#queue, this.#settings);
    const sender = new Sender(this.#session, this.#queue, { name: this.#name, endpoint, health, dead });
    const endRegistration = this.#queue.registerRun(this.#name, () => this.#wake());
    try {
      while (!signal.aborted && this.#failure === undefined && health.isOpen && performance.now() < end) {
        this.#begin(endpoint, health, sender);
        if (this.#attempts.size === 0) break;
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
    } finally {
      endRegistration();
      await Promise.all(this.#attempts);
    }
    if (this.#failure !== undefined) throw this.#failure;
    const due = Math.max(this.#queue.lanesOf(this.#name).nextDue(), health.pausedUntil);
    return due === Number.POSITIVE_INFINITY ? undefined : { again: Math.max(0, due - clock.now()) / 1000 };
  }

  /** Begins an attempt for each lane that may send, up to the endpoint's concurrency limit. */
  #begin(endpoint: Endpoint, health: EndpointHealth, sender: Sender): void {
    const lanes = this.#queue.lanesOf(this.#name);
    const limit = health.isFailing ? 1 : endpoint.concurrency;
    while (lanes.busy < limit) {
      const now = this.#session.clock.now();
      if (health.pausedUntil > now) return;
      const lane = lanes.take(now);
      if (lane === undefined) return;
      const sending = sender
        .send(lane)
        .then((next) => lanes.release(lane, next))
        .catch((error: unknown) => {
          lanes.release(lane, 0);
          this.#failure ??= error;
        })
        .finally(() => {
          this.#attempts.delete(sending);
          this.#wake();
        });
      this.#attempts.add(sending);
    }
  }
}
