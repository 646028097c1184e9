import type { Logger, Schedule, ScheduledOutcome, ScheduledRun } from '@keyhost/spi';
import type { Clock } from '../../model/clock.js';
import { defined } from '../../model/defined.js';
import { codeOf, messageOf } from '../../model/thrown.js';
import type { Fence } from '../../store/fence.js';
import type { WorkKey } from '../background/work-scheduler.js';
import type { nextTimeAfter } from './due-times.js';
import { fenceOf, type RunRecord, type ScheduleRecord, type ScheduleRecords } from './schedule-records.js';

/** The duration of a node's lease, in milliseconds: longer than a call may take. */
const LEASE_MS = 60_000;
/** The pause after the first failure, in milliseconds. It doubles with each further failure. */
const FIRST_PAUSE_MS = 5_000;
const MAX_PAUSE_MS = 5 * 60_000;
const MAX_FAILURES = 5;
/** Maximum length of `more` (what one part of a run passes to the next), in characters of JSON. */
const MAX_MORE_LENGTH = 64 * 1024;

/** A provider's scheduled work, with what is needed to run it. */
export interface ScheduledTask {
  readonly work: WorkKey;
  /** The plugin's name. */
  readonly plugin: string;
  readonly schedule: Schedule;
  /** Aborted when the host stops. */
  readonly signal: AbortSignal;
  readonly call: (run: ScheduledRun, fence: Fence) => Promise<ScheduledOutcome | undefined>;
}

export interface ScheduledWorkLeasesParts {
  readonly records: ScheduleRecords;
  readonly nextTimeAfter: typeof nextTimeAfter;
  readonly clock: Clock;
  readonly logger: Logger;
  /** The name of this node, if there are several. */
  readonly node: string | undefined;
}

/**
 * Shares scheduled work between nodes. A node takes a lease on work that is due; if that node dies, another one
 * continues it.
 */
export class ScheduledWorkLeases {
  /** The records that this node has last read or written, for display to operators. */
  readonly knownRecords = new Map<string, WorkKey & { readonly record: ScheduleRecord }>();
  readonly #parts: ScheduledWorkLeasesParts;

  constructor(parts: ScheduledWorkLeasesParts) {
    this.#parts = parts;
  }

  /**
   * Runs the work if it is due.
   * @returns seconds until the next check
   */
  async runIfDue(task: ScheduledTask): Promise<number> {
    const { records, clock, nextTimeAfter, node } = this.#parts;
    const { work, schedule } = task;
    const storedRecord = await records.read(work);
    const now = clock.now();
    const scheduleText = JSON.stringify(schedule);
    if (storedRecord?.run !== undefined && storedRecord.run.until > now)
      return this.#secondsUntil(task, storedRecord, storedRecord.run.until);
    if (storedRecord?.schedule !== scheduleText) {
      const { next } = nextTimeAfter(schedule, now, now);
      const newRecord = defined({
        schedule: scheduleText,
        token: (storedRecord?.token ?? 0) + 1,
        next,
        last: storedRecord?.last,
      });
      return (await records.replace(work, storedRecord, newRecord)) ? this.#secondsUntil(task, newRecord, next) : 0;
    }
    if (storedRecord.run === undefined && storedRecord.next > now)
      return this.#secondsUntil(task, storedRecord, storedRecord.next);
    const due = storedRecord.run?.scheduledFor ?? storedRecord.next;
    const { missed } = storedRecord.run ?? nextTimeAfter(schedule, due, now);
    const progress = { from: storedRecord.run?.from, failures: storedRecord.run?.failures ?? 0 };
    const run: RunRecord = defined({ scheduledFor: due, missed, ...progress, until: now + LEASE_MS, node });
    const leased: ScheduleRecord = { ...storedRecord, token: storedRecord.token + 1, run };
    if (!(await records.replace(work, storedRecord, leased))) return 0;
    return this.#runParts(task, { ...leased, run });
  }

