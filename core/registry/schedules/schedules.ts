import type { ScheduledWork } from '@keyhost/spi';
import type { EntryStore } from '../../store/store.js';
import {
  type RealmSource,
  RealmWorkRunner,
  type RealmWorkRunnerParts,
  type WorkRun,
} from '../background/realm-work-runner.js';
import { type EndRecord, ScheduleRecords } from './schedule-records.js';
import { recordKey, ScheduledWorkLeases } from './scheduled-work-leases.js';

/** Maximum number of runs of a provider to show. */
const MAX_SHOWN = 10;

/** The state of a provider's scheduled work, for display to operators. */
export interface ScheduleState {
  /** The number of realms that enable it. */
  readonly realms: number;
  /** The time of its next run, ISO 8601. */
  readonly next?: string;
  /** The realms in which it is running, or will be retried. */
  readonly running: readonly string[];
  /** The last result in each realm, the newest first. */
  readonly ended: readonly ({ readonly realm: string; readonly time: string } & Pick<
    EndRecord,
    'outcome' | 'summary' | 'node'
  >)[];
}

/** Runs the scheduled work of plugins' providers, each on one node at a time. */
export class Schedules {
  readonly #parts: RealmWorkRunnerParts & { readonly entries: EntryStore; readonly node: () => string | undefined };
  readonly #workRunner: RealmWorkRunner;
  #leases: Promise<ScheduledWorkLeases> | undefined;
  #knownRecords: ScheduledWorkLeases['knownRecords'] = new Map();

  constructor(parts: RealmWorkRunnerParts & { readonly entries: EntryStore; readonly node: () => string | undefined }) {
    this.#parts = parts;
    this.#workRunner = new RealmWorkRunner(
      parts,
      ({ schedule }) => schedule !== undefined,
      (run) => this.#run(run),
      (work) => this.#knownRecords.delete(recordKey(work)),
    );
  }

  /** Starts to run work whenever it is due. Called once. */
  open(realms: RealmSource): void {
    this.#workRunner.open(realms);
  }

  /** Called after plugins have changed. */
  pluginsChanged(): void {
    this.#workRunner.pluginsChanged();
  }

  /** Resolves when all work that is due now has run. */
  settled(): Promise<void> {
    return this.#workRunner.settled();
  }

  close(): Promise<void> {
    return this.#workRunner.close();
  }

  /**
   * Returns the state of a provider's scheduled work, as far as this node has seen it.
   * @param provider `spi/id`
   */
  stateOf(provider: string): ScheduleState {
    const records = [...this.#knownRecords.values()].filter((record) => record.provider === provider);
    const endedRuns = records.flatMap(({ realm, record: { last } }) => (last === undefined ? [] : [{ realm, last }]));
    const next = Math.min(...records.filter(({ record }) => record.run === undefined).map(({ record }) => record.next));
    return {
      realms: records.length,
      ...(Number.isFinite(next) && { next: new Date(Math.min(next, 8.64e15)).toISOString() }),
      running: records
        .filter(({ record }) => record.run !== undefined)
        .map(({ realm }) => realm)
        .slice(0, MAX_SHOWN),
      ended: endedRuns
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

  async #run({ work, registered, config, signal, runWithProvider }: WorkRun): Promise<number | undefined> {
    const { schedule, plugin } = registered;
    if (schedule === undefined) return undefined;
    const [{ scheduleInRealm }, leases] = await Promise.all([import('./due-times.js'), this.#openLeases()]);
    return leases.runIfDue({
      work,
      plugin: plugin.name,
      schedule: scheduleInRealm(schedule, config),
      signal,
      call: (run, fence) =>
        runWithProvider(async (provider: ScheduledWork) => provider.scheduled?.(structuredClone(run)), { fence }),
    });
  }

  #openLeases(): Promise<ScheduledWorkLeases> {
    this.#leases ??= import('./due-times.js').then(({ nextTimeAfter }) => {
      const { entries, clock, logger, node } = this.#parts;
      const records = new ScheduleRecords({ entries, clock });
      const leases = new ScheduledWorkLeases({ records, nextTimeAfter, clock, logger, node: node() });
      this.#knownRecords = leases.knownRecords;
      return leases;
    });
    return this.#leases;
  }
}
