import type { Logger } from '@keyhost/spi';
import type { Clock } from '../model/clock.js';
import type { ChangeStore } from '../store/store.js';

/** Interval of queries for the database's time, in milliseconds. */
const ASK_EVERY_MS = 1_000;
/** A machine's clock that is off by more than this is logged, in milliseconds. */
const FAR_MS = 5_000;

/**
 * The clock of a node. A single node uses the machine's clock. Nodes that share a database follow its clock: each
 * counts on with a monotonic clock, and corrects it when the database proves it wrong. So nodes agree within the round
 * trip to the database, even if the clocks of their machines differ or jump.
 */
export class NodeClock {
  /** The clock for other services, which cannot change it. */
  readonly clock: Clock;
  readonly #machine: () => number;
  readonly #elapsed: () => number;
  /** The database's time when `#elapsed` was 0. */
  #origin: number | undefined;
  #timer: NodeJS.Timeout | undefined;
  #asking: Promise<void> | undefined;
  #isToldFar = false;

  /** @param options.elapsed milliseconds of a monotonic clock */
  constructor({
    machine = () => Date.now(),
    elapsed = () => performance.now(),
  }: { machine?: () => number; elapsed?: () => number } = {}) {
    this.#machine = machine;
    this.#elapsed = elapsed;
    this.clock = Object.freeze({ now: () => this.now() });
  }

  /** Milliseconds since the epoch. */
  now(): number {
    return this.#origin === undefined ? this.#machine() : Math.round(this.#origin + this.#elapsed());
  }

  /** Follows the database's clock from now on. @returns a function that ends this @throws HostError of the store */
  async follow(database: Pick<ChangeStore, 'time'>, logger: Logger): Promise<() => Promise<void>> {
    await this.ask(database);
    this.#tell(logger);
    this.#timer = setInterval(() => {
      this.#asking ??= this.ask(database)
        .then(() => this.#tell(logger))
        // While the store is unreachable, the clock continues without it.
        .catch(() => {})
        .finally(() => {
          this.#asking = undefined;
        });
    }, ASK_EVERY_MS);
    this.#timer.unref();
    return async () => {
      clearInterval(this.#timer);
      await this.#asking;
    };
  }

  /** Asks once. The database's time lies between query and answer: an origin outside of these bounds is corrected. */
  async ask(database: Pick<ChangeStore, 'time'>): Promise<void> {
    const asked = this.#elapsed();
    const time = await database.time();
    const earliest = time - this.#elapsed();
    const latest = time - asked;
    this.#origin = Math.min(latest, Math.max(earliest, this.#origin ?? (earliest + latest) / 2));
  }

  #tell(logger: Logger): void {
    const off = this.#machine() - this.now();
    const isFar = Math.abs(off) > FAR_MS;
    if (isFar === this.#isToldFar) return;
    this.#isToldFar = isFar;
    const seconds = Math.round(Math.abs(off) / 1000);
    if (!isFar) logger.info('the clock of this machine is in sync with the database again');
    else {
      const way = off > 0 ? 'ahead of' : 'behind';
      logger.warn(
        `the clock of this machine is ${seconds} seconds ${way} the clock of the database, which all nodes use`,
      );
    }
  }
}
