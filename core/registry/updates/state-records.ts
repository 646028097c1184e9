import type { Clock } from '../../model/clock.js';
import type { EntryStore } from '../../store/store.js';
import { stateRecordKey } from '../sessions/plugin-namespace.js';

/** The current version of a plugin's state. Times are milliseconds since the epoch. */
export interface StateRecord {
  /** The version that may write; 0 during a migration. */
  readonly token: number;
  /** The current version; during a migration the previous one. */
  readonly version: number;
  /** The previous version, whose entries are preserved for a rollback. */
  readonly kept?: number;
  /** An active migration: the process that runs it, and the time until which no other process restarts it. */
  readonly migration?: { readonly by: string; readonly to: number; readonly until: number };
}

/** Reads and writes the shared records about the versions of plugins' states. */
export class StateRecords {
  readonly #entries: EntryStore;
  readonly #clock: Clock;

  constructor({ entries, clock }: { readonly entries: EntryStore; readonly clock: Clock }) {
    this.#entries = entries;
    this.#clock = clock;
  }

  async read(plugin: string): Promise<StateRecord | undefined> {
    const value = await this.#entries.get({ ...stateRecordKey(plugin), now: this.#clock.now() });
    return value === undefined ? undefined : (JSON.parse(value) as StateRecord);
  }

  /**
   * Replaces a record.
   * @returns false if another node has changed it since it was read
   */
  replace(plugin: string, expectedRecord: StateRecord | undefined, record: StateRecord): Promise<boolean> {
    return this.#entries.replace({
      ...stateRecordKey(plugin),
      expected: expectedRecord === undefined ? undefined : JSON.stringify(expectedRecord),
      value: JSON.stringify(record),
      now: this.#clock.now(),
    });
  }
}
