import type { Clock } from '../../model/clock.js';
import type { EntryStore } from '../../store/store.js';
import { recordPlace } from '../sessions/state-place.js';

/** Which version of a plugin's state is in use. Times are milliseconds since the epoch. */
export interface StateRecord {
  /** The version that may write; 0: none, since the state is migrated. */
  readonly token: number;
  /** The version in use; during a migration the one before. */
  readonly version: number;
  /** The version before, whose entries are kept for a rollback. */
  readonly kept?: number;
  /** A migration that is under way: by which process, and until when no other one begins again. */
  readonly migration?: { readonly by: string; readonly to: number; readonly until: number };
}

/** Where all nodes read the versions of plugins' states. */
export class StateRecords {
  readonly #entries: EntryStore;
  readonly #clock: Clock;

  constructor({ entries, clock }: { readonly entries: EntryStore; readonly clock: Clock }) {
    this.#entries = entries;
    this.#clock = clock;
  }

  async read(plugin: string): Promise<StateRecord | undefined> {
    const value = await this.#entries.get({ ...recordPlace(plugin), now: this.#clock.now() });
    return value === undefined ? undefined : (JSON.parse(value) as StateRecord);
  }

  /** @returns whether no other node has changed it meanwhile */
  replace(plugin: string, expected: StateRecord | undefined, record: StateRecord): Promise<boolean> {
    return this.#entries.replace({
      ...recordPlace(plugin),
      expected: expected === undefined ? undefined : JSON.stringify(expected),
      value: JSON.stringify(record),
      now: this.#clock.now(),
    });
  }
}
