import type { Json } from '@keyhost/spi';
import type { Clock } from '../../model/clock.js';
import type { Fence } from '../../store/fence.js';
import type { EntryStore } from '../../store/store.js';
import type { Work } from '../background/background-runs.js';

/** The namespace in the store; no plugin's name has a slash in front. */
const NAMESPACE = '/schedules';

/** A run that is under way, or is tried again. */
export interface RunRecord {
  readonly scheduledFor: number;
  readonly missed: number;
  readonly from?: Json | undefined;
  readonly failures: number;
  /** Until then no other node takes it on, in milliseconds since the epoch. */
  readonly until: number;
  readonly node?: string | undefined;
}

/** The last run that came to an end. */
export interface EndRecord {
  readonly scheduledFor: number;
  readonly at: number;
  readonly outcome: 'done' | 'failed';
  readonly summary?: string | undefined;
  readonly node?: string | undefined;
}

/** Scheduled work in a realm. Times are milliseconds since the epoch. */
export interface ScheduleRecord {
  /** What it was made for: another schedule begins anew. */
  readonly schedule: string;
  readonly token: number;
  readonly next: number;
  readonly run?: RunRecord | undefined;
  readonly last?: EndRecord | undefined;
}

/** Where all nodes read whose turn it is. */
export class ScheduleRecords {
  readonly #entries: EntryStore;
  readonly #clock: Clock;

  constructor({ entries, clock }: { readonly entries: EntryStore; readonly clock: Clock }) {
    this.#entries = entries;
    this.#clock = clock;
  }

  async read(work: Work): Promise<ScheduleRecord | undefined> {
    const value = await this.#entries.get({ ...placeOf(work), now: this.#clock.now() });
    return value === undefined ? undefined : (JSON.parse(value) as ScheduleRecord);
  }

  /** @returns whether nobody else has changed it meanwhile */
  replace(work: Work, expected: ScheduleRecord | undefined, record: ScheduleRecord): Promise<boolean> {
    return this.#entries.replace({
      ...placeOf(work),
      expected: expected === undefined ? undefined : JSON.stringify(expected),
      value: JSON.stringify(record),
      now: this.#clock.now(),
    });
  }
}

/** What a node's writes are checked by. */
export function fenceOf(work: Work, { token }: ScheduleRecord): Fence {
  return { ...placeOf(work), token };
}

function placeOf({ realm, provider }: Work) {
  return { realm, namespace: NAMESPACE, key: provider };
}
