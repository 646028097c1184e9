import type { Logger, Schedule, ScheduledOutcome, ScheduledRun } from '@keyhost/spi';
import type { Clock } from '../../model/clock.js';
import { defined } from '../../model/defined.js';
import { codeOf, messageOf } from '../../model/thrown.js';
import type { Fence } from '../../store/fence.js';
import type { WorkKey } from '../background/work-scheduler.js';
import type { timesAfter } from './due-times.js';
import { fenceOf, type RunRecord, type ScheduleRecord, type ScheduleRecords } from './schedule-records.js';

/** The duration of a node's lease, in milliseconds: longer than a call may take. */
const LEASE_MS = 60_000;
/** The pause after a failure, in milliseconds: doubled with each further failure. */
const FIRST_PAUSE_MS = 5_000;
const LAST_PAUSE_MS = 5 * 60_000;
const MOST_FAILURES = 5;
/** Maximum length of `more`, in characters of JSON. */
const MAX_MORE_LENGTH = 64 * 1024;

/** Scheduled work in its current state. */
export interface ScheduledTask {
  readonly work: WorkKey;
  /** The plugin's name. */
  readonly plugin: string;
  readonly schedule: Schedule;
  /** Aborted when the host stops. */
  readonly signal: AbortSignal;
  readonly call: (run: ScheduledRun, fence: Fence) => Promise<ScheduledOutcome | undefined>;
}

export interface ScheduleTurnsParts {
  readonly records: ScheduleRecords;
  readonly times: typeof timesAfter;
  readonly clock: Clock;
  readonly logger: Logger;
  /** The name of this node, if there are several. */
  readonly node: string | undefined;
}

/**
 * Shares scheduled work between nodes: one node takes over work that is due, and another continues it if that node
 * dies.
 */
export class ScheduledWorkLeases {
  /** The records that this node has last read or written, for operators. */
  readonly knownRecords = new Map<string, WorkKey & { readonly record: ScheduleRecord }>();
  readonly #parts: ScheduleTurnsParts;

  constructor(parts: ScheduleTurnsParts) {
    this.#parts = parts;
  }

  /** Does the work if it is due. @returns seconds until the next check */
  async runIfDue(turn: ScheduledTask): Promise<number> {
    const { records, clock, times, node } = this.#parts;
    const { work, schedule } = turn;
    const seen = await records.read(work);
    const now = clock.now();
    const text = JSON.stringify(schedule);
    if (seen?.run !== undefined && seen.run.until > now) return this.#later(turn, seen, seen.run.until);
    if (seen?.schedule !== text) {
      const { next } = times(schedule, now, now);
      const fresh = defined({ schedule: text, token: (seen?.token ?? 0) + 1, next, last: seen?.last });
      return (await records.replace(work, seen, fresh)) ? this.#later(turn, fresh, next) : 0;
    }
    if (seen.run === undefined && seen.next > now) return this.#later(turn, seen, seen.next);
    const due = seen.run?.scheduledFor ?? seen.next;
    const { missed } = seen.run ?? times(schedule, due, now);
    const begun = { from: seen.run?.from, failures: seen.run?.failures ?? 0 };
    const run: RunRecord = defined({ scheduledFor: due, missed, ...begun, until: now + LEASE_MS, node });
    const taken: ScheduleRecord = { ...seen, token: seen.token + 1, run };
    if (!(await records.replace(work, seen, taken))) return 0;
    return this.#runParts(turn, { ...taken, run });
  }

