import { defined } from '../../model/defined.js';
import { badRequest, badRequestError } from '../admin.js';
import { type AdminQuery, PAGING, type QueryParameter } from '../query.js';

const DAY_MS = 86_400_000;

/** Query parameters for both kinds of events. */
export const EVENT_QUERY = {
  dateFrom: { type: 'string', description: 'A day as yyyy-MM-dd (UTC), or milliseconds since the epoch; included.' },
  dateTo: { type: 'string', description: 'A day as yyyy-MM-dd (UTC), or milliseconds since the epoch; included.' },
  direction: { type: 'string', description: 'desc (default): newest first; or asc.' },
  ...PAGING,
} as const satisfies Record<string, QueryParameter>;

/** Parses the page, period and order of a query. @throws AdminError 400 */
export function eventPage(query: AdminQuery) {
  const direction = query.string('direction')?.toLowerCase() ?? 'desc';
  if (direction !== 'asc' && direction !== 'desc') throw badRequest('direction: must be asc or desc');
  const from = parseTime(query, 'dateFrom', 0);
  const to = parseTime(query, 'dateTo', DAY_MS - 1);
  return {
    ...query.page(),
    ...(direction === 'asc' ? { oldestFirst: true } : {}),
    ...defined({ from, to }),
  };
}

/** Removes parameters that were not sent from a filter. */
export function withoutUndefined<T extends object>(members: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}

/** Parses a day or a time. @param dayOffsetMs milliseconds to add to the beginning of a day */
function parseTime(query: AdminQuery, name: 'dateFrom' | 'dateTo', dayOffsetMs: number): number | undefined {
  const value = query.string(name);
  if (value === undefined) return undefined;
  if (/^\d{1,15}$/.test(value)) return Number(value);
  const day = /^\d{4}-\d{2}-\d{2}$/.test(value) ? Date.parse(`${value}T00:00:00Z`) : Number.NaN;
  if (!Number.isNaN(day)) return day + dayOffsetMs;
  throw badRequestError(`Invalid value for '${name}': it must be a day as yyyy-MM-dd, or milliseconds since the epoch`);
}
