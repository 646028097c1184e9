import type { Json } from '@keyhost/spi';
import type { Clock } from '../../model/clock.js';
import type { Fence } from '../../store/fence.js';
import type { EntryStore } from '../../store/store.js';
import type { WorkKey } from '../background/work-scheduler.js';

/** The namespace in the store; a plugin's name never begins with a slash. */
const NAMESPACE = '/schedules';

/** An active run, or one that will be retried. */
export interface RunRecord {
  readonly scheduledFor: number;
  readonly missed: number;
  readonly from?: Json | undefined;
  readonly failures: number;
  /** The end of the lease in milliseconds since the epoch: until then no other node takes over. */
  readonly until: number;
  readonly node?: string | undefined;
}

/** The last completed run. */
export interface EndRecord {
  readonly scheduledFor: number;
  readonly at: number;
  readonly outcome: 'done' | 'failed';
  readonly summary?: string | undefined;
  readonly node?: string | undefined;
}

/** The state of scheduled work in a realm. Times are milliseconds since the epoch. */
export interface ScheduleRecord {
  /** The schedule for which it was created: with a different one it starts from the beginning. */
  readonly schedule: string;
  readonly token: number;
  readonly next: number;
  readonly run?: RunRecord | undefined;
  readonly last?: EndRecord | undefined;
}

/** The shared records by which nodes take turns. */
export class ScheduleRecords {
  readonly #entries: EntryStore;
  readonly #clock: Clock;

  constructor({ entries, clock }: { readonly entries: EntryStore; readonly clock: Clock }) {
    this.#entries = entries;
    this.#clock = clock;
  }

  async read(work: WorkKey): Promise<ScheduleRecord | undefined> {
    const value = await this.#entries.get({ ...placeOf(work), now: this.#clock.now() });
    return value === undefined ? undefined : (JSON.parse(value) as ScheduleRecord);
  }

  /** @returns true if the record has not changed meanwhile */
  replace(work: WorkKey, expected: ScheduleRecord | undefined, record: ScheduleRecord): Promise<boolean> {
    return this.#entries.replace({
      ...placeOf(work),
      expected: expected === undefined ? undefined : JSON.stringify(expected),
      value: JSON.stringify(record),
      now: this.#clock.now(),
    });
  }
}

/** The fence that the store checks on a node's writes. */
export function fenceOf(work: WorkKey, { token }: ScheduleRecord): Fence {
  return { ...placeOf(work), token };
}

function placeOf({ realm, provider }: WorkKey) {
  return { realm, namespace: NAMESPACE, key: provider };
}
