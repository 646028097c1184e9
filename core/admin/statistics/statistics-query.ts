import { badRequestError } from '../admin.js';
import type { AdminQuery, QueryParameter } from '../query.js';

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;
/** Maximum range in days, by step. */
const MAX_DAYS = { hour: 31, day: 396 } as const;

const TIME = 'A day as yyyy-MM-dd (UTC), a time as yyyy-MM-ddTHH:mm:ssZ, or milliseconds since the epoch';

export const STATISTICS_QUERY = {
  from: { type: 'string', description: `${TIME}; included. Default: 30 days before to, with hour 24 hours.` },
  to: { type: 'string', description: `${TIME}; not included. Default: now.` },
  step: { type: 'string', description: 'hour (31 days at most), or day (default; 396 days at most). Days are UTC.' },
} as const satisfies Record<string, QueryParameter>;

export interface Range {
  readonly from: number;
  readonly to: number;
  readonly step: 'hour' | 'day';
  /** Length of one step, in milliseconds. */
  readonly stepMs: number;
}

/** Parses the period of a query, and rounds it to whole steps. @throws AdminError 400 */
export function parseRange(query: AdminQuery, now: number): Range {
  const step = query.string('step') ?? 'day';
  if (step !== 'hour' && step !== 'day') throw badRequestError("Invalid value for 'step': it must be hour or day");
  const stepMs = step === 'hour' ? HOUR_MS : DAY_MS;
  const to = roundUp(parseTime(query, 'to') ?? now, stepMs);
  const from = roundDown(parseTime(query, 'from') ?? to - (step === 'hour' ? DAY_MS : 30 * DAY_MS), stepMs);
  if (from >= to) throw badRequestError("Invalid value for 'from': it must be earlier than to");
  const maxDays = MAX_DAYS[step];
  if (to - from > maxDays * DAY_MS)
    throw badRequestError(`Invalid value for 'from': with step=${step} the range is at most ${maxDays} days`);
  return { from, to, step, stepMs };
}

function parseTime(query: AdminQuery, name: 'from' | 'to'): number | undefined {
  const value = query.string(name);
  if (value === undefined) return undefined;
  const time = /^\d{1,15}$/.test(value)
    ? Number(value)
    : /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2}))?$/.test(value)
      ? Date.parse(value)
      : Number.NaN;
  if (Number.isNaN(time))
    throw badRequestError(
      `Invalid value for '${name}': it must be a day as yyyy-MM-dd, a time, or milliseconds since the epoch`,
    );
  return time;
}

function roundDown(time: number, step: number): number {
  return time - (time % step);
}

function roundUp(time: number, step: number): number {
  return roundDown(time + step - 1, step);
}
