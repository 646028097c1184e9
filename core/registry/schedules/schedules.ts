import type { ScheduledWork } from '@keyhost/spi';
import type { EntryStore } from '../../store/store.js';
import {
  type RealmSource,
  RealmWorkRunner,
  type RealmWorkRunnerParts,
  type WorkingProvider,
} from '../background/realm-work-runner.js';
import { type EndRecord, ScheduleRecords } from './schedule-records.js';
import { recordKey, ScheduledWorkLeases } from './scheduled-work-leases.js';

/** Maximum number of completed runs of a provider to show. */
const MAX_SHOWN = 10;

/** The state of a provider's scheduled work, for operators. */
export interface ScheduleState {
  /** The number of realms that enable it. */
  readonly realms: number;
  /** When it is due next, ISO 8601. */
  readonly next?: string;
  /** Realms in which it is running or will be retried. */
  readonly running: readonly string[];
  /** The last results by realm, the newest first. */
  readonly ended: readonly ({ readonly realm: string; readonly time: string } & Pick<
    EndRecord,
    'outcome' | 'summary' | 'node'
  >)[];
}

/** The scheduled work of plugins' providers, on one node at a time. */
export class Schedules {
  readonly #parts: RealmWorkRunnerParts & { readonly entries: EntryStore; readonly node: () => string | undefined };
  readonly #works: RealmWorkRunner;
  #turns: Promise<ScheduledWorkLeases> | undefined;
  #known: ScheduledWorkLeases['knownRecords'] = new Map();

  constructor(parts: RealmWorkRunnerParts & { readonly entries: EntryStore; readonly node: () => string | undefined }) {
    this.#parts = parts;
    this.#works = new RealmWorkRunner(
      parts,
      ({ schedule }) => schedule !== undefined,
      (working) => this.#run(working),
      (work) => this.#known.delete(recordKey(work)),
    );
  }

  /** Starts to run work when it is due. Called once. */
  open(realms: RealmSource): void {
    this.#works.open(realms);
  }

  /** Called after plugins have changed. */
  pluginsChanged(): void {
    this.#works.pluginsChanged();
  }

  /** Resolves when all work that is due now has run. */
  settled(): Promise<void> {
    return this.#works.settled();
  }

  close(): Promise<void> {
    return this.#works.close();
  }

  /** Returns the state, as far as this node knows it. @param provider `spi/id` */
  stateOf(provider: string): ScheduleState {
    const own = [...this.#known.values()].filter((one) => one.provider === provider);
    const ended = own.flatMap(({ realm, record: { last } }) => (last === undefined ? [] : [{ realm, last }]));
    const next = Math.min(...own.filter(({ record }) => record.run === undefined).map(({ record }) => record.next));
    return {
      realms: own.length,
      ...(Number.isFinite(next) && { next: new Date(Math.min(next, 8.64e15)).toISOString() }),
      running: own
        .filter(({ record }) => record.run !== undefined)
        .map(({ realm }) => realm)
        .slice(0, MAX_SHOWN),
      ended: ended
        .sort((a, b) => b.last.at - a.last.at)
        .slice(0, MAX_SHOWN)
        .map(({ realm, last: { at, outcome, summary, node } }) => ({
          realm,
          time: new Date(at).toISOString(),
          outcome,
          ...(summary !== undefined && { summary }),
          ...(node !== undefined && { node }),
        })),
    };
  }

  async #run({ work, registered, config, signal, runWithProvider: within }: WorkingProvider): Promise<number | undefined> {
    const { schedule, plugin } = registered;
    if (schedule === undefined) return undefined;
    const [{ scheduleIn }, turns] = await Promise.all([import('./due-times.js'), this.#opened()]);
    return turns.runIfDue({
      work,
      plugin: plugin.name,
      schedule: scheduleIn(schedule, config),
      signal,
      call: (run, fence) =>
        within(async (provider: ScheduledWork) => provider.scheduled?.(structuredClone(run)), { fence }),
    });
  }

  #opened(): Promise<ScheduledWorkLeases> {
    this.#turns ??= import('./due-times.js').then(({ timesAfter }) => {
      const { entries, clock, logger, node } = this.#parts;
      const records = new ScheduleRecords({ entries, clock });
      const turns = new ScheduledWorkLeases({ records, times: timesAfter, clock, logger, node: node() });
      this.#known = turns.knownRecords;
      return turns;
    });
    return this.#turns;
  }
}