  /** Runs one part after another until the run is done, fails, or another node has taken over. */
  async #runParts(task: ScheduledTask, leased: ScheduleRecord & { readonly run: RunRecord }): Promise<number> {
    const { clock } = this.#parts;
    for (let currentLease = leased; ; ) {
      this.#cacheRecord(task, currentLease);
      let outcome: ScheduledOutcome | undefined;
      try {
        outcome = await this.#runPart(task, currentLease);
      } catch (error) {
        return this.#recordFailure(task, currentLease, error);
      }
      const { more, summary } = outcome ?? {};
      if (more === undefined) return this.#recordEnd(task, currentLease, 'done', summary);
      const isAborted = task.signal.aborted;
      const until = isAborted ? clock.now() : clock.now() + LEASE_MS;
      const renewed = { ...currentLease, run: { ...currentLease.run, from: more, failures: 0, until } };
      if (!(await this.#write(task, currentLease, renewed)) || isAborted) return 0;
      currentLease = renewed;
    }
  }

  async #runPart(
    task: ScheduledTask,
    leased: ScheduleRecord & { readonly run: RunRecord },
  ): Promise<ScheduledOutcome | undefined> {
    const { scheduledFor, missed, from } = leased.run;
    const run = defined({ scheduledFor, missed, token: leased.token, from });
    const outcome = await task.call(run, fenceOf(task.work, leased));
    if (JSON.stringify(outcome?.more ?? null).length <= MAX_MORE_LENGTH) return outcome;
    throw new Error(`scheduled answered more than ${MAX_MORE_LENGTH} characters of "more"`);
  }

  async #recordFailure(
    task: ScheduledTask,
    leased: ScheduleRecord & { readonly run: RunRecord },
    error: unknown,
  ): Promise<number> {
    const { clock, logger } = this.#parts;
    const { work, plugin } = task;
    const failures = leased.run.failures + 1;
    const isLastAttempt = failures >= MAX_FAILURES;
    if (codeOf(error) !== 'schedule_lost' && !task.signal.aborted) {
      const message = isLastAttempt ? 'scheduled work failed, and waits for its next time' : 'scheduled work failed';
      const reason = messageOf(error);
      logger.error(message, { plugin, realm: work.realm, provider: work.provider, failures, reason });
    }
    if (isLastAttempt) return this.#recordEnd(task, leased, 'failed', undefined);
    // If the host stops, another node may continue at once.
    const pause = task.signal.aborted ? 0 : Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (failures - 1));
    const until = clock.now() + pause;
    const failureCount = task.signal.aborted ? leased.run.failures : failures;
    const retryRecord = { ...leased, run: { ...leased.run, failures: failureCount, until } };
    return (await this.#write(task, leased, retryRecord)) ? this.#secondsUntil(task, retryRecord, until) : 0;
  }

  async #recordEnd(
    task: ScheduledTask,
    leased: ScheduleRecord & { readonly run: RunRecord },
    outcome: 'done' | 'failed',
    summary: string | undefined,
  ): Promise<number> {
    const { clock, logger, node, nextTimeAfter } = this.#parts;
    const { work, plugin, schedule } = task;
    const { scheduledFor } = leased.run;
    const { next } = nextTimeAfter(schedule, scheduledFor, clock.now());
    const last = defined({ scheduledFor, at: clock.now(), outcome, summary, node });
    const { run: _, ...rest } = leased;
    const endedRecord: ScheduleRecord = { ...rest, next, last };
    if (!(await this.#write(task, leased, endedRecord))) return 0;
    if (outcome === 'done') {
      const fields = { plugin, realm: work.realm, provider: work.provider, ...defined({ summary }) };
      logger.info('scheduled work done', { ...fields, scheduledFor: new Date(scheduledFor).toISOString() });
    }
    return this.#secondsUntil(task, endedRecord, next);
  }

  /**
   * Replaces the record.
   * @returns false if another node has taken over the work
   */
  async #write({ work, plugin }: ScheduledTask, leased: ScheduleRecord, record: ScheduleRecord): Promise<boolean> {
    if (await this.#parts.records.replace(work, leased, record)) return true;
    const { realm, provider } = work;
    this.#parts.logger.warn('scheduled work was taken on by another node', { plugin, realm, provider });
    return false;
  }

  #cacheRecord({ work }: ScheduledTask, record: ScheduleRecord): void {
    this.knownRecords.set(recordKey(work), { ...work, record });
  }

  #secondsUntil(task: ScheduledTask, record: ScheduleRecord, time: number): number {
    this.#cacheRecord(task, record);
    return Math.max(0, (time - this.#parts.clock.now()) / 1000);
  }
}

/** Returns the key of scheduled work in `knownRecords`. */
export function recordKey({ provider, realm }: WorkKey): string {
  return `${provider} ${realm}`;
}
