import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { encodeSegment } from '../address.ts';
import { request } from './request.ts';

export interface Point {
  readonly time: number;
  readonly signIns: number;
  readonly failures: number;
  readonly signUps: number;
}

/** The answer of `GET /admin/realms/{realm}/statistics`. Times are milliseconds since the epoch. */
export interface Statistics {
  readonly from: number;
  readonly to: number;
  readonly step: 'hour' | 'day';
  readonly totals: Omit<Point, 'time'>;
  readonly series: readonly Point[];
  readonly applications: readonly { readonly clientId: string; readonly signIns: number }[];
  readonly otherApplications: number;
  readonly failures: readonly { readonly error: string; readonly count: number }[];
  readonly factors: {
    readonly signIns: number;
    readonly passwords: number;
    readonly passkeys: number;
    readonly secondFactors: number;
    readonly identityProviders: number;
  };
  readonly tokens: readonly { readonly grant: string; readonly count: number }[];
  readonly activeUsers: {
    readonly day: number;
    readonly week: number;
    readonly month: number;
    readonly days: readonly { readonly time: number; readonly users: number }[];
  };
  /** The realms with the most sign-ins and failures; only in the numbers of all realms. */
  readonly realms?: readonly RealmSignIns[];
}

/** The numbers of one realm among those of all. */
export interface RealmSignIns {
  readonly realm: string;
  readonly signIns: number;
  readonly failures: number;
}

export type Span = '24h' | '7d' | '30d';

const DAYS = { '24h': 1, '7d': 7, '30d': 30 } as const;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const REFETCH_MS = 60_000;

/** @param realm undefined for all realms together */
export function statistics(realm: string | undefined, span: Span) {
  return queryOptions({
    queryKey: ['statistics', realm, span],
    queryFn: ({ signal }) => read(realm, span === '24h' ? 'hour' : 'day', DAYS[span], signal),
    refetchInterval: REFETCH_MS,
    placeholderData: keepPreviousData,
  });
}

/**
 * The last eight days by hour, for a comparison of the last 24 hours with those a day and a week before.
 * @param realm undefined for all realms together
 */
export function weekByHour(realm: string | undefined) {
  return queryOptions({
    queryKey: ['statistics', realm, 'week by hour'],
    queryFn: ({ signal }) => read(realm, 'hour', 8, signal),
    refetchInterval: REFETCH_MS,
    placeholderData: keepPreviousData,
  });
}

/** Reads whole steps; the last one is the current hour or day. */
function read(realm: string | undefined, step: 'hour' | 'day', days: number, signal: AbortSignal): Promise<Statistics> {
  const stepMs = step === 'hour' ? HOUR_MS : DAY_MS;
  const to = Math.ceil((Date.now() + 1) / stepMs) * stepMs;
  return request<Statistics>(realm === undefined ? '/statistics' : `/realms/${encodeSegment(realm)}/statistics`, {
    query: { step, from: to - days * DAY_MS, to },
    roles: ['view-events'],
    signal,
  });
}
