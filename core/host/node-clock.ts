import type { Logger } from '@keyhost/spi';
import type { Clock } from '../model/clock.js';
import type { ChangeStore } from '../store/store.js';

/** How often the database is asked for the time, in milliseconds. */
const ASK_EVERY_MS = 1_000;
/** A machine whose clock is so far off is told, in milliseconds. */
const FAR_MS = 5_000;

/**
 * The time of a node. Alone it is the machine's. Nodes of one database go by the clock of that: each counts on from there by a clock
 * that never jumps, and is put right where the database proves it wrong. So nodes agree within the time that a question to the
 * database takes, however the clocks of their machines differ and jump.
 */
export class NodeClock {
  /** What is handed out: nobody who has it can move it. */
  readonly clock: Clock;
  readonly #machine: () => number;
  readonly #elapsed: () => number;
  /** The database's time when `#elapsed` was 0. */
  #origin: number | undefined;
  #timer: NodeJS.Timeout | undefined;
  #asking: Promise<void> | undefined;
  #isToldFar = false;

  /** @param options.elapsed milliseconds by a clock that never jumps */
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

  /** Goes by the database's clock from now on. @returns what ends it @throws HostError of the store */
  async follow(database: Pick<ChangeStore, 'time'>, logger: Logger): Promise<() => Promise<void>> {
    await this.ask(database);
    this.#tell(logger);
    this.#timer = setInterval(() => {
      this.#asking ??= this.ask(database)
        .then(() => this.#tell(logger))
        // The store is away: the time goes on without it.
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

  /** Once. The answer is of some moment between question and answer: what lies outside of that is wrong. */
  async ask(database: Pick<ChangeStore, 'time'>): Promise<void> {
    const asked = this.#elapsed();
    const time = await database.time();
    const [earliest, latest] = [time - this.#elapsed(), time - asked];
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
