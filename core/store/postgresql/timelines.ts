import { TIMELINE } from './postgresql-dialect.js';
import { isUnsupported } from './postgresql-error.js';
import type { Session } from './session.js';

/** The position of a primary in the history of its database cluster. */
export interface Timeline {
  /** Identifies the cluster, because timelines of different clusters cannot be compared. */
  readonly system: string;
  /** Increases with each promotion of a standby. */
  readonly number: number;
}

/**
 * Time in milliseconds for which a former primary is refused. Usually it becomes a standby within seconds. If it
 * remains the primary, by an error or because an old copy was restored, the hosts must work with it.
 */
const REFUSED_MS = 60_000;

/**
 * Remembers the newest primary. A former primary may still accept writes for a moment, for example after its machine
 * was suspended. Its acknowledgements would be lost, and it does not know which codes were used at the new primary.
 */
export class Timelines {
  readonly #now: () => number;
  #newest: Timeline | undefined;
  /** When a former primary was refused the first time since the newest one was seen. */
  #refusedSince: number | undefined;
  #isSupported = true;

  constructor(now = () => performance.now()) {
    this.#now = now;
  }

  /**
   * Reads the timeline of a new connection to a primary.
   * @throws Error if another server has become the primary after this one
   */
  async check(session: Session): Promise<void> {
    if (!this.#isSupported) return;
    const timeline = await this.#read(session);
    if (timeline === undefined) return;
    session.timeline = timeline;
    if (this.isOutdated(session)) {
      this.#refusedSince ??= this.#now();
      if (this.#now() - this.#refusedSince < REFUSED_MS)
        throw new Error(
          `it is a former primary: its timeline is ${timeline.number}, and ${this.#newest?.number} was seen`,
        );
    }
    this.#newest = timeline;
    this.#refusedSince = undefined;
  }

  /** True if another server has become the primary after the server of this connection. */
  isOutdated({ timeline }: Session): boolean {
    const newest = this.#newest;
    return timeline !== undefined && newest?.system === timeline.system && newest.number > timeline.number;
  }

  async #read(session: Session): Promise<Timeline | undefined> {
    try {
      const [answer] = await session.send([TIMELINE]);
      const { system, timeline } = answer?.rows[0] ?? {};
      const number = Number.parseInt(String(timeline), 16);
      return typeof system === 'string' && Number.isInteger(number) ? { system, number } : undefined;
    } catch (error) {
      // Only a lasting reason ends the check for this process. Any other error fails this connection alone.
      if (!isUnsupported(error)) throw error;
      this.#isSupported = false;
      return undefined;
    }
  }
}
