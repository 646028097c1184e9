import type { Schedule } from '@keyhost/spi';
import { Cron } from 'croner';
import { messageOf } from '../../model/thrown.js';

/** The shortest interval between two runs, in seconds. */
const MIN_INTERVAL_SECONDS = 10;
/** Maximum number of missed runs to count for a cron expression. */
const MAX_MISSED = 1000;

/** Returns the schedule, with the override from a realm's configuration. */
export function scheduleInRealm(schedule: Schedule, config: unknown): Schedule {
  const { setting } = schedule;
  const override = setting === undefined ? undefined : (config as Readonly<Record<string, unknown>>)?.[setting];
  if (typeof override === 'number') return { every: override };
  if (typeof override !== 'string') return schedule;
  const { timeZone } = schedule as { readonly timeZone?: string };
  return { cron: override, ...(timeZone === undefined ? {} : { timeZone }) };
}

/** Describes what is wrong with a schedule; undefined if it is valid. */
export function scheduleProblem(schedule: Schedule): string | undefined {
  if ('every' in schedule) {
    return schedule.every >= MIN_INTERVAL_SECONDS ? undefined : `must be at least ${MIN_INTERVAL_SECONDS} seconds`;
  }
  try {
    const [first, second] = parseCron(schedule).nextRuns(2);
    if (first === undefined) return `never comes: ${schedule.cron}`;
    if (second === undefined || second.getTime() - first.getTime() >= MIN_INTERVAL_SECONDS * 1000) return undefined;
    return `must not come more often than every ${MIN_INTERVAL_SECONDS} seconds`;
  } catch (error) {
    return `is not a valid cron expression or time zone: ${messageOf(error)}`;
  }
}

/**
 * Returns the time of the next run after `now`, in milliseconds since the epoch. It also returns the number of runs
 * that were missed between `due` and `now`.
 */
export function nextTimeAfter(schedule: Schedule, due: number, now: number): { next: number; missed: number } {
  if ('every' in schedule) {
    const period = schedule.every * 1000;
    const missedCount = Math.max(0, Math.floor((now - due) / period));
    return { next: due + (missedCount + 1) * period, missed: missedCount };
  }
  const cron = parseCron(schedule);
  let missedCount = 0;
  for (let time = cron.nextRun(new Date(due)); time !== null && time.getTime() <= now && missedCount < MAX_MISSED; ) {
    missedCount += 1;
    time = cron.nextRun(time);
  }
  return { next: cron.nextRun(new Date(now))?.getTime() ?? Number.MAX_SAFE_INTEGER, missed: missedCount };
}

function parseCron({ cron, timeZone = 'UTC' }: Extract<Schedule, { cron: string }>): Cron {
  return new Cron(cron, { timezone: timeZone });
}
