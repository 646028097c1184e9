import { queryOptions } from '@tanstack/react-query';
import { request } from './request.ts';

/** Of `GET /admin/serverinfo`; `systemInfo` is told to who holds `admin` in master. */
export interface ServerInfo {
  readonly systemInfo?: {
    readonly nodeVersion?: string;
    readonly keyhostVersion?: string;
    readonly serverTime?: string;
    readonly uptimeMillis?: number;
  };
}

export function serverInfo() {
  return queryOptions({
    queryKey: ['server info'],
    queryFn: ({ signal }) => request<ServerInfo>('/serverinfo', { roles: [], signal }),
  });
}