  /** Runs part after part, until the run is done, fails, or another node has taken over. */
  async #runParts(turn: ScheduledTask, begun: ScheduleRecord & { readonly run: RunRecord }): Promise<number> {
    const { clock } = this.#parts;
    for (let taken = begun; ; ) {
      this.#remember(turn, taken);
      let outcome: ScheduledOutcome | undefined;
      try {
        outcome = await this.#part(turn, taken);
      } catch (error) {
        return this.#failed(turn, taken, error);
      }
      const { more, summary } = outcome ?? {};
      if (more === undefined) return this.#end(turn, taken, 'done', summary);
      const isOver = turn.signal.aborted;
      const until = isOver ? clock.now() : clock.now() + LEASE_MS;
      const going = { ...taken, run: { ...taken.run, from: more, failures: 0, until } };
      if (!(await this.#write(turn, taken, going)) || isOver) return 0;
      taken = going;
    }
  }

  async #part(
    turn: ScheduledTask,
    taken: ScheduleRecord & { readonly run: RunRecord },
  ): Promise<ScheduledOutcome | undefined> {
    const { scheduledFor, missed, from } = taken.run;
    const run = defined({ scheduledFor, missed, token: taken.token, from });
    const outcome = await turn.call(run, fenceOf(turn.work, taken));
    if (JSON.stringify(outcome?.more ?? null).length <= MAX_MORE_LENGTH) return outcome;
    throw new Error(`scheduled answered more than ${MAX_MORE_LENGTH} characters of "more"`);
  }

  async #failed(
    turn: ScheduledTask,
    taken: ScheduleRecord & { readonly run: RunRecord },
    error: unknown,
  ): Promise<number> {
    const { clock, logger } = this.#parts;
    const { work, plugin } = turn;
    const failures = taken.run.failures + 1;
    const isGivenUp = failures >= MOST_FAILURES;
    if (codeOf(error) !== 'schedule_lost' && !turn.signal.aborted) {
      const what = isGivenUp ? 'scheduled work failed, and waits for its next time' : 'scheduled work failed';
      const reason = messageOf(error);
      logger.error(what, { plugin, realm: work.realm, provider: work.provider, failures, reason });
    }
    if (isGivenUp) return this.#end(turn, taken, 'failed', undefined);
    // The host stops: another node may continue at once.
    const pause = turn.signal.aborted ? 0 : Math.min(LAST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (failures - 1));
    const until = clock.now() + pause;
    const kept = turn.signal.aborted ? taken.run.failures : failures;
    const waiting = { ...taken, run: { ...taken.run, failures: kept, until } };
    return (await this.#write(turn, taken, waiting)) ? this.#later(turn, waiting, until) : 0;
  }

  async #end(
    turn: ScheduledTask,
    taken: ScheduleRecord & { readonly run: RunRecord },
    outcome: 'done' | 'failed',
    summary: string | undefined,
  ): Promise<number> {
    const { clock, logger, node, times } = this.#parts;
    const { work, plugin, schedule } = turn;
    const { scheduledFor } = taken.run;
    const { next } = times(schedule, scheduledFor, clock.now());
    const last = defined({ scheduledFor, at: clock.now(), outcome, summary, node });
    const { run: _, ...rest } = taken;
    const ended: ScheduleRecord = { ...rest, next, last };
    if (!(await this.#write(turn, taken, ended))) return 0;
    if (outcome === 'done') {
      const fields = { plugin, realm: work.realm, provider: work.provider, ...defined({ summary }) };
      logger.info('scheduled work done', { ...fields, scheduledFor: new Date(scheduledFor).toISOString() });
    }
    return this.#later(turn, ended, next);
  }

  /** @returns false if another node has taken over the work */
  async #write({ work, plugin }: ScheduledTask, taken: ScheduleRecord, record: ScheduleRecord): Promise<boolean> {
    if (await this.#parts.records.replace(work, taken, record)) return true;
    const { realm, provider } = work;
    this.#parts.logger.warn('scheduled work was taken on by another node', { plugin, realm, provider });
    return false;
  }

  #remember({ work }: ScheduledTask, record: ScheduleRecord): void {
    this.knownRecords.set(recordKey(work), { ...work, record });
  }

  #later(turn: ScheduledTask, record: ScheduleRecord, time: number): number {
    this.#remember(turn, record);
    return Math.max(0, (time - this.#parts.clock.now()) / 1000);
  }
}

/** The key of scheduled work in `known`. */
export function recordKey({ provider, realm }: WorkKey): string {
  return `${provider} ${realm}`;
}
