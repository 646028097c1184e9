import { queryOptions } from '@tanstack/react-query';
import { request } from './request.ts';

/** The times are upper bounds, and missing beyond 10 seconds. */
export interface RecentRequests {
  readonly minutes: number;
  readonly count: number;
  readonly p50Millis?: number;
  readonly p95Millis?: number;
  readonly p99Millis?: number;
}

/** Of `GET /admin/serverinfo`; `systemInfo` is told to who holds `admin` in master. */
export interface ServerInfo {
  readonly systemInfo?: {
    readonly nodeVersion: string;
    readonly keyhostVersion: string;
    readonly serverTime: string;
    readonly uptimeMillis: number;
    /** Of the last minutes. */
    readonly requests: RecentRequests;
    /** Of plugins, since the start. */
    readonly providerCalls: { readonly count: number; readonly failed: number };
  };
}

export function serverInfo() {
  return queryOptions({
    queryKey: ['server info'],
    queryFn: ({ signal }) => request<ServerInfo>('/serverinfo', { roles: [], signal }),
  });
}
