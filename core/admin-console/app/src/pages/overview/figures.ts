import { encodeSegment } from '../../address.ts';
import type { Statistics } from '../../api/statistics.ts';

export const DAY_MS = 86_400_000;

/** A period whose numbers are shown next to those of other periods. `to` is not included. */
export interface Period {
  readonly from: number;
  readonly to: number;
}

export interface FigureRow {
  readonly name: 'signIns' | 'failures' | 'signUps' | 'activeUsers';
  /** Now, a day before and a week before. */
  readonly figures: readonly { readonly value: number; readonly period: Period }[];
}

/** The types of the events behind a number. */
const TYPES = { signIns: 'LOGIN', failures: 'LOGIN_ERROR', signUps: 'REGISTER', activeUsers: 'LOGIN' } as const;

/**
 * The numbers of the last 24 hours, and of the same hours a day and a week before. Rows in which all numbers are zero
 * are left out. Active users are counted by the UTC day: of today, yesterday, and this day a week ago.
 * @param week the last eight days by hour
 */
export function figureRows({ to, series, activeUsers }: Statistics): readonly FigureRow[] {
  const periods = [0, 1, 7].map((days) => ({ from: to - (days + 1) * DAY_MS, to: to - days * DAY_MS }));
  const counts = (['signIns', 'failures', 'signUps'] as const).map((name) => ({
    name,
    figures: periods.map((period) => ({
      value: series
        .filter(({ time }) => time >= period.from && time < period.to)
        .reduce((sum, point) => sum + point[name], 0),
      period,
    })),
  }));
  const today = activeUsers.days.at(-1)?.time ?? 0;
  const active = {
    name: 'activeUsers' as const,
    figures: [0, 1, 7].map((days) => {
      const from = today - days * DAY_MS;
      const value = activeUsers.days.find(({ time }) => time === from)?.users ?? 0;
      return { value, period: { from, to: from + DAY_MS } };
    }),
  };
  return [...counts, active].filter(({ figures }) => figures.some(({ value }) => value > 0));
}

/** The list of the events behind a number. */
export function eventsHref(
  realm: string,
  type: string,
  { from, to }: Period,
  more: Readonly<Record<string, string>> = {},
): string {
  const query = new URLSearchParams({ type, dateFrom: String(from), dateTo: String(to - 1), ...more });
  return `/realms/${encodeSegment(realm)}/events?${query}`;
}

export function figureHref(realm: string, name: FigureRow['name'], period: Period): string {
  return eventsHref(realm, TYPES[name], period);
}
