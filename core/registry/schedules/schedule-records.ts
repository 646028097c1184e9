import type { Json } from '@keyhost/spi';
import type { Clock } from '../../model/clock.js';
import type { Fence } from '../../store/fence.js';
import type { EntryStore } from '../../store/store.js';
import type { WorkKey } from '../background/work-scheduler.js';

/** The namespace in the store. It begins with a slash, which the name of a plugin never does. */
const NAMESPACE = '/schedules';

/** A run that is active, or that will be retried. */
export interface RunRecord {
  readonly scheduledFor: number;
  readonly missed: number;
  readonly from?: Json | undefined;
  readonly failures: number;
  /** When the lease ends, in milliseconds since the epoch. Until then no other node takes over. */
  readonly until: number;
  readonly node?: string | undefined;
}

/** The last run that ended, successfully or not. */
export interface EndRecord {
  readonly scheduledFor: number;
  readonly at: number;
  readonly outcome: 'done' | 'failed';
  readonly summary?: string | undefined;
  readonly node?: string | undefined;
}

/** The state of a provider's scheduled work in a realm. Times are milliseconds since the epoch. */
export interface ScheduleRecord {
  /** The schedule for which the record was created, as JSON. If the schedule is changed, the record starts afresh. */
  readonly schedule: string;
  readonly token: number;
  readonly next: number;
  readonly run?: RunRecord | undefined;
  readonly last?: EndRecord | undefined;
}

/** Reads and writes the shared records by which nodes take turns. */
export class ScheduleRecords {
  readonly #entries: EntryStore;
  readonly #clock: Clock;

  constructor({ entries, clock }: { readonly entries: EntryStore; readonly clock: Clock }) {
    this.#entries = entries;
    this.#clock = clock;
  }

  async read(work: WorkKey): Promise<ScheduleRecord | undefined> {
    const value = await this.#entries.get({ ...recordLocation(work), now: this.#clock.now() });
    return value === undefined ? undefined : (JSON.parse(value) as ScheduleRecord);
  }

  /**
   * Replaces a record.
   * @returns false if it has changed since it was read
   */
  replace(work: WorkKey, expectedRecord: ScheduleRecord | undefined, record: ScheduleRecord): Promise<boolean> {
    return this.#entries.replace({
      ...recordLocation(work),
      expected: expectedRecord === undefined ? undefined : JSON.stringify(expectedRecord),
      value: JSON.stringify(record),
      now: this.#clock.now(),
    });
  }
}

/** Returns the fence that the store checks before each write of this run. */
export function fenceOf(work: WorkKey, { token }: ScheduleRecord): Fence {
  return { ...recordLocation(work), token };
}

function recordLocation({ realm, provider }: WorkKey) {
  return { realm, namespace: NAMESPACE, key: provider };
}
