import type { Logger } from '@keyhost/spi';
import type { Clock } from '../model/clock.js';
import type { ChangeStore } from '../store/store.js';

/** How often the database is queried for its time, in milliseconds. */
const QUERY_INTERVAL_MS = 1_000;
/** A warning is logged if the clocks differ by more than this, in milliseconds. */
const MAX_DIFFERENCE_MS = 5_000;

/**
 * The clock of a node. A single node uses the machine's clock. Nodes that share a database follow the database's clock.
 * Each continues with a monotonic clock, and corrects it when a query shows that it is off. So nodes agree within the
 * round-trip time to the database, even if the clocks of their machines differ or jump.
 */
export class NodeClock {
  /** The clock for other services. They cannot change it. */
  readonly clock: Clock;
  readonly #machineNow: () => number;
  readonly #monotonicNow: () => number;
  /** The database's time at the moment when the monotonic clock was 0; undefined until the database is followed. */
  #origin: number | undefined;
  #timer: NodeJS.Timeout | undefined;
  #query: Promise<void> | undefined;
  #isLoggedAsOff = false;

  /** @param options.monotonicNow returns milliseconds of a monotonic clock */
  constructor({
    machineNow = () => Date.now(),
    monotonicNow = () => performance.now(),
  }: { machineNow?: () => number; monotonicNow?: () => number } = {}) {
    this.#machineNow = machineNow;
    this.#monotonicNow = monotonicNow;
    this.clock = Object.freeze({ now: () => this.now() });
  }

  /** Returns milliseconds since the epoch. */
  now(): number {
    return this.#origin === undefined ? this.#machineNow() : Math.round(this.#origin + this.#monotonicNow());
  }

  /**
   * Follows the database's clock from now on.
   * @returns a function that ends this
   * @throws HostError of the store
   */
  async follow(database: Pick<ChangeStore, 'time'>, logger: Logger): Promise<() => Promise<void>> {
    await this.correctBy(database);
    this.#logDifference(logger);
    this.#timer = setInterval(() => {
      this.#query ??= this.correctBy(database)
        .then(() => this.#logDifference(logger))
        // While the store is unreachable, the clock continues without corrections.
        .catch(() => {})
        .finally(() => {
          this.#query = undefined;
        });
    }, QUERY_INTERVAL_MS);
    this.#timer.unref();
    return async () => {
      clearInterval(this.#timer);
      await this.#query;
    };
  }

  /**
   * Queries the database's time once. That time lies between the query and its answer, so an origin outside of these
   * bounds is corrected.
   */
  async correctBy(database: Pick<ChangeStore, 'time'>): Promise<void> {
    const askedAt = this.#monotonicNow();
    const time = await database.time();
    const earliest = time - this.#monotonicNow();
    const latest = time - askedAt;
    this.#origin = Math.min(latest, Math.max(earliest, this.#origin ?? (earliest + latest) / 2));
  }

  #logDifference(logger: Logger): void {
    const difference = this.#machineNow() - this.now();
    const isOff = Math.abs(difference) > MAX_DIFFERENCE_MS;
    if (isOff === this.#isLoggedAsOff) return;
    this.#isLoggedAsOff = isOff;
    const seconds = Math.round(Math.abs(difference) / 1000);
    if (!isOff) logger.info('the clock of this machine is in sync with the database again');
    else {
      const direction = difference > 0 ? 'ahead of' : 'behind';
      logger.warn(
        `the clock of this machine is ${seconds} seconds ${direction} the clock of the database, which all nodes use`,
      );
    }
  }
}
