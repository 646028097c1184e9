import type { Schedule } from '@keyhost/spi';
import { Cron } from 'croner';
import { messageOf } from '../../model/thrown.js';

/** In seconds. */
const LEAST_BETWEEN = 10;
/** Missed times are counted up to this number. */
const MOST_MISSED = 1000;

/** Returns the schedule with the override of a realm's configuration. */
export function scheduleIn(schedule: Schedule, config: unknown): Schedule {
  const { setting } = schedule;
  const own = setting === undefined ? undefined : (config as Readonly<Record<string, unknown>>)?.[setting];
  if (typeof own === 'number') return { every: own };
  if (typeof own !== 'string') return schedule;
  const { timeZone } = schedule as { readonly timeZone?: string };
  return { cron: own, ...(timeZone === undefined ? {} : { timeZone }) };
}

/** Describes the mistake in a schedule; undefined if there is none. */
export function scheduleProblem(schedule: Schedule): string | undefined {
  if ('every' in schedule) {
    return schedule.every >= LEAST_BETWEEN ? undefined : `must be at least ${LEAST_BETWEEN} seconds`;
  }
  try {
    const [first, second] = cronOf(schedule).nextRuns(2);
    if (first === undefined) return `never comes: ${schedule.cron}`;
    if (second === undefined || second.getTime() - first.getTime() >= LEAST_BETWEEN * 1000) return undefined;
    return `must not come more often than every ${LEAST_BETWEEN} seconds`;
  } catch (error) {
    return `is not a valid cron expression or time zone: ${messageOf(error)}`;
  }
}

/**
 * Returns the first time after `now`, in milliseconds since the epoch, and the number of times between `due` and `now`.
 */
export function timesAfter(schedule: Schedule, due: number, now: number): { next: number; missed: number } {
  if ('every' in schedule) {
    const period = schedule.every * 1000;
    const missed = Math.max(0, Math.floor((now - due) / period));
    return { next: due + (missed + 1) * period, missed };
  }
  const cron = cronOf(schedule);
  let missed = 0;
  for (let time = cron.nextRun(new Date(due)); time !== null && time.getTime() <= now && missed < MOST_MISSED; ) {
    missed += 1;
    time = cron.nextRun(time);
  }
  return { next: cron.nextRun(new Date(now))?.getTime() ?? Number.MAX_SAFE_INTEGER, missed };
}

function cronOf({ cron, timeZone = 'UTC' }: Extract<Schedule, { cron: string }>): Cron {
  return new Cron(cron, { timezone: timeZone });
}
