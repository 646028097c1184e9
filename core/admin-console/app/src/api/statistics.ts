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
  readonly activeUsers: { readonly day: number; readonly week: number; readonly month: number };
}

export type Span = '24h' | '7d' | '30d';

const DAYS = { '24h': 1, '7d': 7, '30d': 30 } as const;
const REFETCH_MS = 60_000;

/** @param realm undefined for all realms together */
export function statistics(realm: string | undefined, span: Span) {
  const step = span === '24h' ? 'hour' : 'day';
  return queryOptions({
    queryKey: ['statistics', realm, span],
    queryFn: ({ signal }) => {
      const stepMs = step === 'hour' ? 3_600_000 : 86_400_000;
      const to = Math.ceil((Date.now() + 1) / stepMs) * stepMs;
      return request<Statistics>(realm === undefined ? '/statistics' : `/realms/${encodeSegment(realm)}/statistics`, {
        query: { step, from: to - DAYS[span] * 86_400_000, to },
        roles: ['view-events'],
        signal,
      });
    },
    refetchInterval: REFETCH_MS,
    placeholderData: keepPreviousData,
  });
}
